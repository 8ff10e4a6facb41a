/**
 * What dealers run all day: polls that find nothing, a night of cost refreshes, and a long parts list.
 * Requests are counted; processor time is compared with n8n's own nodes that send the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { seed } from '../simulator/index.mts';
import {
	byId,
	createChain,
	noOp,
	pollingTrigger,
	portal,
	type Part,
} from '../testbed/workflowBuilder.mts';
import { until } from '../testbed/until.mts';
import { callable, type BenchEnvironment } from './environment.mts';
import { measure, type PartResults, type Say } from './figures.mts';

/** How long each of the two polls, every four seconds. */
const POLLING_MS = 60_000;
const DRAFTS = 200;
const ROWS = 500;
const AREAS = 20;
const LATENCY_MS = 20;

/** n8n's HTTP Request node with our credential. */
const httpRequest = (parameters: Record<string, unknown>): Part => ({
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

const form = (fields: Record<string, string>) => ({
	method: 'POST',
	sendBody: true,
	contentType: 'form-urlencoded',
	bodyParameters: {
		parameters: Object.entries(fields).map(([name, value]) => ({ name, value })),
	},
});

/** All three, each beside n8n's own nodes. */
export async function benchDailyWork(
	environment: BenchEnvironment,
	say: Say,
): Promise<PartResults> {
	const polls = await idlePolls(environment, say);
	const nights = await costRefreshes(environment, say);
	const lists = await partsList(environment, say);
	return {
		section: [polls.section, nights.section, lists.section].join('\n'),
		ratios: { ...polls.ratios, ...nights.ratios, ...lists.ratios },
	};
}

async function idlePolls(environment: BenchEnvironment, say: Say): Promise<PartResults> {
	const { n8n, simulator } = environment;
	const { control, url } = simulator;
	control.setLatency(0);
	const every = { rule: { interval: [{ field: 'seconds', secondsInterval: 4 }] } };
	const schedule: Part = {
		name: 'Schedule',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: every,
	};
	const list = `${url}/public/proposals?PageNumber=1&PageSize=100`;
	const watch = async (parts: Part[]) => {
		const workflow = await createChain(environment, 'Benchmark', parts);
		await n8n.activate(workflow);
		control.clearRequests();
		await until('the first poll', () => control.requests.length > 1 || undefined);
		await sleep(4000);
		control.clearRequests();
		const { processor } = await measure(n8n.pid, async () => await sleep(POLLING_MS));
		const requests = control.requests.filter(({ path }) => path.startsWith('/public/proposals'));
		await n8n.deactivate(workflow);
		return { processor, requests: requests.length };
	};
	const ours = await watch([pollingTrigger('proposalStatusChanged'), noOp]);
	const theirs = await watch([schedule, httpRequest({ method: 'GET', url: list }), noOp]);
	const polled = ours.requests / theirs.requests;
	const ratio = ours.processor / theirs.processor;
	say(`idle polls: ${polled.toFixed(2)} requests, processor time ${ratio.toFixed(2)}`);
	return {
		section: `- A poll that finds nothing sends ${polled.toFixed(1)} requests. Its processor time is ${ratio.toFixed(2)} of that of *Schedule Trigger* and *HTTP Request*.`,
		ratios: {
			'idle poll: requests': polled,
			'idle poll: processor time / Schedule Trigger and HTTP Request': ratio,
		},
	};
}

async function costRefreshes(environment: BenchEnvironment, say: Say): Promise<PartResults> {
	const { n8n, simulator } = environment;
	const { control, url } = simulator;
	const drafts = control.addProposals(DRAFTS, { like: seed.proposals.staleTheatre });
	control.setLatency(LATENCY_MS);
	const inputs = drafts.map((id) => ({ id }));
	const refresh = (itemsInParallel: number) =>
		portal({
			resource: 'item',
			operation: 'refreshCosts',
			proposalId: byId('={{ $json.id }}'),
			requestOptions: { itemsInParallel },
		});
	const timed = async (part: Part) => {
		const run = await callable(environment, [part]);
		await run(inputs.slice(0, 20));
		control.clearRequests();
		const figures = await measure(n8n.pid, async () => await run(inputs));
		return { ...figures, requests: control.requests.length };
	};
	const ours = await timed(refresh(10));
	const oneByOne = await timed(refresh(1));
	const theirs = await timed(
		httpRequest({
			...form({}),
			url: `=${url}/public/proposals/{{ $json.id }}/items/costupdate`,
		}),
	);
	const speed = oneByOne.seconds / ours.seconds;
	const ratio = ours.processor / theirs.processor;
	say(
		`cost refreshes: ${speed.toFixed(1)} times one after the other, processor ${ratio.toFixed(2)}`,
	);
	return {
		section: `- ${DRAFTS} cost refreshes send ${ours.requests} requests, ${speed.toFixed(1)} times as fast as one after the other at ${LATENCY_MS} ms. Their processor time is ${ratio.toFixed(2)} of that of *HTTP Request*.`,
		ratios: {
			'cost refreshes: default / one after the other, 20 ms': speed,
			'cost refreshes: processor time / HTTP Request node': ratio,
		},
	};
}

async function partsList(environment: BenchEnvironment, say: Say): Promise<PartResults> {
	const { n8n, simulator } = environment;
	const { control, url } = simulator;
	control.setLatency(0);
	const { empty } = seed.proposals;
	const part = control.catalogItems(seed.accounts.dealer).find((one) => one.item_type === 'Part');
	const rows = Array.from({ length: ROWS }, (_, index) => ({
		area: `Room ${(index % AREAS) + 1}`,
		model: `${part!.brand} ${part!.model}`,
	}));
	const run = async (parts: Part) => {
		const inputs = await callable(environment, [parts]);
		control.clearRequests();
		const figures = await measure(n8n.pid, async () => await inputs(rows));
		return { ...figures, requests: control.requests.length };
	};
	const ours = await run(
		portal({
			resource: 'item',
			operation: 'add',
			proposalId: byId(empty),
			areaOptionId: { __rl: true, mode: 'name', value: '={{ $json.area }}' },
			specifyItems: 'fields',
			items: {
				item: [
					{
						itemType: 'Part',
						itemId: { __rl: true, mode: 'model', value: '={{ $json.model }}' },
						quantity: 1,
					},
				],
			},
			options: { createMissingArea: true },
		}),
	);
	const [area] = control.proposal(empty).areas;
	const theirs = await run(
		httpRequest({
			...form({
				AreaOptionId: String(area.options[0].id),
				Items: JSON.stringify([{ itemId: part!.id, itemType: 'Part', quantity: 1 }]),
			}),
			url: `${url}/public/proposals/${empty}/items`,
		}),
	);
	const ratio = ours.processor / theirs.processor;
	say(`parts list: ${ours.requests} requests, processor ${ratio.toFixed(2)}`);
	return {
		section: `- A parts list of ${ROWS} rows in ${AREAS} new areas sends ${ours.requests} requests: one for each row and each area, one for the proposal, one for each model. Its processor time is ${ratio.toFixed(2)} of that of ${ROWS} of *HTTP Request*.`,
		ratios: {
			'parts list of 500 rows: requests': ours.requests,
			'parts list: processor time / HTTP Request node': ratio,
		},
	};
}
