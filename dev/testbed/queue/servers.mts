/**
 * PostgreSQL and Redis, real ones, for one run: on free ports of the loopback interface, with
 * passwords and data folders that are thrown away at the end.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createSyncFn } from 'synckit';
import {
	pathWithNode,
	startGroup,
	untilReady,
	type Group,
	type GroupOptions,
} from '../processGroup.mts';
import { root } from '../paths.mts';
import { freePort } from '../ports.mts';
import { findPostgres } from '../programs/postgres.mts';
import { findRedis } from '../programs/redis.mts';
import { makeRunFolder } from '../tempFolder.mts';
import type { query } from './query.mts';

/** A running server and how n8n reaches it. */
interface Server {
	/** What an n8n has to be told of it. */
	settings: Record<string, string>;
	stop(): Promise<void>;
}

/** A running PostgreSQL. */
export interface Postgres extends Server {
	/** Runs one statement and gives its rows; `$1` in it stands for the first value. */
	query(statement: string, values: string[]): Record<string, unknown>[];
}

const host = '127.0.0.1';

/** Starts PostgreSQL with an empty database. */
export async function startPostgres(signal?: AbortSignal): Promise<Postgres> {
	const installed = await findPostgres();
	// Not in the folder of the run: the user that PostgreSQL runs as may not reach it.
	const folder = await makeRunFolder({ parent: tmpdir(), prefix: 'n8n-portal-io-postgres-' });
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
		await chmod(folder.path, 0o700);
		if (user) for (const path of [folder.path, passwordFile]) await chown(path, user.uid, user.gid);

		const options: GroupOptions = { cwd: folder.path, env: {}, ...user };
		const initialization = startGroup(
			join(programs, 'initdb'),
			[
				...['-D', data, '--username=n8n', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
				...['--encoding=UTF8', '--locale=C', '--no-sync'],
			],
			options,
		);
		const { failed, all } = await initialization.ended;
		if (failed) throw new Error(`PostgreSQL's data folder could not be made:\n${all}`);
		signal?.throwIfAborted();

		const logFile = join(folder.path, 'server.log');
		group = startServer(
			join(programs, 'postgres'),
			// Nobody comes by a socket file, and the paths of those may not be long.
			['-D', data, '-h', host, '-p', String(port), '-k', ''],
			// Asked by SIGINT it closes its connections instead of waiting for their ends; killed by
			// SIGKILL it would leave shared memory behind, which SIGQUIT does not.
			{ ...options, logFile, stopSignal: 'SIGINT', lastSignal: 'SIGQUIT' },
		);
		const server = { host, port, user: 'n8n', password, database: 'postgres' };
		// Answers at once, as SQLite does: the same checks read both.
		const ask = createSyncFn<typeof query>(join(import.meta.dirname, 'query.mts'));
		const runQuery: Postgres['query'] = (statement, values) => ask(server, statement, values);
		// It listens a moment before it lets anybody in.
		const isReady = async () => {
			try {
				return (await isListening(port)) && runQuery('SELECT 1', []).length === 1;
			} catch {
				return false;
			}
		};
		await untilReady('PostgreSQL', group, isReady, logFile, signal);
		return {
			settings: {
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: host,
				DB_POSTGRESDB_PORT: String(port),
				DB_POSTGRESDB_DATABASE: server.database,
				DB_POSTGRESDB_USER: server.user,
				DB_POSTGRESDB_PASSWORD: password,
			},
			query: runQuery,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Starts Redis. The queue is in its memory only, and gone at the end. */
export async function startRedis(folder: string, signal?: AbortSignal): Promise<Server> {
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
	const group = startServer(redis.file, [configuration], {
		cwd: dataFolder,
		env: redis.env,
		logFile,
	});
	await untilReady('Redis', group, () => isListening(port), logFile, signal);
	return {
		settings: {
			QUEUE_BULL_REDIS_HOST: host,
			QUEUE_BULL_REDIS_PORT: String(port),
			QUEUE_BULL_REDIS_PASSWORD: password,
		},
		stop: () => group.end(10_000),
	};
}

/**
 * PostgreSQL refuses to run as root, and gets a user that every system has and that owns nothing.
 * Anybody else runs it under their own name.
 */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = (what: string) => Number(execFileSync('id', [what, 'nobody']));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Programs that another user can run: the clone may be in a folder that is closed to others. */
async function reachable(programs: string, folder: string): Promise<string> {
	if (relative(root, programs).startsWith('..')) return programs;
	const copy = join(folder, 'programs');
	await cp(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
	return join(copy, 'bin');
}

function startServer(program: string, args: string[], options: GroupOptions) {
	const env = { PATH: pathWithNode(), ...options.env };
	return startGroup(program, args, { ...options, env, extendEnv: false });
}

async function isListening(port: number): Promise<boolean> {
	const socket = connect(port, host);
	const isOpen = await once(socket, 'connect').then(
		() => true,
		() => false,
	);
	socket.destroy();
	return isOpen;
}
