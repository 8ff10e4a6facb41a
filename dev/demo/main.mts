/**
 * The demo: somebody with nothing but a clone watches a real n8n do the job this package exists for.
 *
 *   npm run demo                 set everything up, then stay until Ctrl-C
 *   npm run demo -- --check      the same unattended: exit code 0 only if n8n really did its job
 *   npm run demo -- --queue      either of them with n8n spread over several processes
 */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkMainJob } from '../testbed/acceptedProposal/check.mts';
import { checkRecordings } from './checkRecordings.mts';
import { installN8n } from '../testbed/n8n/install.mts';
import { buildPackage } from '../testbed/n8n/installPackage.mts';
import { logTail } from '../testbed/processGroup.mts';
import { demoFilesFolder } from '../testbed/paths.mts';
import { freePort } from '../testbed/ports.mts';
import { startProgress } from '../testbed/progress.mts';
import { checkQueue } from '../testbed/queue/check.mts';
import { findPostgres, findRedis } from '../testbed/programs.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';
import { makeRecording } from '../testbed/recording.mts';
import {
	MAIN_JOB,
	RECORDINGS,
	buildEnvironment,
	type Environment,
} from '../testbed/environment.mts';
import { invite, watch } from './watch.mts';

const usage = `Usage: npm run demo [-- options]

  --check         do everything unattended, check it in n8n's database, and exit
  --queue         n8n as a main process, a webhook processor and two workers, with PostgreSQL
                  and Redis; --check then also kills a worker while 1,000 events come in
  --port <port>   the port of n8n's editor (5678 unless it is taken)
  --no-build      take the package from dist/ as it is
  --help          show this text
`;

interface Options {
	check: boolean;
	queue: boolean;
	build: boolean;
	port: number | undefined;
}

const options = readOptions();
const interrupted = new AbortController();
// What Ctrl-C means: giving up while something is being done, a normal end while the demo stays.
let isStaying = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		const exitCode = 128 + constants.signals[signal];
		// Asked twice, the end must not wait for anything. What was started is killed at exit.
		if (interrupted.signal.aborted) process.exit(exitCode);
		process.exitCode = isStaying ? 0 : exitCode;
		interrupted.abort();
	});
}
await main();

async function main() {
	const { signal } = interrupted;
	const step = startProgress();
	const folder = await makeRunFolder();
	let environment: Environment | undefined;
	try {
		await step("Install n8n's own packages", (note) => installN8n({ signal, note }));
		// What is missing is said before the long steps start.
		if (options.queue) await step('Find PostgreSQL and Redis', findServers);
		if (options.build) await step('Build the package', () => buildPackage(signal));
		const { queue } = options;
		environment = await buildEnvironment({
			folder: folder.path,
			step,
			signal,
			queue,
			...(await pace()),
		});
		await orInterrupted(options.check ? check(environment) : stay(environment));
	} catch (error) {
		if (!signal.aborted) report(error as Error, environment);
	} finally {
		await environment?.stop();
		await folder.discard();
	}
	// An open socket or timer somewhere must not keep the command from ending.
	process.exit();
}

async function findServers() {
	await findRedis();
	findPostgres();
}

/** The work, given up when Ctrl-C is pressed. */
async function orInterrupted(work: Promise<void>) {
	const { signal } = interrupted;
	await Promise.race([work, once(signal, 'abort').then(() => signal.throwIfAborted())]);
}

/** What suits a person who watches: ports that are easy to remember, files in sight, time to look. */
async function pace() {
	if (options.check) {
		// With several workers, a night that takes longer than the schedule meets the next one.
		return { n8nPort: options.port, scheduleSeconds: options.queue ? 20 : 5 };
	}
	return {
		filesFolder: demoFilesFolder,
		reachesOthers: true,
		simulatorPort: await freePort(4010),
		n8nPort: options.port ?? (await freePort(5678)),
		scheduleSeconds: 20,
	};
}

function say(sentence: string) {
	console.log(`  ✓ ${sentence}`);
}

async function check(environment: Environment) {
	console.log();
	await checkMainJob(environment, say);
	if (options.queue) await checkQueue(environment, 1000, say);
	// Its workers share no folder, which files need.
	else await checkRecordings(environment, say);
	console.log(`\nThe main job works${options.queue ? ', and so does the queue' : ''}.`);
}

async function stay(environment: Environment) {
	await environment.activateAll();
	const recording = options.queue ? undefined : await layOutRecording(environment);
	const published = [...MAIN_JOB, ...(recording ? [RECORDINGS.waiting] : [])];
	console.log(invite(environment, published, recording));
	isStaying = true;
	const line = (text: string) =>
		console.log(`  ${new Date().toLocaleTimeString('en-GB')}  ${text}`);
	await watch(environment, line, interrupted.signal);
	console.log('\nEnding n8n and the simulated Portal.io.');
}

/** Activates what takes recordings, and makes one for whoever has none at hand. Gives its path. */
async function layOutRecording({ n8n, workflows }: Environment): Promise<string> {
	await n8n.activate(workflows[RECORDINGS.waiting]!);
	const file = join(n8n.filesFolder, 'walk-through.wav');
	await writeFile(file, makeRecording());
	return file;
}

function report(error: Error, environment: Environment | undefined) {
	process.exitCode = 1;
	console.error(`\nThis went wrong: ${error.message}`);
	if (environment) console.error(`\nThe end of n8n's log:\n${logTail(environment.n8n.logs())}`);
}

function readOptions(): Options {
	try {
		const { values } = parseArgs({
			options: {
				check: { type: 'boolean', default: false },
				queue: { type: 'boolean', default: false },
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
		return { check: values.check, queue: values.queue, build: !values['no-build'], port };
	} catch (error) {
		console.error(`${(error as Error).message}\n\n${usage}`);
		process.exit(2);
	}
}
