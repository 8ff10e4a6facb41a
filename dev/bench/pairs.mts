/** Defines the comparisons of this package's operations and triggers with n8n's own nodes. */
import axios from 'axios';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seed } from '../simulator/index.mts';
import { until } from '../testbed/until.mts';
import {
	base,
	byId,
	createChain,
	formFields,
	httpRequest,
	manualStart,
	noOp,
	pollingTrigger,
	portal,
	portalTrigger,
	webhook,
	type Part,
} from '../testbed/workflowBuilder.mts';
import type { BenchEnvironment, Client, Pair } from './compare.mts';

const CONCURRENCY = 10;
const EVENT = 'proposal.status_changed';
const post = { method: 'POST' };

/**
 * Builds a workflow for each of two nodes. Both workflows run for the same webhook input, in executions that n8n does
 * not store.
 */
async function createPair(
	environment: BenchEnvironment,
	name: string,
	[ours, theirs]: [Part, Part],
	inputs: (count: number) => object[],
): Promise<Pair> {
	const { n8n } = environment;
	const splitOut = base('Split Out', 'splitOut', { fieldToSplitOut: 'body.inputs' });
	const client = async (part: Part): Promise<Client> => {
		const start = webhook({ responseMode: 'lastNode', responseData: 'noData' });
		const settings = { saveDataSuccessExecution: 'none', saveExecutionProgress: false };
		const parts = [start, splitOut, part];
		await n8n.activate(await createChain(environment, 'Benchmark', parts, settings));
		const url = `${n8n.url}/webhook/${start.webhookId}`;
		return (count, measured) =>
			measured(() => axios.post(url, { inputs: inputs(count) }, { maxBodyLength: Infinity }));
	};
	return { name, ours: await client(ours), theirs: await client(theirs) };
}

export async function reads(environment: BenchEnvironment): Promise<Pair> {
	const proposalId = seed.proposals.staleTheater;
	const url = `${environment.simulator.url}/public/proposals/${proposalId}`;
	const read = { resource: 'proposal', operation: 'get', proposalId: byId(proposalId) };
	const nodes: [Part, Part] = [portal({ ...read, output: 'raw' }), httpRequest({ url })];
	const pair = await createPair(environment, 'reads', nodes, (count) => Array(count).fill({}));
	return { ...pair, latencyMs: 20, isAlone: true };
}

export async function refreshes(environment: BenchEnvironment): Promise<Pair> {
	const { control, url } = environment.simulator;
	const drafts = control.addProposals(300, { like: seed.proposals.staleTheater });
	const proposalId = byId('={{ $json.id }}');
	const nodes: [Part, Part] = [
		portal({ resource: 'item', operation: 'refreshCosts', proposalId }),
		httpRequest({
			...post,
			...formFields({}),
			url: `=${url}/public/proposals/{{ $json.id }}/items/costupdate`,
		}),
	];
	const pair = await createPair(environment, 'cost refreshes', nodes, (count) =>
		drafts.slice(0, count).map((id) => ({ id })),
	);
	return { ...pair, latencyMs: 100 };
}

/**
 * Compares adding parts from a list to twenty new areas. The HTTP Request node adds all parts to one area, whose option
 * ID it receives.
 */
export async function partsList(environment: BenchEnvironment): Promise<Pair> {
	const { control, url } = environment.simulator;
	const { empty } = seed.proposals;
	const part = control.rows('catalog_items', { item_type: 'Part' })[0]!;
	const catalogItemId = { __rl: true, mode: 'model', value: `${part.brand} ${part.model}` };
	const item = { itemType: 'Part', quantity: 1 };
	const add = {
		resource: 'item',
		operation: 'add',
		proposalId: byId(empty),
		specifyItems: 'fields',
		areaOptionId: {
			__rl: true,
			mode: 'name',
			value: '={{ $json.area }}',
		},
		items: {
			item: [
				{
					...item,
					catalogItemId,
				},
			],
		},
		options: { createMissingArea: true },
	};
	const Items = JSON.stringify([{ ...item, itemId: part.id }]);
	const nodes: [Part, Part] = [
		portal(add),
		httpRequest({
			...post,
			...formFields({ AreaOptionId: '={{ $json.option }}', Items }),
			url: `${url}/public/proposals/${empty}/items`,
		}),
	];
	let lists = 0;
	return await createPair(environment, 'parts list', nodes, (count) => {
		lists++;
		const option = control.proposal(empty).areas[0]?.options[0].id;
		return Array.from({ length: count }, (_, index) => {
			return { option, area: `List ${lists}, room ${(index % 20) + 1}` };
		});
	});
}

