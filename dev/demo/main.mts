/** Runs the demo until Ctrl-C (`npm run demo`). `npm run dev` also applies changes to the sources. */
import { Eta } from 'eta';
import { execa } from 'execa';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seed } from '../simulator/index.mts';
import { checkMainJob } from '../testbed/mainJob.mts';
import { entryUrl, isFinished } from '../testbed/activeWorkflow.mts';
import {
	MAIN_JOB,
	buildEnvironment,
	credentialData,
	type Environment,
} from '../testbed/environment.mts';
import { itemsOf } from '../testbed/n8n/database.mts';
import { installN8n } from '../testbed/n8n/install.mts';
import { buildPackage, installPackage } from '../testbed/n8n/installPackage.mts';
import { owner } from '../testbed/n8n/n8n.mts';
import { callerHeader, formLogin } from '../testbed/otherSystems/index.mts';
import { fromRoot, root } from '../testbed/paths.mts';
import { freePort } from '../testbed/ports.mts';
import { logTail } from '../testbed/processGroup.mts';
import { findPostgres, findRedis } from '../testbed/programs.mts';
import { reportStep as step } from '../testbed/progress.mts';
import { checkQueue } from '../testbed/queue/check.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';

const usage = `Usage: npm run demo [-- options]

  --check         run unattended, check the results in n8n's database, and exit with 0 on success
  --queue         run n8n as a main process, a webhook processor, and two workers, with PostgreSQL
                  and Redis; --check then also kills a worker while 1,000 events arrive
  --follow        restart n8n after each change to the sources, as npm run dev does
  --port <port>   port of n8n's editor (default: 5678 if it is free)
  --no-build      use the existing package in dist/
  --help          show this text
`;

const options = readOptions();
const interrupted = new AbortController();
const { signal } = interrupted;
// Ctrl-C aborts a step in progress, and ends a running demo normally.
let isStaying = false;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(name, () => {
		const exitCode = 128 + constants.signals[name];
		// Do not wait after a second Ctrl-C. Started processes are killed on exit.
		if (signal.aborted) process.exit(exitCode);
		process.exitCode = isStaying ? 0 : exitCode;
		interrupted.abort();
	});
}

const folder = await makeRunFolder();
let environment: Environment | undefined;
try {
	const { check: isChecking, queue } = options;
	await step("Install n8n's own packages", (note) => installN8n({ signal, note }));
	// Report missing requirements before the long steps start.
	if (queue)
		await step('Find PostgreSQL and Redis', async () => [await findRedis(), findPostgres()]);
	if (!options['no-build']) await step('Build the package', () => buildPackage(signal));
	environment = await buildEnvironment({
		folder: folder.path,
		step,
		signal,
		queue,
		port: options.port,
		scheduleSeconds: isChecking && !queue ? 5 : 20,
		...(isChecking ? {} : await createPersonSettings()),
	});
	const work = isChecking ? check(environment) : keepRunning(environment);
	await Promise.race([work, once(signal, 'abort').then(() => signal.throwIfAborted())]);
} catch (error) {
	if (!signal.aborted) {
		process.exitCode = 1;
		console.error(`\nError: ${(error as Error).message}`);
		if (environment)
			console.error(`\nLast lines of n8n's log:\n${logTail(environment.n8n.logs())}`);
	}
} finally {
	await environment?.stop();
	await folder.discard();
}
// Exit even if a socket or timer is still open.
process.exit();

/** Returns settings for a person: ports that are easy to remember, and a visible folder for files. */
async function createPersonSettings() {
	const port = options.port ?? (await freePort(5678));
	const simulatorPort = await freePort(4010);
	return { filesFolder: join(root, 'demo-files'), reachesOthers: true, port, simulatorPort };
}

async function check(environment: Environment): Promise<void> {
	const say = (sentence: string) => console.log(`  ✓ ${sentence}`);
	console.log();
	await checkMainJob(environment, say);
	if (options.queue) await checkQueue(environment, 1000, say);
	console.log(`\nThe main job works${options.queue ? ', and so does the queue' : ''}.`);
}

async function keepRunning(environment: Environment): Promise<void> {
	await environment.activateAll();
	// Offer a recording only without a queue, because its workers do not share a folder for files.
	console.log(
		invitation(environment, options.queue ? undefined : await layOutRecording(environment)),
	);
	isStaying = true;
	await (options.follow ? followSources(environment) : watch(environment));
	console.log('\nStopping n8n and the simulated Portal.io.');
}

/**
 * Prints a line about every finished execution and its files, until the signal is aborted or n8n exits. Skips scheduled
 * executions that wrote no file, because they run every few seconds.
 */
