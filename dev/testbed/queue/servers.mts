/**
 * PostgreSQL and Redis, real ones, for one run: on free ports of the loopback interface, with
 * passwords and data folders that are thrown away at the end.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSyncFn } from 'synckit';
import { pathWithNode, startGroup, type Group, type GroupOptions } from '../processGroup.mts';
import { root } from '../paths.mts';
import { freePort } from '../ports.mts';
import { findPostgres } from '../programs/postgres.mts';
import { findRedis } from '../programs/redis.mts';
import { makeRunFolder } from '../tempFolder.mts';
import type { query } from './query.mts';

/** A running PostgreSQL. */
export interface Postgres extends Server {
	/** Runs one statement and gives its rows; `$1` in it stands for the first value. */
	rows<T>(statement: string, values?: string[]): T[];
}

/** A running server and how n8n reaches it. */
export interface Server {
	/** What an n8n has to be told of it. */
	settings: Record<string, string>;
	stop(): Promise<void>;
}

const host = '127.0.0.1';
const startTimeoutMs = 60_000;

/** Starts PostgreSQL with an empty database. */
export async function startPostgres(signal?: AbortSignal): Promise<Postgres> {
	const installed = await findPostgres();
	// Not in the folder of the run: the user that PostgreSQL runs as may not reach it.
	const folder = await makeRunFolder({ parent: tmpdir(), prefix: 'n8n-portal-io-postgres-' });
	const port = await freePort();
	const password = randomBytes(24).toString('hex');
	let group: Group | undefined;
	const stop = async () => {
		await group?.end(20_000);
		await folder.discard();
	};
	try {
		const user = await owner(folder.path);
		const programs = user.uid === undefined ? installed : await reachable(installed, folder.path);
		const common: GroupOptions = { cwd: folder.path, env: {}, ...user };
		await initialise(programs, folder.path, password, common);
		signal?.throwIfAborted();
		const settings = {
			listen_addresses: host,
			port: String(port),
			// Nobody comes by that way, and the paths of sockets may not be long.
			unix_socket_directories: '',
		};
		const logFile = join(folder.path, 'server.log');
		group = startServer(
			join(programs, 'postgres'),
			[
				'-D',
				join(folder.path, 'data'),
				...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
			],
			// Asked by SIGINT it closes its connections instead of waiting for their ends; killed by
			// SIGKILL it would leave shared memory behind, which SIGQUIT does not.
			{ ...common, stopSignal: 'SIGINT', lastSignal: 'SIGQUIT' },
			logFile,
		);
		const server = { host, port, user: 'n8n', password, database: 'postgres' };
		// Answers at once, as SQLite does: the same checks read both.
		const ask = createSyncFn<typeof query>(join(import.meta.dirname, 'query.mts'));
		const rows = <T,>(statement: string, values: string[] = []): T[] =>
			ask(server, statement, values) as T[];
		// It listens a moment before it lets anybody in.
		const isReady = async () => (await isListening(port)) && succeeds(() => rows('SELECT 1'));
		await untilReady('PostgreSQL', isReady, group, logFile, signal);
		return {
			settings: {
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: host,
				DB_POSTGRESDB_PORT: String(port),
				DB_POSTGRESDB_DATABASE: server.database,
				DB_POSTGRESDB_USER: server.user,
				DB_POSTGRESDB_PASSWORD: password,
			},
			rows,
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
	const options = { cwd: dataFolder, env: redis.env };
	const group = startServer(redis.file, [configuration], options, logFile);
	const stop = () => group.end(10_000);
	try {
		await untilReady('Redis', () => isListening(port), group, logFile, signal);
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		settings: {
			QUEUE_BULL_REDIS_HOST: host,
			QUEUE_BULL_REDIS_PORT: String(port),
			QUEUE_BULL_REDIS_PASSWORD: password,
		},
		stop,
	};
}

/**
 * PostgreSQL refuses to run as root, and gets a user that every system has and that owns nothing. The
 * folder becomes its own. Anybody else runs it under their own name.
 */
async function owner(folder: string): Promise<{ uid?: number; gid?: number }> {
	if (process.getuid?.() !== 0) return {};
	const [uid, gid] = ['-u', '-g'].map((what) => Number(execFileSync('id', [what, 'nobody'])));
	await chown(folder, uid!, gid!);
	await chmod(folder, 0o700);
	return { uid, gid };
}

/** Programs that another user can run: the clone may be in a folder that is closed to others. */
async function reachable(programs: string, folder: string): Promise<string> {
	if (relative(root, programs).startsWith('..')) return programs;
	const copy = join(folder, 'programs');
	await cp(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
	return join(copy, 'bin');
}

async function initialise(
	programs: string,
	folder: string,
	password: string,
	options: GroupOptions,
) {
	const passwordFile = join(folder, 'password');
	await writeFile(passwordFile, password, { mode: 0o600 });
	if (options.uid !== undefined) await chown(passwordFile, options.uid, options.gid!);
	const group = startGroup(
		join(programs, 'initdb'),
		[
			...['-D', join(folder, 'data'), '--username=n8n', `--pwfile=${passwordFile}`],
			...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'],
		],
		options,
	);
	const { failed, all } = await group.ended;
	if (failed) throw new Error(`PostgreSQL's data folder could not be made:\n${all}`);
}

function startServer(program: string, args: string[], options: GroupOptions, logFile: string) {
	const output = openSync(logFile, 'a');
	const env = { PATH: pathWithNode(), ...options.env };
	const group = startGroup(program, args, { ...options, env, extendEnv: false, output });
	closeSync(output);
	return group;
}

async function untilReady(
	name: string,
	isReady: () => Promise<boolean>,
	group: Group,
	logFile: string,
	signal?: AbortSignal,
) {
	let hasEnded = false;
	void group.ended.then(() => {
		hasEnded = true;
	});
	const deadline = Date.now() + startTimeoutMs;
	while (!(await isReady())) {
		signal?.throwIfAborted();
		if (hasEnded || Date.now() > deadline) {
			throw new Error(`${name} did not start:\n${readFileSync(logFile, 'utf8')}`);
		}
		await sleep(100);
	}
}

async function isListening(port: number): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const socket = connect(port, host);
	socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
	const isOpen = await promise;
	socket.destroy();
	return isOpen;
}

function succeeds(work: () => unknown): boolean {
	try {
		work();
		return true;
	} catch {
		return false;
	}
}
