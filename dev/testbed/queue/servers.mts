/** PostgreSQL and Redis for one run, with passwords, on free ports of the loopback interface. */
import { randomBytes } from 'node:crypto';
import { chown, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Client } from 'pg';
import { pathWithNode, run, startGroup, untilReady, type Group } from '../processGroup.mts';
import { root } from '../paths.mts';
import { freePort } from '../ports.mts';
import { findPostgres, findRedis } from '../programs.mts';
import { makeRunFolder } from '../tempFolder.mts';

const host = '127.0.0.1';

export async function startPostgres(signal?: AbortSignal) {
	const installed = findPostgres();
	// Not in the folder of the run: the user that PostgreSQL runs as may not reach it.
	const folder = await makeRunFolder(join(tmpdir(), `n8n-portal-io-${userInfo().uid}`));
	const port = await freePort();
	const password = randomBytes(24).toString('hex');
	const data = join(folder.path, 'data');
	let group: Group | undefined;
	const stop = async () => {
		await group?.end(20_000);
		await folder.discard();
	};
	try {
		const user = unprivilegedUser();
		const programs = user ? await reachable(installed, folder.path) : installed;
		const passwordFile = join(folder.path, 'password');
		await writeFile(passwordFile, password);
		if (user) for (const path of [folder.path, passwordFile]) await chown(path, user.uid, user.gid);

		const options = { cwd: folder.path, env: { PATH: pathWithNode() }, ...user };
		await run(
			join(programs, 'initdb'),
			[
				...['-D', data, '--username=n8n', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
				...['--encoding=UTF8', '--locale=C', '--no-sync'],
			],
			{ ...options, signal },
		);

		const logFile = join(folder.path, 'server.log');
		group = startGroup(
			join(programs, 'postgres'),
			// Nobody comes by a socket file, and the paths of those may not be long.
			['-D', data, '-h', host, '-p', String(port), '-k', ''],
			{ ...options, logFile },
		);
		const server = { host, port, user: 'n8n', password, database: 'postgres' };
		await untilReady('PostgreSQL', group, () => isReady(logFile), logFile, signal);
		return {
			settings: {
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: host,
				DB_POSTGRESDB_PORT: String(port),
				DB_POSTGRESDB_DATABASE: server.database,
				DB_POSTGRESDB_USER: server.user,
				DB_POSTGRESDB_PASSWORD: password,
			},
			/** Runs one statement and returns its rows; `$1` in it stands for the first value. */
			async query(statement: string, values: string[]): Promise<Record<string, unknown>[]> {
				const client = new Client(server);
				await client.connect();
				try {
					return (await client.query(statement, values)).rows;
				} finally {
					await client.end();
				}
			},
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Starts Redis. The queue is in its memory only, and gone at the end. */
export async function startRedis(folder: string, signal?: AbortSignal) {
	const redis = await findRedis();
	const port = await freePort();
	const password = randomBytes(24).toString('hex');
	const dataFolder = join(folder, 'redis');
	await mkdir(dataFolder, { recursive: true });
	// A file and not arguments: those of a process can be read by everybody.
	const configuration = join(dataFolder, 'redis.conf');
	const lines = [`bind ${host}`, `port ${port}`, `requirepass ${password}`, 'save ""'];
	await writeFile(configuration, `${lines.join('\n')}\n`, { mode: 0o600 });
	const logFile = join(dataFolder, 'server.log');
	const group = startGroup(redis.file, [configuration], {
		cwd: dataFolder,
		env: { PATH: pathWithNode(), ...redis.env },
		logFile,
	});
	await untilReady('Redis', group, () => isReady(logFile), logFile, signal);
	return {
		settings: {
			QUEUE_BULL_REDIS_HOST: host,
			QUEUE_BULL_REDIS_PORT: String(port),
			QUEUE_BULL_REDIS_PASSWORD: password,
		},
		stop: () => group.end(10_000),
	};
}

/** PostgreSQL refuses to run as root, so it gets `nobody` then. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	return { uid: 65_534, gid: 65_534 };
}

/** Programs that another user can run: the clone may be in a folder that is closed to others. */
async function reachable(programs: string, folder: string): Promise<string> {
	if (relative(root, programs).startsWith('..')) return programs;
	const copy = join(folder, 'programs');
	await cp(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
	return join(copy, 'bin');
}

async function isReady(logFile: string): Promise<boolean> {
	return /ready to accept connections/i.test(await readFile(logFile, 'utf8'));
}