async function watch({ n8n }: Environment): Promise<void> {
	const printedIds = new Set<number>();
	let hasEnded = false;
	void n8n.ended.then(() => (hasEnded = true));
	while (!signal.aborted) {
		if (hasEnded) throw new Error('n8n has stopped unexpectedly.');
		for (const execution of await n8n.executions()) {
			if (!isFinished(execution) || printedIds.has(execution.id)) continue;
			printedIds.add(execution.id);
			const { workflowName, mode, status, error, runs } = execution;
			const writtenNames = Object.keys(runs)
				.flatMap((node) => itemsOf<{ fileName?: unknown } | undefined>(execution, node))
				.flatMap((item) => (typeof item?.fileName === 'string' ? [item.fileName] : []));
			const isScheduled = mode === 'trigger' && MAIN_JOB.includes(workflowName);
			if (isScheduled && !error && writtenNames.length === 0) continue;
			const files = [...new Set(writtenNames)].map((name) => fromRoot(n8n.writtenFile(name)));
			const result = error ? `${status}: ${error.message}` : status;
			const text = [`${workflowName} (${mode}) ${result}`, ...files].join(' → ');
			console.log(`  ${new Date().toLocaleTimeString('en-GB')}  ${text}`);
		}
		await sleep(1_000, undefined, { signal }).catch(() => undefined);
	}
}

/** Installs the package and restarts n8n with its data after each change that compiles. */
async function followSources({ n8n }: Environment): Promise<void> {
	const compiler = execa('tsc', ['--watch', '--noEmit', '--preserveWatchOutput'], {
		cwd: root,
		preferLocal: true,
		cancelSignal: signal,
		reject: false,
	});
	let isFirst = true;
	for await (const line of compiler) {
		if (line.includes('error') && !line.includes('Found ')) console.log(line);
		if (!line.includes('Found ')) continue;
		// Skip the first compilation, because the build has already compiled the same sources.
		if (!isFirst && line.includes('Found 0 errors')) {
			await step('Install the change', async () => {
				await buildPackage(signal);
				await installPackage(n8n.folder);
				await n8n.restart();
			});
		}
		isFirst = false;
	}
	if (!signal.aborted) await once(signal, 'abort');
}

/** Activates the workflow for recordings, and creates a recording for people without one. */
async function layOutRecording({ n8n, workflows, simulator }: Environment) {
	const workflow = workflows['Walk-through recording to proposal']!;
	await n8n.activate(workflow);
	const file = join(n8n.filesFolder, 'walk-through.wav');
	await writeFile(file, randomBytes(100_000));
	const { number } = simulator.control.proposal(seed.proposals.empty);
	const form = entryUrl({ n8n }, workflow)!;
	return { workflow, form, number, file: fromRoot(file) };
}

function invitation(
	environment: Environment,
	recording?: Awaited<ReturnType<typeof layOutRecording>>,
) {
	const { simulator } = environment;
	const { baseUrl, appKey, secretKey, username, password } = credentialData(simulator);
	const eta = new Eta({ views: import.meta.dirname, autoEscape: false });
	const table = (rows: string[][]) => {
		const width = (column: number) => Math.max(24, ...rows.map((row) => row[column]!.length));
		const line = (row: string[]) => row.map((cell, column) => cell.padEnd(width(column))).join(' ');
		return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
	};
	return eta.render('./invitation', {
		...environment,
		owner,
		table,
		recording,
		login: { User: formLogin.user, Password: formLogin.password },
		header: callerHeader,
		isFollowing: options.follow,
		files: fromRoot(environment.n8n.filesFolder),
		published: [...MAIN_JOB, ...(recording ? [recording.workflow.name] : [])],
		submitted: simulator.control.proposal(seed.proposals.submitted),
		paid: simulator.control.proposal(seed.proposals.accepted),
		expiring: simulator.control.proposal(seed.proposals.viewed),
		entries: Object.values(environment.workflows).flatMap((one) => {
			const url = entryUrl(environment, one);
			return url === undefined ? [] : [[one.name, url]];
		}),
		account: {
			Environment: 'Custom',
			'Base URL': baseUrl,
			'Application Key': appKey,
			'Secret Key': secretKey,
			Email: username,
			Password: password,
		},
	});
}

function readOptions() {
	try {
		const { values } = parseArgs({
			options: {
				check: { type: 'boolean', default: false },
				queue: { type: 'boolean', default: false },
				follow: { type: 'boolean', default: false },
				'no-build': { type: 'boolean', default: false },
				port: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		});
		if (values.help) {
			console.log(usage);
			process.exit();
		}
		const port = values.port === undefined ? undefined : Number(values.port);
		if (port !== undefined && !(port > 0 && port < 65_536)) {
			throw new Error(`'${values.port}' is not a port.`);
		}
		return { ...values, port };
	} catch (error) {
		console.error(`${(error as Error).message}\n\n${usage}`);
		process.exit(2);
	}
}
