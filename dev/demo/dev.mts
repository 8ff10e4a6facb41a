/**
 * For work on the nodes: the demo, with n8n taking up every change of the sources.
 *
 *   npm run dev
 *
 * A compiler watches the sources. After each change that compiles, the package is installed again
 * and n8n is started anew on the same data, so that workflows and credentials stay.
 */
import { execa } from 'execa';
import { once } from 'node:events';
import { installN8n } from '../testbed/n8n/install.mts';
import { buildPackage, installPackage } from '../testbed/n8n/installPackage.mts';
import { demoFilesFolder, root } from '../testbed/paths.mts';
import { freePort } from '../testbed/ports.mts';
import { startProgress } from '../testbed/progress.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';
import { MAIN_JOB, buildEnvironment, type Environment } from '../testbed/environment.mts';
import { invite } from './watch.mts';

const step = startProgress();
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(name, () => (stopping.signal.aborted ? process.exit(1) : stopping.abort()));
}
const { signal } = stopping;
const folder = await makeRunFolder();
let environment: Environment | undefined;
try {
	await step("Install n8n's own packages", (note) => installN8n({ signal, note }));
	await step('Build the package', () => buildPackage(signal));
	environment = await buildEnvironment({
		folder: folder.path,
		step,
		signal,
		filesFolder: demoFilesFolder,
		reachesOthers: true,
		simulatorPort: await freePort(4010),
		n8nPort: await freePort(5678),
		scheduleSeconds: 20,
	});
	await environment.activateAll();
	console.log(invite(environment, MAIN_JOB));
	console.log(
		'Change nodes/, credentials/ or client/: n8n starts anew with it; then reload the editor.',
	);
	await followChanges(environment);
} catch (error) {
	if (!signal.aborted) {
		process.exitCode = 1;
		console.error((error as Error).message);
	}
} finally {
	await environment?.stop();
	await folder.discard();
}
process.exit();

/** Starts n8n anew after each change that compiles, until Ctrl-C. */
async function followChanges({ n8n }: Environment): Promise<void> {
	const compiler = execa('tsc', ['--watch', '--noEmit', '--preserveWatchOutput'], {
		cwd: root,
		preferLocal: true,
		cancelSignal: signal,
		reject: false,
	});
	let isFirst = true;
	for await (const line of compiler) {
		if (!line.includes('Found ')) {
			if (line.includes('error')) console.log(line);
			continue;
		}
		// The first compilation finds what the build has just made.
		if (!isFirst && line.includes('Found 0 errors')) {
			await step('Take up the change', async () => {
				await buildPackage(signal);
				await installPackage(folder.path, signal);
				await n8n.restart();
			});
		}
		isFirst = false;
	}
	if (!signal.aborted) await once(signal, 'abort');
}
