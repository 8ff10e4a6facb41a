/**
 * Runs n8n in several processes, as on several machines: a main process with the editor, a webhook processor,
 * and workers. Each has its own folder with the package. They share PostgreSQL, Redis, the encryption key, and
 * the folder for workflows' files.
 */
import { randomBytes } from 'node:crypto';
import { chown, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Client } from 'pg';
import { installPackage } from '../n8n/installPackage.mts';
import {
	startN8nProcess,
	type N8nProcess,
	type N8nProcessOptions,
	type N8nRole,
} from '../n8n/process.mts';
import { root } from '../paths.mts';
import { freePort } from '../ports.mts';
import { pathWithNode, run, startGroup, untilReady, type Group } from '../processGroup.mts';
import { findPostgres, findRedis } from '../programs.mts';
import type { Step } from '../progress.mts';
import { makeRunFolder } from '../tempFolder.mts';

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const host = '127.0.0.1';
const workerNames = ['worker-1', 'worker-2'];

/** Starts all processes. The editor uses the port in `options`. */
export async function startCluster(options: N8nProcessOptions & { step: Step }) {
	const { folder, step, signal, filesFolder = join(folder, 'files') } = options;
	const servers: { stop(): Promise<void> }[] = [];
	const n8nProcesses: N8nProcess[] = [];
	const stop = async () => {
		for (const all of [n8nProcesses, servers]) await Promise.all(all.map((one) => one.stop()));
	};
	try {
		const postgres = await step('Start PostgreSQL', () => startPostgres(signal));
		servers.push(postgres);
		const redis = await step('Start Redis', () => startRedis(folder, signal));
		servers.push(redis);
		await step('Install the package for each process of n8n', async () => {
			await installPackage(join(folder, 'main'));
			const installed = join(folder, 'main', '.n8n');
			for (const name of ['webhook', ...workerNames])
				await cp(installed, join(folder, name, '.n8n'), { recursive: true });
		});
		const ports = { main: options.port ?? (await freePort()), webhook: await freePort() };
		const settings = {
			...postgres.settings,
			...redis.settings,
			...sharedSettings(ports),
			...options.settings,
		};
		const start = async (name: string, role: N8nRole, port?: number) => {
			const common = { folder: join(folder, name), filesFolder, settings, signal };
			const started = await startN8nProcess({ ...common, role, port });
			n8nProcesses.push(started);
			return started;
		};
		// Start the main process first, because it creates the tables.
		const main = await step('Start n8n: main process', () => start('main', 'start', ports.main));
		const [webhook, ...workers] = await step('Start n8n: webhook processor and workers', () =>
			Promise.all([
				start('webhook', 'webhook', ports.webhook),
				...workerNames.map((name) => start(name, 'worker')),
			]),
		);
		return {
			pid: main.pid,
			url: main.url,
			webhookUrl: webhook.url,
			filesFolder,
			workers,
			query: postgres.query,
			logs: () => n8nProcesses.map((one) => one.logs()).join('\n'),
			// Ignore the end of a worker, because the others continue.
			ended: Promise.race([main.ended, webhook.ended]),
			isRunning: () => main.isRunning() && webhook.isRunning(),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

function sharedSettings(ports: { main: number; webhook: number }): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		// Share one key, or workers could not read the credentials that the main process stored.
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		N8N_WEBHOOK_URL: `http://127.0.0.1:${ports.webhook}/`,
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${ports.main}/`,
		// Let only the webhook processor receive deliveries.
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// Use more than two connections, n8n's default, because simultaneous deliveries would time out while waiting
		// for one.
		DB_POSTGRESDB_POOL_SIZE: '10',
	};
}

/** Starts PostgreSQL with a password on a free loopback port. */
async function startPostgres(signal?: AbortSignal) {
	const installed = findPostgres();
	// Don't use the run's folder, because PostgreSQL's user might not be able to access it.
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
		const programs = user ? await copyPrograms(installed, folder.path) : installed;
		const passwordFile = join(folder.path, 'password');
		await writeFile(passwordFile, password);
		if (user) for (const path of [folder.path, passwordFile]) await chown(path, user.uid, user.gid);

		const options = { cwd: folder.path, env: { PATH: pathWithNode() }, ...user };
		await run(
			join(programs, 'initdb'),
			[
				'-D',
				data,
				'--username=n8n',
				`--pwfile=${passwordFile}`,
				'--auth=scram-sha-256',
				'--encoding=UTF8',
				'--locale=C',
				'--no-sync',
			],
			{ ...options, signal },
		);

		const logFile = join(folder.path, 'server.log');
		group = startGroup(
			join(programs, 'postgres'),
			// Disable socket files, which nobody uses and whose paths must be short.
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
			/** Runs a statement and returns its rows. `$1` is the first value. */
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

/** Starts Redis. The queue is kept only in memory, and is lost when Redis stops. */
async function startRedis(folder: string, signal?: AbortSignal) {
	const redis = await findRedis();
	const port = await freePort();
	const password = randomBytes(24).toString('hex');
	const dataFolder = join(folder, 'redis');
	await mkdir(dataFolder, { recursive: true });
	// Pass settings in a file, because any user on the machine can read a process's arguments.
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

/** Returns the user `nobody` if this process runs as root, because PostgreSQL does not run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	return { uid: 65_534, gid: 65_534 };
}

/**
 * Returns a folder with the programs that another user can run. Copies them if they are in the clone, whose folder
 * might be inaccessible.
 */
async function copyPrograms(programs: string, folder: string): Promise<string> {
	if (relative(root, programs).startsWith('..')) return programs;
	const copy = join(folder, 'programs');
	await cp(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
	return join(copy, 'bin');
}

async function isReady(logFile: string): Promise<boolean> {
	return /ready to accept connections/i.test(await readFile(logFile, 'utf8'));
}
