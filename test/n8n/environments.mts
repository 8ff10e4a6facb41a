/** Provides the environment of this folder's tests: a real n8n with the package, and a simulated Portal.io. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { installN8n } from '../../dev/testbed/n8n/install.mts';
import type { N8n } from '../../dev/testbed/n8n/n8n.mts';
import { lean, withoutEditor } from '../../dev/testbed/n8n/process.mts';
import { root } from '../../dev/testbed/paths.mts';
import { makeRunFolder } from '../../dev/testbed/tempFolder.mts';
import {
	createExamples,
	buildEnvironment,
	startService,
	type Environment,
} from '../../dev/testbed/environment.mts';
import { cleanups } from './cleanups.mts';
import { expectNoSecrets } from './noSecrets.mts';

/** Environment that the first file started. */
let running: Promise<Environment> | undefined;

type Settings = Record<string, string>;

/**
 * Returns the environment that most files share, because starting n8n takes longer than most tests. A file must leave
 * no workflow active, and its other changes must not affect other files.
 */
export function sharedEnvironment(): () => Environment {
	let environment: Environment;
	beforeAll(async () => {
		environment = await (running ??= start());
	});
	afterAll(async () => {
		await expectNoTraces(environment);
		expect(environment.simulator.control.subscriptions()).toEqual([]);
	});
	return () => environment;
}

/**
 * Returns the shared n8n with a new Portal.io and the named examples. Tests that kill n8n or need other
 * settings belong in test/restarts.
 */
export function ownEnvironment({
	scheduleSeconds,
	examples = [],
	settings,
}: { scheduleSeconds?: number; examples?: string[]; settings?: Settings } = {}): () => Environment {
	let environment: Environment | undefined;
	beforeAll(async () => {
		const { n8n, tables, others, otherCredentials } = await (running ??= start(settings));
		// Expect the settings of the file that started n8n. With other settings, tests could pass without proving
		// anything.
		expect(n8n.settings()).toMatchObject({ ...settings });
		others.reset();
		await clearTables(n8n, tables);
		const service = await startService();
		const existing = { tables, others, otherCredentials };
		environment = await createExamples(service, n8n, { scheduleSeconds, examples, ...existing });
	});
	afterAll(async () => {
		if (!environment) return;
		const { n8n, credential, simulator } = environment;
		try {
			await expectNoTraces(environment);
		} finally {
			// Delete the credential. Otherwise, the editor would choose it for new nodes in other files, although its
			// service is gone.
			await n8n.rest('DELETE', `/credentials/${credential.id}`);
			await simulator.stop();
		}
	});
	return () => environment!;
}

/**
 * Removes the rows that other files have added to the data tables. All services use the same proposal IDs, so the rows
 * would apply to this file's proposals.
 */
async function clearTables(n8n: N8n, tables: Environment['tables']): Promise<void> {
	const { id: project } = await n8n.rest<{ id: string }>('GET', '/projects/personal');
	const all = { filters: [{ columnName: 'id', condition: 'isNotEmpty', value: null }] };
	const filter = encodeURIComponent(JSON.stringify(all));
	for (const table of Object.values(tables)) {
		await n8n.rest('DELETE', `/projects/${project}/data-tables/${table}/rows?filter=${filter}`);
	}
}

async function expectNoTraces(environment: Environment): Promise<void> {
	const { n8n, simulator } = environment;
	const active = await n8n.activeWorkflows();
	// Deactivate the workflows, so the next file does not fail as well.
	for (const workflow of active) await n8n.deactivate(workflow);
	expect(active.map(({ name }) => name)).toEqual([]);
	expect(simulator.control.contractViolations).toEqual([]);
	await expectNoSecrets(environment);
}

async function start(settings?: Settings): Promise<Environment> {
	if (!existsSync(join(root, 'dist'))) throw new Error('Run `npm run build` first.');
	await installN8n();
	const folder = await makeRunFolder();
	const environment = await buildEnvironment({
		folder: folder.path,
		step: (_title, work) => work(() => {}),
		settings: { ...lean, ...withoutEditor, ...settings },
		// Files that need examples create them.
		examples: [],
	});
	cleanups.push(async () => {
		await environment.stop();
		await folder.discard();
	});
	return environment;
}
