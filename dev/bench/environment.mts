/** A real n8n and a simulator for the benchmarks, and workflows that run when they are called. */
import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installN8n } from '../testbed/n8n/install.mts';
import { installPackage } from '../testbed/n8n/installPackage.mts';
import { startN8n, type N8n, type StoredCredential as N8nCredential } from '../testbed/n8n/n8n.mts';
import { installationFolder } from '../testbed/paths.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';
import { credentialData } from '../testbed/environment.mts';
import { createChain, type Part } from '../testbed/workflowBuilder.mts';
import { startSimulator, type Simulator } from '../simulator/index.mts';
import { sign, StoredCredential } from '../testbed/nodeRunner.mts';

/** Where the benchmarks run. */
export interface BenchEnvironment {
	simulator: Simulator;
	n8n: N8n;
	/** The account in n8n's database. */
	credential: N8nCredential;
	/** The same account outside n8n, to sign requests for other clients. */
	account: StoredCredential;
	folder: string;
	n8nVersion: string;
	stop(): Promise<void>;
}

/** Starts both. The package has to be built. */
export async function buildBenchEnvironment(): Promise<BenchEnvironment> {
	await installN8n();
	const folder = await makeRunFolder();
	const simulator = await startSimulator();
	await installPackage(folder.path);
	const n8n = await startN8n({ folder: folder.path });
	const data = credentialData(simulator);
	const account = new StoredCredential(data);
	// The account gets its user key.
	await sign(account, { method: 'GET', url: '/public/proposals' });
	return {
		simulator,
		n8n,
		credential: await n8n.createCredential('Portal.io', 'portalIoApi', data),
		account,
		folder: folder.path,
		n8nVersion: await n8nVersion(),
		async stop() {
			await n8n.stop();
			await simulator.stop();
			await folder.discard();
		},
	};
}

async function n8nVersion(): Promise<string> {
	const file = join(installationFolder, 'node_modules', 'n8n', 'package.json');
	return JSON.parse(await readFile(file, 'utf8')).version;
}

/**
 * Activates a workflow that takes a list of inputs by a webhook, runs them through the parts, and
 * answers when it has ended. Nothing of it is kept in n8n's database, which would be measured too.
 *
 * @returns runs it once; fails when the workflow does
 */
export async function callable(
	environment: BenchEnvironment,
	parts: Part[],
): Promise<(inputs: object[]) => Promise<void>> {
	const path = randomUUID();
	const workflow = await createChain(
		environment,
		'Benchmark',
		[
			{
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2.1,
				parameters: {
					httpMethod: 'POST',
					path,
					responseMode: 'lastNode',
					responseData: 'noData',
					options: {},
				},
				webhookId: path,
			},
			{
				name: 'Split Out',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'body.inputs', options: {} },
			},
			...parts,
		],
		{ saveDataSuccessExecution: 'none', saveExecutionProgress: false },
	);
	await environment.n8n.activate(workflow);
	return async (inputs) => {
		const { status, data } = await axios.post(
			`${environment.n8n.url}/webhook/${path}`,
			{ inputs },
			{ validateStatus: () => true, maxBodyLength: Infinity },
		);
		if (status !== 200) throw new Error(`n8n answered ${status}: ${JSON.stringify(data)}`);
	};
}