/** Compares how this package's trigger and n8n's Webhook node receive signed events. */
export async function deliveries(environment: BenchEnvironment): Promise<Pair> {
	const { n8n, simulator } = environment;
	const theirs = webhook({ responseMode: 'onReceived' });
	for (const start of [portalTrigger([EVENT]), theirs])
		await n8n.activate(await createChain(environment, 'Benchmark', [start, noOp]));
	const { url, secret_key: secret } = simulator.control.subscriptions().at(-1)!;
	const client =
		(to: string): Client =>
		(count, measured) =>
			measured(() => deliver(to, String(secret), count));
	return {
		name: 'deliveries',
		ours: client(String(url)),
		theirs: client(`${n8n.url}/webhook/${theirs.webhookId}`),
	};
}

async function deliver(url: string, secret: string, count: number): Promise<void> {
	let remaining = count;
	const data = { proposalId: 48210, status: 'Accepted', previousStatus: 'Submitted' };
	const senders = Array.from({ length: CONCURRENCY }, async () => {
		while (remaining-- > 0) {
			const created = new Date().toISOString();
			const body = JSON.stringify({ id: `evt_${randomUUID()}`, type: EVENT, created, data });
			const time = Math.floor(Date.now() / 1000);
			const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
			const signature = { 'X-Webhook-Signature': `t=${time},v1=${v1}` };
			const headers = { 'Content-Type': 'application/json', ...signature };
			await axios.post(url, body, { headers });
		}
	});
	await Promise.all(senders);
}

/**
 * Compares a polling trigger that polls every second and finds no changes with a Schedule Trigger and an HTTP Request
 * node.
 */
export async function polls(environment: BenchEnvironment): Promise<Pair> {
	const { control, url } = environment.simulator;
	const rule = { interval: [{ field: 'seconds', secondsInterval: 1 }] };
	const schedule = base('Schedule', 'scheduleTrigger', { rule }, 1.2);
	const list = `${url}/public/proposals?PageNumber=1&PageSize=100`;
	const client =
		(parts: Part[]): Client =>
		async (count, measured) => {
			const workflow = await createChain(environment, 'Benchmark', parts);
			await environment.n8n.activate(workflow);
			control.clearRequests();
			await until('the first polls', () => control.requests.length > 2 || undefined);
			control.clearRequests();
			const figures = await measured(() => sleep(1000 * count));
			await environment.n8n.deactivate(workflow);
			return figures;
		};
	return {
		name: 'polls',
		ours: client([pollingTrigger('proposalStatusChanged', 1), noOp]),
		theirs: client([schedule, httpRequest({ url: list })]),
	};
}

/**
 * Compares uploads of a file. The count is the file's size in MiB, and the seconds are those of the uploading step
 * alone.
 */
export async function upload(environment: BenchEnvironment): Promise<Pair> {
	const { n8n, simulator } = environment;
	const proposalId = seed.proposals.empty;
	const http = httpRequest({
		method: 'POST',
		url: `${simulator.url}/public/api/proposals/${proposalId}/ai/content`,
		sendBody: true,
		contentType: 'multipart-form-data',
		bodyParameters: {
			parameters: [
				{ parameterType: 'formData', name: 'name', value: 'Walk' },
				{ parameterType: 'formBinaryData', name: 'Walk.wav', inputDataFieldName: 'data' },
			],
		},
	});
	const client =
		(part: Part): Client =>
		async (mebibytes, measured) => {
			// Give the file the same name as its form field, because Portal.io expects this.
			const file = join(n8n.filesFolder, 'Walk.wav');
			await writeFile(file, pieces(mebibytes));
			const readFile = base('Read File', 'readWriteFile', { fileSelector: file }, 1.1);
			const parts = [manualStart, readFile, { ...part, name: 'Upload' }];
			const workflow = await createChain(environment, 'Benchmark', parts);
			let seconds = 0;
			const figures = await measured(async () => {
				const { status, error, runs } = await n8n.runManually(workflow, manualStart.name);
				if (status !== 'success') throw new Error(JSON.stringify(error));
				const [run] = runs.Upload as object as [{ executionTime: number }];
				seconds = run.executionTime / 1000;
			});
			return { ...figures, seconds };
		};
	const ours = portal({ resource: 'aiContent', operation: 'upload', proposalId: byId(proposalId) });
	return { name: 'upload', ours: client(ours), theirs: client(http), isAlone: true };
}

/** Yields `count` different pieces of one mebibyte. */
function* pieces(count: number): Generator<Buffer> {
	for (let index = 0; index < count; index++) yield randomBytes(2 ** 20);
}
