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

/** How long each of the two polls, once a second: rare polls would be lost among what n8n does anyway. */
const POLLING_MS = 10_000;
const CHANGES = 100;
const DRAFTS = 200;
const ROWS = 500;
const AREAS = 20;
/** As far away as a service on the internet: at less, the processors of this machine are the limit. */
const LATENCY_MS = 100;

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
	const polled = await polls(environment, say);
	const nights = await costRefreshes(environment, say);
	const lists = await partsList(environment, say);
	return {
		section: `${polled.section}\n\n${nights.section} ${lists.section}`,
		ratios: { ...polled.ratios, ...nights.ratios, ...lists.ratios },
	};
}

/** n8n makes the sandbox for expressions only when there is an expression. */
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const everySecond = {
	rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] },
	pollTimes: {
		item: Array.from({ length: 60 }, (_, second) => ({
			mode: 'custom',
			cronExpression: `${second} * * * * *`,
		})),
	},
};

/** Polls that find nothing, and polls of which each finds 100 changes. */
async function polls(environment: BenchEnvironment, say: Say): Promise<PartResults> {
	const { n8n, simulator } = environment;
	const { control, url } = simulator;
	control.setLatency(0);
	const poll = pollingTrigger('proposalStatusChanged');
	const ours = [{ ...poll, parameters: { ...poll.parameters, ...everySecond } }, noOp];
	const list = `${url}/public/proposals?PageNumber=1&PageSize=100`;
	const theirs: Part[] = [
		{
			name: 'Schedule',
			type: 'n8n-nodes-base.scheduleTrigger',
			typeVersion: 1.2,
			parameters: everySecond,
		},
		httpRequest({ method: 'GET', url: list }),
	];
	const splitOut: Part = {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'proposals', options: {} },
	};
	const perPoll = 1000 / POLLING_MS;
	const restart = async (settings = {}) => {
		await n8n.restart(settings);
		// What n8n begins with is over then.
		await sleep(POLLING_MS);
	};
	const watch = async (parts: Part[], change = () => {}) => {
		const workflow = await createChain(environment, 'Benchmark', parts);
		await n8n.activate(workflow);
		control.clearRequests();
		await until('the first polls', () => control.requests.length > 2 || undefined);
		control.clearRequests();
		const { processor } = await measure(n8n.pid, async () => {
			for (const end = Date.now() + POLLING_MS; Date.now() < end; await sleep(1000)) change();
		});
		const requests = control.requests.filter(({ path }) => path.startsWith('/public/proposals'));
		await n8n.deactivate(workflow);
		return { processor: processor * perPoll * 1000, requests: requests.length * perPoll };
	};
	/** In turns. */
	const compare = async (times: number, others: Part[], change?: () => void) => {
		type Watched = Awaited<ReturnType<typeof watch>>;
		const rounds: Record<'own' | 'other', Watched>[] = [];
		for (let round = 0; round < times; round++) {
			rounds.push({ own: await watch(ours, change), other: await watch(others, change) });
		}
		const total = (of: (round: (typeof rounds)[number]) => number) =>
			rounds.reduce((sum, round) => sum + of(round), 0);
		const processor = total(({ own }) => own.processor);
		return {
			requests: total(({ own }) => own.requests) / rounds.length,
			processor: processor / rounds.length,
			ratio: processor / total(({ other }) => other.processor),
		};
	};
	await restart();
	const byDefault = await compare(1, theirs);
	say(`idle polls, n8n's default: processor ${byDefault.ratio.toFixed(2)}`);
	await restart(LAZY);
	const idle = await compare(2, theirs);
	say(`idle polls: ${idle.requests.toFixed(2)} requests, processor ${idle.ratio.toFixed(2)}`);
	const proposals = control.addProposals(CHANGES, { like: seed.proposals.staleTheater });
	let isSubmitted = false;
	const busy = await compare(1, [...theirs, splitOut], () => {
		isSubmitted = !isSubmitted;
		const status = isSubmitted ? 'Submitted' : 'ViewedByClient';
		for (const id of proposals) control.setStatus(id, status);
	});
	say(`busy polls: ${busy.requests.toFixed(2)} requests, processor ${busy.ratio.toFixed(2)}`);
	await n8n.restart();
	return {
		section: `Polls once a second, in an n8n that makes sandboxes only when needed, as above. With what n8n does meanwhile, an idle poll takes ${idle.processor.toFixed(0)} ms of processor time, and one with ${CHANGES} changes ${busy.processor.toFixed(0)} ms. By default an idle poll takes ${byDefault.processor.toFixed(0)} ms: n8n makes two sandboxes for it, one of them to read the credential, and one for *Schedule Trigger* and *HTTP Request*.`,
		ratios: {
			'idle poll: requests': idle.requests,
			'idle poll: processor time / Schedule Trigger and HTTP Request': idle.ratio,
			"idle poll: processor time / the same, n8n's default": byDefault.ratio,
			'poll with 100 changes: requests': busy.requests,
			'poll with 100 changes: processor time / the same': busy.ratio,
		},
	};
}

async function costRefreshes(environment: BenchEnvironment, say: Say): Promise<PartResults> {
	const { n8n, simulator } = environment;
	const { control, url } = simulator;
	const drafts = control.addProposals(DRAFTS, { like: seed.proposals.staleTheater });
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
		section: `${DRAFTS} cost refreshes send ${ours.requests} requests.`,
		ratios: {
			'cost refreshes: default / one after the other, 100 ms': speed,
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
		section: `A parts list of ${ROWS} rows in ${AREAS} new areas sends ${ours.requests}: one for each row and each area, one for the proposal, one for each model.`,
		ratios: {
			'parts list of 500 rows: requests': ours.requests,
			'parts list: processor time / HTTP Request node': ratio,
		},
	};
}
