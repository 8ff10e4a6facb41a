/** A real n8n and a simulator for the benchmarks, and workflows that run when they are called. */
import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { startSimulator, type Simulator } from '../simulator/index.mts';
import { credentialData } from '../testbed/environment.mts';
import { installN8n } from '../testbed/n8n/install.mts';
import { installPackage } from '../testbed/n8n/installPackage.mts';
import { startN8n, type N8n, type StoredCredential } from '../testbed/n8n/n8n.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';
import { createChain, type Part } from '../testbed/workflowBuilder.mts';
import { measure, median, type Client, type Comparison, type Figures } from './measure.mts';

/** Where the benchmarks run. */
export interface BenchEnvironment {
	simulator: Simulator;
	n8n: N8n;
	credential: StoredCredential;
	stop(): Promise<void>;
}

/** Two ways to do the same. */
export interface Pair {
	name: string;
	ours: Client;
	theirs: Client;
	/** What n8n is told beyond the usual. */
	settings?: Record<string, string>;
	/** How long the service takes for each request. */
	latencyMs?: number;
	/** Whether each run begins in a new n8n: what one has taken of memory stays with the next. */
	isAlone?: boolean;
}

/** Starts both. The package has to be built. */
export async function buildBenchEnvironment(): Promise<BenchEnvironment> {
	await installN8n();
	const folder = await makeRunFolder();
	const simulator = await startSimulator({
		// What the HTTP Request node needs, which can send a file in one piece only.
		uploadLimits: { single: 2 ** 30, total: 2 ** 30, minChunk: 5 * 2 ** 20 },
	});
	await installPackage(folder.path);
	const n8n = await startN8n({ folder: folder.path });
	const data = credentialData(simulator);
	return {
		simulator,
		n8n,
		credential: await n8n.createCredential('Portal.io', 'portalIoApi', data),
		async stop() {
			await n8n.stop();
			await simulator.stop();
			await folder.discard();
		},
	};
}

/** Measures both in turns, after a smaller run of each. */
export async function compare(
	{ n8n, simulator: { control } }: BenchEnvironment,
	{ name, ours, theirs, settings, latencyMs = 0, isAlone = false }: Pair,
	[count, rounds]: [count: number, rounds: number],
): Promise<Comparison> {
	const figures: [Figures[], Figures[]] = [[], []];
	const requests: [number, number] = [0, 0];
	const begin = async (clients: Client[]) => {
		await n8n.restart(settings);
		control.setLatency(0);
		const few = Math.max(1, Math.ceil(count / 10));
		for (const client of clients) await client(few, (work) => measure(n8n.pid, work));
		control.setLatency(latencyMs);
	};
	if (!isAlone) await begin([ours, theirs]);
	for (let round = 0; round < rounds; round++) {
		for (const [index, client] of [ours, theirs].entries()) {
			if (isAlone) await begin([client]);
			control.clearRequests();
			figures[index]!.push(await client(count, (work) => measure(n8n.pid, work)));
			requests[index] = control.requests.length;
		}
	}
	control.setLatency(0);
	const [own, other] = figures.map(median) as [Figures, Figures];
	return { name, count, ours: own, theirs: other, requests };
}

/** n8n's HTTP Request node with our credential. */
export const httpRequest = (parameters: Record<string, unknown>): Part => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'portalIoApi',
		options: {},
		...parameters,
	},
});

/** The parameters of a form for it. */
export const form = (fields: Record<string, string>) => ({
	method: 'POST',
	sendBody: true,
	contentType: 'form-urlencoded',
	bodyParameters: {
		parameters: Object.entries(fields).map(([name, value]) => ({ name, value })),
	},
});

/**
 * Activates a workflow that takes a list of inputs by a webhook, runs them through a node, and answers
 * when it has ended. Nothing of it is kept in n8n's database, which would be measured too.
 *
 * @returns runs it once; fails when the workflow does
 */
export async function callable(
	environment: BenchEnvironment,
	part: Part,
): Promise<(inputs: object[]) => Promise<void>> {
	const path = randomUUID();
	const webhook: Part = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'noData' },
		webhookId: path,
	};
	const splitOut: Part = {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'body.inputs', options: {} },
	};
	const settings = { saveDataSuccessExecution: 'none', saveExecutionProgress: false };
	const parts = [webhook, splitOut, part];
	const workflow = await createChain(environment, 'Benchmark', parts, settings);
	await environment.n8n.activate(workflow);
	return async (inputs) => {
		const url = `${environment.n8n.url}/webhook/${path}`;
		await axios.post(url, { inputs }, { maxBodyLength: Infinity });
	};
}
