/** Runs the programs that the demo needs (npm, tar, n8n) so that nothing of them outlives it. */
import { execa } from 'execa';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { until } from './until.mts';

export interface GroupOptions {
	cwd: string;
	/** All of its environment: nothing of the developer's may reach it. */
	env: NodeJS.ProcessEnv;
	/** A file that gets all that the program writes. */
	logFile: string;
	/** The user that the program runs as; needs the rights of root. */
	uid?: number;
	gid?: number;
}

export type Group = ReturnType<typeof startGroup>;

// A group of its own hears nothing of the end of this process: neither Ctrl-C nor an uncaught error
// would end it.
const leaders = new Set<number>();
process.on('exit', () => leaders.forEach((leader) => signalGroup(leader, 'SIGKILL')));
// A signal that nobody else listens to ends a process without its 'exit'.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(name, () => {
		if (process.listenerCount(name) === 1) process.exit(128 + constants.signals[name]);
	});
}
// Interrupted, Vitest ends without the processes in which its tests run: they would go on.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));

/** The PATH with a Node in front, by default the one that runs this file. */
export function pathWithNode(node: string = process.execPath): string {
	return [dirname(node), process.env.PATH].filter(Boolean).join(delimiter);
}

/** Starts a program in a process group of its own, which Ctrl-C does not reach. */
export function startGroup(program: string, args: string[], { logFile, ...options }: GroupOptions) {
	// A descriptor and not a pipe: should this process be killed, the program would spin on the broken
	// pipe. The types of execa know descriptors up to 9 only.
	const log = openSync(logFile, 'a');
	const sink = log as unknown as 'pipe';
	const running = execa(program, args, {
		...options,
		extendEnv: false,
		stdin: 'ignore',
		stdout: sink,
		stderr: sink,
		detached: true,
		reject: false,
	});
	closeSync(log);
	const leader = running.pid;
	if (leader !== undefined) leaders.add(leader);
	const ended = running.then(() => {
		// Processes that the leader has left behind.
		signalGroup(leader, 'SIGKILL');
		leaders.delete(leader!);
	});
	return {
		pid: leader,
		ended,
		isRunning: () => leaders.has(leader!),
		/** Ends the program and all that it started: politely, and by force after the grace period. */
		async end(graceMs = 10_000) {
			signalGroup(leader, 'SIGTERM');
			const force = setTimeout(() => signalGroup(leader, 'SIGKILL'), graceMs);
			await ended;
			clearTimeout(force);
		},
		/** Ends the program and all that it started at once, as a power cut would. */
		async kill() {
			signalGroup(leader, 'SIGKILL');
			await ended;
		},
	};
}

/** Waits until a program is ready; fails with the end of its log when it has ended before. */
export async function untilReady(
	name: string,
	group: Group,
	isReady: () => Promise<boolean>,
	logFile: string,
	signal?: AbortSignal,
): Promise<void> {
	const check = async () => {
		signal?.throwIfAborted();
		if (!group.isRunning()) throw new Error(`${name} ended while it was starting.`);
		return (await isReady()) || undefined;
	};
	try {
		// With a new database, n8n takes minutes on a busy machine.
		await until(`${name} to start`, check, 300_000);
	} catch (error) {
		await group.end(30_000);
		signal?.throwIfAborted();
		const log = logTail(readFileSync(logFile, 'utf8'));
		throw new Error(`${(error as Error).message}\n${log}`, { cause: error });
	}
}

export function logTail(log: string): string {
	// With a new database, n8n logs two lines for each of some 250 migrations.
	const worthReading = log
		.split('\n')
		.filter((line) => !/(Starting|Finished) migration/.test(line));
	return worthReading.slice(-40).join('\n').trim();
}

interface RunOptions extends Pick<GroupOptions, 'cwd' | 'uid' | 'gid'> {
	env?: Record<string, string>;
	signal?: AbortSignal;
}

/** Runs a program to its end and returns what it wrote to its standard output. */
export async function run(
	program: string,
	args: string[],
	{ env, signal, ...options }: RunOptions,
): Promise<string> {
	signal?.throwIfAborted();
	const result = await execa(program, args, {
		...options,
		env: { PATH: pathWithNode(), ...env },
		stdin: 'ignore',
		all: true,
		reject: false,
		cancelSignal: signal,
		forceKillAfterDelay: 2_000,
	});
	signal?.throwIfAborted();
	if (!result.failed) return result.stdout;
	const lastLines = result.all.split('\n').slice(-25).join('\n');
	throw new Error(`"${result.command}" did not succeed:\n${lastLines || result.shortMessage}`);
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals) {
	try {
		if (leader !== undefined && leaders.has(leader)) process.kill(-leader, signal);
	} catch (error) {
		// No such group: all of it has ended already.
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}
