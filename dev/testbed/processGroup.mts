/** Runs the demo's programs (npm, tar, n8n), and makes sure that none of them outlives it. */
import { execa } from 'execa';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { until } from './until.mts';

export interface GroupOptions {
	cwd: string;
	/** Complete environment of the program, which inherits nothing from the developer's environment. */
	env: NodeJS.ProcessEnv;
	/** File for the program's output. */
	logFile: string;
	/** User that the program runs as, which requires root. */
	uid?: number;
	gid?: number;
}

export type Group = ReturnType<typeof startGroup>;

// End the process group explicitly, because neither Ctrl-C nor an uncaught error in this process would end it.
const leaders = new Set<number>();
process.on('exit', () => leaders.forEach((leader) => signalGroup(leader, 'SIGKILL')));
// Add a listener, or a signal would end this process without its 'exit' event.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(name, () => {
		if (process.listenerCount(name) === 1) process.exit(128 + constants.signals[name]);
	});
}
// End when Vitest is interrupted, because Vitest doesn't end the processes that run its tests.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));

/** Returns the PATH with a Node in front, by default the one that runs this file. */
export function pathWithNode(node: string = process.execPath): string {
	return [dirname(node), process.env.PATH].filter(Boolean).join(delimiter);
}

/** Starts a program in its own process group, which Ctrl-C does not reach. */
export function startGroup(program: string, args: string[], { logFile, ...options }: GroupOptions) {
	// Use a descriptor instead of a pipe. If this process were killed, the program would spin on the broken
	// pipe. execa's types only support descriptors up to 9.
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
		// Kill processes that the leader has left behind.
		signalGroup(leader, 'SIGKILL');
		leaders.delete(leader!);
	});
	return {
		pid: leader,
		ended,
		isRunning: () => leaders.has(leader!),
		/** Ends the program and its processes, by force after the grace period. */
		async end(graceMs = 10_000) {
			signalGroup(leader, 'SIGTERM');
			const force = setTimeout(() => signalGroup(leader, 'SIGKILL'), graceMs);
			await ended;
			clearTimeout(force);
		},
		/** Kills the program and its processes immediately, as a power cut would. */
		async kill() {
			signalGroup(leader, 'SIGKILL');
			await ended;
		},
	};
}

/** Waits until a program is ready. If the program ends first, fails with the end of its log. */
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
		// Allow more time, because n8n takes minutes with a new database on a busy machine.
		await until(`${name} to start`, check, 300_000);
	} catch (error) {
		await group.end(30_000);
		signal?.throwIfAborted();
		const log = logTail(readFileSync(logFile, 'utf8'));
		throw new Error(`${(error as Error).message}\n${log}`, { cause: error });
	}
}

export function logTail(log: string): string {
	// Omit migrations, because with a new database, n8n logs two lines for each of about 250 migrations.
	const worthReading = log
		.split('\n')
		.filter((line) => !/(Starting|Finished) migration/.test(line));
	return worthReading.slice(-40).join('\n').trim();
}

interface RunOptions extends Pick<GroupOptions, 'cwd' | 'uid' | 'gid'> {
	env?: Record<string, string>;
	signal?: AbortSignal;
}

/** Runs a program to its end. Returns its standard output. */
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
	throw new Error(`"${result.command}" failed:\n${lastLines || result.shortMessage}`);
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals) {
	try {
		if (leader !== undefined && leaders.has(leader)) process.kill(-leader, signal);
	} catch (error) {
		// Ignore ESRCH, which means that all of the group's processes have already ended.
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}
