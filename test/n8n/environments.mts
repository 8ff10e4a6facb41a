/** Where the tests of this folder run: a real n8n with the package, and a simulated Portal.io. */
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
import { atEnd } from './atEnd.mts';
import { expectNoSecrets } from './noSecrets.mts';

/** Started by the first that asks for it. */
let running: Promise<Environment> | undefined;

type Settings = Record<string, string>;

/**
 * The environment that most files share, as starting n8n takes longer than most tests. A file has to leave
 * no workflow active; what else it changes must not matter to the other files.
 */
export function sharedEnvironment(): () => Environment {
	let environment: Environment;
	beforeAll(async () => {
		environment = await (running ??= start());
	});
	afterAll(async () => {
		await expectUnharmed(environment);
		expect(environment.simulator.control.subscriptions()).toEqual([]);
	});
	return () => environment;
}

/**
 * The same n8n with a service of its own that nobody else has changed, and with the named examples.
 * A file that kills n8n or needs other settings belongs in test/restarts.
 */
export function ownEnvironment({
	scheduleSeconds,
	examples = [],
	settings,
}: { scheduleSeconds?: number; examples?: string[]; settings?: Settings } = {}): () => Environment {
	let environment: Environment | undefined;
	beforeAll(async () => {
		const { n8n, tables, others, otherCredentials } = await (running ??= start(settings));
		// Those of the file that started it: with others, tests could pass that prove nothing.
		expect(n8n.settings()).toMatchObject({ ...settings });
		others.reset();
		await emptyTables(n8n, tables);
		const service = await startService();
		const there = { tables, others, otherCredentials };
		environment = await createExamples(service, n8n, { scheduleSeconds, examples, ...there });
	});
	afterAll(async () => {
		if (!environment) return;
		const { n8n, credential, simulator } = environment;
		try {
			await expectUnharmed(environment);
		} finally {
			// The editor would choose it for new nodes of other files, and its service is gone.
			await n8n.rest('DELETE', `/credentials/${credential.id}`);
			await simulator.stop();
		}
	});
	return () => environment!;
}

/** Forgets what other files have done, as the proposals of every service have the same IDs. */
async function emptyTables(n8n: N8n, tables: Environment['tables']): Promise<void> {
	const { id: project } = await n8n.rest<{ id: string }>('GET', '/projects/personal');
	const all = { filters: [{ columnName: 'id', condition: 'isNotEmpty', value: null }] };
	const filter = encodeURIComponent(JSON.stringify(all));
	for (const table of Object.values(tables)) {
		await n8n.rest('DELETE', `/projects/${project}/data-tables/${table}/rows?filter=${filter}`);
	}
}

async function expectUnharmed(environment: Environment): Promise<void> {
	const { n8n, simulator } = environment;
	const active = await n8n.activeWorkflows();
	// For the next file: only this one shall fail.
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
		// Those who need some ask for them.
		examples: [],
	});
	atEnd.push(async () => {
		await environment.stop();
		await folder.discard();
	});
	return environment;
}
