/** While the demo runs: reports what n8n does, and applies changes of the sources. */
import { execa } from 'execa';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinished } from '../testbed/activeWorkflow.mts';
import type { Environment } from '../testbed/environment.mts';
import { buildPackage, installPackage } from '../testbed/n8n/installPackage.mts';
import { itemsOf } from '../testbed/n8n/database.mts';
import { fromRoot, root } from '../testbed/paths.mts';
import type { Step } from '../testbed/progress.mts';

/**
 * Says a line about every execution that has finished, with the files that it wrote, until the signal
 * aborts or n8n ends. A schedule or poll that wrote no file is left out: they run every few seconds.
 */
export async function watch(
	{ n8n }: Environment,
	say: (line: string) => void,
	signal: AbortSignal,
): Promise<void> {
	const seen = new Set<number>();
	let hasEnded = false;
	void n8n.ended.then(() => (hasEnded = true));
	while (!signal.aborted) {
		if (hasEnded) throw new Error('n8n has ended by itself.');
		for (const execution of await n8n.executions()) {
			if (!isFinished(execution) || seen.has(execution.id)) continue;
			seen.add(execution.id);
			const { workflowName, mode, status, error, runs } = execution;
			const written = Object.keys(runs)
				.flatMap((node) => itemsOf<{ fileName?: unknown } | undefined>(execution, node))
				.flatMap((item) => (typeof item?.fileName === 'string' ? [item.fileName] : []));
			if (mode === 'trigger' && !error && written.length === 0) continue;
			const files = [...new Set(written)].map((name) => fromRoot(n8n.writtenFile(name)));
			const result = error ? `${status}: ${error.message}` : status;
			say([`${workflowName} (${mode}) ${result}`, ...files].join(' → '));
		}
		await sleep(1_000, undefined, { signal }).catch(() => undefined);
	}
}

/** Installs the package and restarts n8n on its data after each change that compiles. */
export async function followSources(
	{ n8n }: Environment,
	step: Step,
	signal: AbortSignal,
): Promise<void> {
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
		// The first compilation finds what the build has just made.
		if (!isFirst && line.includes('Found 0 errors')) {
			await step('Take up the change', async () => {
				await buildPackage(signal);
				await installPackage(n8n.folder, signal);
				await n8n.restart();
			});
		}
		isFirst = false;
	}
	if (!signal.aborted) await once(signal, 'abort');
}
