/**
 * PostgreSQL and Redis, real ones, for one run: on free ports of the loopback interface, with
 * passwords and data folders that are thrown away at the end.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathWithNode, startGroup } from '../commands.mts';
import type { Group, GroupOptions } from '../commands.mts';
import { freePort } from '../ports.mts';
import { makeRunFolder } from '../runs.mts';
import { findPrograms } from './programs.mts';
import type { Programs } from './programs.mts';

/** A running PostgreSQL. */
export interface Postgres extends Server {
	/** Runs one statement and gives its rows; `:'name'` in it stands for a value, quoted by psql. */
	rows<T>(statement: string, values?: Record<string, string>): T[];
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
	const programs = findPrograms();
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
			programs.postgres,
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
		const rows = <T,>(statement: string, values: Record<string, string> = {}): T[] =>
			query(programs, { port, password }, statement, values) as T[];
		// It listens a moment before it lets anybody in.
		const isReady = async () => (await isListening(port)) && succeeds(() => rows('SELECT 1'));
		await untilReady('PostgreSQL', isReady, group, logFile, signal);
		return {
			settings: {
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: host,
				DB_POSTGRESDB_PORT: String(port),
				DB_POSTGRESDB_DATABASE: 'postgres',
				DB_POSTGRESDB_USER: 'n8n',
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
	const { redis } = findPrograms();
	const port = await freePort();
	const password = randomBytes(24).toString('hex');
	const dataFolder = join(folder, 'redis');
	await mkdir(dataFolder, { recursive: true });
	// A file and not arguments: those of a process can be read by everybody.
	const configuration = join(dataFolder, 'redis.conf');
	const lines = [`bind ${host}`, `port ${port}`, `requirepass ${password}`, 'save ""'];
	await writeFile(configuration, `${lines.join('\n')}\n`, { mode: 0o600 });
	const logFile = join(dataFolder, 'server.log');
	const group = startServer(redis, [configuration], { cwd: dataFolder, env: {} }, logFile);
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
 * PostgreSQL refuses to run as root. Debian's package brings a user for it; the folder becomes its
 * own. Anybody else runs it under their own name.
 */
async function owner(folder: string): Promise<{ uid?: number; gid?: number }> {
	if (process.getuid?.() !== 0) return {};
	const [uid, gid] = ['-u', '-g'].map((what) => Number(execFileSync('id', [what, 'postgres'])));
	await chown(folder, uid!, gid!);
	await chmod(folder, 0o700);
	return { uid, gid };
}

async function initialise(
	{ initdb }: Programs,
	folder: string,
	password: string,
	options: GroupOptions,
) {
	const passwordFile = join(folder, 'password');
	await writeFile(passwordFile, password, { mode: 0o600 });
	if (options.uid !== undefined) await chown(passwordFile, options.uid, options.gid!);
	const group = startGroup(
		initdb,
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
	const env = { PATH: pathWithNode() };
	const group = startGroup(program, args, { ...options, env, extendEnv: false, output });
	closeSync(output);
	return group;
}

/**
 * psql and not a client library: what is asked here is little, and an answer at once lets the same
 * checks read PostgreSQL and SQLite, which Node reads at once too.
 */
function query(
	{ psql }: Programs,
	{ port, password }: { port: number; password: string },
	statement: string,
	values: Record<string, string>,
): unknown[] {
	const variables = Object.entries(values).map(([name, value]) => `--set=${name}=${value}`);
	const answer = execFileSync(
		psql,
		[
			...['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1'],
			...variables,
			`postgresql://n8n@${host}:${port}/postgres`,
		],
		{
			input: `SELECT coalesce(json_agg(answer), '[]') FROM (${statement}) AS answer;`,
			env: { PGPASSWORD: password, PATH: process.env.PATH },
			maxBuffer: 1024 ** 3,
			encoding: 'utf8',
			// What it says of an error is in the error that is thrown.
			stdio: 'pipe',
		},
	);
	return JSON.parse(answer);
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
