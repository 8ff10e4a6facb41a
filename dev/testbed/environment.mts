/** Starts the simulated services and a real n8n with the package, credentials, and examples. */
import { mkdir } from 'node:fs/promises';
import { seed, startSimulator, type Simulator } from '../simulator/index.mts';
import { installPackage } from './n8n/installPackage.mts';
import {
	startN8n,
	createOwner,
	type N8n,
	type StoredCredential,
	type StoredWorkflow,
} from './n8n/n8n.mts';
import type { N8nProcessOptions } from './n8n/process.mts';
import { startOtherSystems, type OtherSystems } from './otherSystems/index.mts';
import type { Step } from './progress.mts';
import { startCluster, type Cluster } from './queue/cluster.mts';
import { adapt, readExamples, findTables } from './workflows.mts';

/** Examples of the main job, which the demo activates. Other examples would do the same work twice. */
export const MAIN_JOB = ['Proposal accepted', 'Nightly cost refresh'];

interface EnvironmentOptions extends N8nProcessOptions {
	step: Step;
	simulatorPort?: number;
	/**
	 * Interval of the nightly workflow in seconds, from 1 to 59. Without an interval, the workflow never runs by
	 * itself.
	 */
	scheduleSeconds?: number | undefined;
	examples?: string[];
	/** Whether n8n runs in several processes, with PostgreSQL and Redis between them. */
	queue?: boolean;
	/** Whether n8n can reach services that aren't simulated, as somebody trying the demo might want. */
	reachesOthers?: boolean;
}

export type Environment = Awaited<ReturnType<typeof createExamples>> & {
	cluster?: Cluster;
};

type Tables = Record<string, string>;

/** Returns the workflows' account in the credential's format. */
export function credentialData({ url }: { url: string }): Record<string, string> {
	const { appKey, secretKey, username, password } = seed.dealer;
	return { environment: 'custom', baseUrl: url, appKey, secretKey, username, password };
}

export async function buildEnvironment(options: EnvironmentOptions): Promise<Environment> {
	const { folder, step, simulatorPort } = options;
	await mkdir(folder, { recursive: true });
	const simulator = await step('Start the simulated Portal.io', () => startService(simulatorPort));
	let others: OtherSystems | undefined;
	let n8n: N8n | undefined;
	try {
		others = await step('Start the simulated other systems', () =>
			startOtherSystems(folder, options.reachesOthers),
		);
		const settings = { ...others.settings, ...options.settings };
		const started = await start({ ...options, settings });
		n8n = started.n8n;
		const existing = { ...options, others };
		const created = await step('Create the credentials and the example workflows', () =>
			createExamples(simulator, started.n8n, existing),
		);
		return { ...created, cluster: started.cluster };
	} catch (error) {
		await n8n?.stop();
		await others?.stop();
		await simulator.stop();
		throw error;
	}
}

/** Starts a simulated Portal.io with short waiting times. */
export async function startService(port?: number): Promise<Simulator> {
	return await startSimulator({
		port,
		aiStepSeconds: 0.5,
		// Retry after seconds instead of minutes.
		webhookRetrySeconds: [1, 5, 30, 120, 720],
		// Wait longer for responses, so the service doesn't deliver twice on a busy machine.
		webhookTimeoutMs: 120_000,
	});
}

async function start(options: EnvironmentOptions): Promise<{ n8n: N8n; cluster?: Cluster }> {
	const { folder, step } = options;
	if (options.queue) {
		const cluster = await startCluster(options);
		return { n8n: await createOwner(options, cluster, cluster.query), cluster };
	}
	await step('Install the package in n8n as a community package', () => installPackage(folder));
	return { n8n: await step('Start n8n', () => startN8n(options)) };
}

interface ExamplesOptions extends Pick<EnvironmentOptions, 'scheduleSeconds' | 'examples'> {
	/** IDs of the existing data tables, by name. The IDs of new tables are added. */
	tables?: Tables;
	others: OtherSystems;
	/** Credentials of the other systems, if n8n already has them. */
	otherCredentials?: StoredCredential[];
}

export async function createExamples(
	simulator: Simulator,
	n8n: N8n,
	{ scheduleSeconds, examples, ...there }: ExamplesOptions,
) {
	const credential = await n8n.createCredential(
		'Portal.io (simulated)',
		'portalIoApi',
		credentialData(simulator),
	);
	const { others, tables = {} } = there;
	const otherCredentials = there.otherCredentials ?? (await createCredentials(n8n, others));
	const context = { credential, scheduleSeconds, others, otherCredentials };
	const workflows: Record<string, StoredWorkflow> = {};
	for (const example of await readExamples()) {
		if (examples && !examples.includes(example.name)) continue;
		for (const table of findTables(example)) {
			tables[table.name] ??= (await n8n.createDataTable(table)).id;
		}
		workflows[example.name] = await n8n.createWorkflow(adapt(example, context));
	}
	return {
		simulator,
		n8n,
		credential,
		others,
		otherCredentials,
		workflows,
		tables,
		scheduleSeconds,
		async activateAll() {
			for (const name of MAIN_JOB) await n8n.activate(workflows[name]!);
		},
		async deactivateAll() {
			for (const name of MAIN_JOB) await n8n.deactivate(workflows[name]!);
		},
		async stop() {
			await n8n.stop();
			await others.stop();
			await simulator.stop();
		},
	};
}

async function createCredentials(n8n: N8n, { credentials }: OtherSystems) {
	const created: StoredCredential[] = [];
	for (const { name, type, data } of credentials) {
		created.push(await n8n.createCredential(name, type, data));
	}
	return created;
}
