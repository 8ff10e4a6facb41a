/**
 * Requests over requests: this node, n8n's HTTP Request node with the same credential, the best that
 * can be put together by hand without this package, and a bare client as the floor.
 */
import { execa } from 'execa';
import { seed } from '../simulator/index.mts';
import { execute, sign, type Run } from '../testbed/nodeRunner.mts';
import { measure, median, ratios, show, type Figures } from './figures.mts';
import type { BareWork } from './bareClient.mts';
import { byId, noOp, portal } from '../testbed/workflowBuilder.mts';
import { callable, type BenchStage } from './stage.mts';

/** Milliseconds that the service takes before it looks at a request. */
const LATENCIES = [0, 20, 100];
/** Our node's default, and the most that it takes. */
const CONCURRENCY = { default: 10, highest: 50 };
const COUNT = 1000;
const LIST_LENGTH = 20_000;
const LIST_PAGE = 500;
const FORM = 'application/x-www-form-urlencoded';

type JobName = 'proposal reads' | 'cost refreshes' | 'list of 20,000';

/** Some work, for whoever does it. */
interface Job {
	name: JobName;
	/** What our node is told. */
	parameters: Record<string, unknown>;
	method: 'GET' | 'POST';
	/** The inputs of the workflows that send one request for each. */
	inputs: { path: string; id?: number }[];
	/** n8n's own way to get a list by the HTTP Request node: one input, page after page. */
	pagination?: object;
}

const jobsOf = (proposals: number[], people: number): Job[] => [
	{
		name: 'proposal reads',
		parameters: {
			resource: 'proposal',
			operation: 'get',
			proposalId: byId('={{ $json.id }}'),
			simplify: false,
		},
		method: 'GET',
		inputs: proposals.map((id) => ({ path: `/public/proposals/${id}`, id })),
	},
	{
		name: 'cost refreshes',
		parameters: {
			resource: 'item',
			operation: 'refreshCosts',
			proposalId: byId('={{ $json.id }}'),
			simplify: false,
		},
		method: 'POST',
		inputs: proposals.map((id) => ({ path: `/public/proposals/${id}/items/costupdate`, id })),
	},
	{
		name: 'list of 20,000',
		parameters: { resource: 'contact', operation: 'getMany', returnAll: true, simplify: false },
		method: 'GET',
		inputs: Array.from({ length: Math.ceil(people / LIST_PAGE) }, (_, page) => ({
			path: `/public/people?PageNumber=${page + 1}&PageSize=${LIST_PAGE}`,
		})),
		pagination: {
			paginationMode: 'updateAParameterInEachRequest',
			parameters: {
				parameters: [{ type: 'qs', name: 'PageNumber', value: '={{ $pageCount + 1 }}' }],
			},
			paginationCompleteWhen: 'other',
			completeExpression: `={{ $response.body.people.length < ${LIST_PAGE} }}`,
			limitPagesFetched: false,
			requestInterval: 0,
		},
	},
];

/** Runs a job once. */
type Runner = () => Promise<void>;

/** What does the jobs; n8n's process is the one to measure, unless it measures itself. */
interface Method {
	name: string;
	/** Whether it goes on for too long at the longest latency to be told to do anything but read. */
	onlyReads?: boolean;
	prepare(job: Job): Promise<Runner | (() => Promise<Figures>)>;
}

const byNode = (stage: BenchStage, name: string, concurrency: number, more = {}): Method => ({
	name,
	...more,
	async prepare(job) {
		const run = await callable(stage, [
			portal({ ...job.parameters, requestOptions: { itemsInParallel: concurrency } }),
		]);
		// A list is one input; everything else has one for each request.
		return async () => await run(job.pagination ? [{}] : job.inputs);
	},
});

/** n8n's HTTP Request node with our credential: all requests at once. */
const byHttpRequest = (stage: BenchStage): Method => ({
	name: 'HTTP Request node, this credential',
	async prepare(job) {
		const { url } = stage.simulator;
		const run = await callable(stage, [
			{
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					...httpRequest(job),
					url: job.pagination
						? `${url}/public/people?PageSize=${LIST_PAGE}`
						: `=${url}{{ $json.path }}`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'portalIoApi',
					options: job.pagination ? { pagination: { pagination: job.pagination } } : {},
				},
			},
		]);
		return async () => await run(job.pagination ? [{}] : job.inputs);
	},
});

/**
 * Without this package: an expression that writes the message, n8n's Crypto node that signs it, and
 * the HTTP Request node. It is given the user key, and the number of pages, that it cannot find out.
 */
const byHand = (stage: BenchStage): Method => ({
	name: 'Crypto and HTTP Request nodes, by hand',
	async prepare(job) {
		const { url } = stage.simulator;
		const { appKey, secretKey } = stage.account.data as Record<string, string>;
		const { userApiKey } = stage.account;
		const contentType = job.method === 'GET' ? '' : FORM;
		const address = `${url}{{ $json.path.split('?')[0] }}`;
		const set = (name: string, value: string) => ({ id: name, name, type: 'string', value });
		const run = await callable(stage, [
			{
				name: 'Message',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: {
					assignments: {
						assignments: [
							set('path', '={{ $json.path }}'),
							set(
								'message',
								`=${job.method}${address}${contentType}{{ new Date().toUTCString() }}${userApiKey}`,
							),
						],
					},
					options: {},
				},
			},
			{
				name: 'Crypto',
				type: 'n8n-nodes-base.crypto',
				parameters: {
					action: 'hmac',
					type: 'SHA256',
					value: '={{ $json.message }}',
					dataPropertyName: 'signature',
					secret: secretKey,
					encoding: 'base64',
				},
			},
			{
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					...httpRequest(job),
					url: `=${url}{{ $json.path }}`,
					sendHeaders: true,
					headerParameters: {
						parameters: [
							{ name: 'Accept', value: 'application/json' },
							{ name: 'X-MSS-API-APPID', value: appKey },
							{ name: 'X-MSS-API-USERKEY', value: userApiKey },
							// The date that was signed: a second may have passed since.
							{
								name: 'X-MSS-CUSTOM-DATE',
								value: `={{ $json.message.slice(-${userApiKey!.length + 29}, -${userApiKey!.length}) }}`,
							},
							{ name: 'X-MSS-SIGNATURE', value: '={{ $json.signature }}' },
						],
					},
					options: {},
				},
			},
		]);
		return async () => await run(job.inputs);
	},
});

function httpRequest({ method }: Job): Record<string, unknown> {
	if (method === 'GET') return { method };
	return { method, sendBody: true, contentType: 'raw', rawContentType: FORM, body: '' };
}

const byBareClient = (stage: BenchStage, concurrency: number): Method => ({
	name: `bare Node.js client, ${concurrency} in parallel`,
	prepare: async (job) => async () => {
		const requests = await Promise.all(
			job.inputs.map(async ({ path }) => {
				const { url, headers } = await sign(stage.account, {
					method: job.method,
					url: path,
					...(job.method === 'POST' && { headers: { 'Content-Type': FORM }, body: '' }),
				});
				return { method: job.method, url, headers, body: '' };
			}),
		);
		const work = { concurrency, requests } as BareWork;
		const { stdout } = await execa('node', [new URL('bareClient.mts', import.meta.url).pathname], {
			input: JSON.stringify(work),
		});
		return JSON.parse(stdout) as Figures;
	},
});

/** What the report needs of it all. */
export interface RequestResults {
	table: string;
	readsSpeedup: number;
	readsVsHttpRequest: number;
	cpuVsHttpRequest: number;
}

/** Every method at every job, round by round. */
export async function benchRequests(
	stage: BenchStage,
	rounds: number,
	say: (line: string) => void,
): Promise<RequestResults> {
	const proposals = await plantProposals(stage);
	const jobs = jobsOf(proposals, plantContacts(stage));
	const node = byNode(stage, 'this node, 10 in parallel (default)', CONCURRENCY.default);
	const highest = byNode(stage, 'this node, 50 in parallel', CONCURRENCY.highest);
	const single = byNode(stage, 'this node, one after the other', 1, { onlyReads: true });
	const http = byHttpRequest(stage);
	const floor = byBareClient(stage, CONCURRENCY.default);
	const methods = [
		node,
		highest,
		single,
		http,
		byHand(stage),
		floor,
		byBareClient(stage, CONCURRENCY.highest),
	];

	const figures = new Map<string, Figures[]>();
	const key = (method: Method, job: Job, latency: number) =>
		`${method.name}|${job.name}|${latency}`;
	const nothing = await callable(stage, [noOp]);
	const overhead: number[] = [];
	const prepared = new Map<string, Runner | (() => Promise<Figures>)>();
	for (const method of methods) {
		for (const job of jobs) {
			if (method.onlyReads && job !== jobs[0]) continue;
			prepared.set(`${method.name}|${job.name}`, await method.prepare(job));
		}
	}

	for (let round = 0; round < rounds; round++) {
		for (const method of methods) {
			// Each in a new process: what one has taken from the system stays with it for the next.
			await stage.n8n.restart();
			await warmUp(stage, prepared.get(`${method.name}|${jobs[0]!.name}`)!);
			for (const job of jobs) {
				const run = prepared.get(`${method.name}|${job.name}`);
				if (run === undefined) continue;
				for (const latency of method.onlyReads ? [100] : LATENCIES) {
					const one = await runOnce(stage, run, job, latency);
					const place = key(method, job, latency);
					figures.set(place, [...(figures.get(place) ?? []), one]);
					say(`${place}: ${one.seconds.toFixed(2)} s, ${one.processor.toFixed(2)} s of processor`);
				}
			}
		}
		const { processor } = await measure(stage.n8n.pid, async () => await nothing(jobs[0]!.inputs));
		overhead.push(processor);
	}

	const of = (method: Method, latency: number, what: keyof Figures, job = jobs[0]!) =>
		figures.get(key(method, job, latency))!.map((one) => one[what]);
	// What n8n spends on the execution itself is nobody's.
	const processor = (method: Method) =>
		of(method, 20, 'processor').map((value, round) => value - overhead[round]!);
	const speedup = ratios(of(single, 100, 'seconds'), of(node, 100, 'seconds'));
	const versus = ratios(of(http, 100, 'seconds'), of(highest, 100, 'seconds'));
	const spent = ratios(processor(node), processor(http));
	const lines = jobs.flatMap((job) => [
		`#### ${job.name}`,
		'',
		`| client | latency, ms | ${job.pagination ? 'seconds' : 'requests per second'} | speed / floor | processor time${job.pagination ? ', s' : ' per request, ms'} | peak memory, MiB |`,
		'|---|--:|--:|--:|--:|--:|',
		...LATENCIES.flatMap((latency) =>
			methods
				.filter((method) => figures.has(key(method, job, latency)))
				.map((method) => row(method, job, latency)),
		),
		'',
	]);
	function row(method: Method, job: Job, latency: number): string {
		const seconds = median(of(method, latency, 'seconds', job));
		const used = median(of(method, latency, 'processor', job));
		const cells = [
			method.name,
			latency,
			job.pagination ? seconds.toFixed(2) : (job.inputs.length / seconds).toFixed(0),
			median(
				ratios(of(floor, latency, 'seconds', job), of(method, latency, 'seconds', job)),
			).toFixed(2),
			job.pagination ? used.toFixed(2) : ((1000 * used) / job.inputs.length).toFixed(2),
			median(of(method, latency, 'peak', job)).toFixed(0),
		];
		return `| ${cells.join(' | ')} |`;
	}
	const table = [
		...lines,
		'| ratio, at 100 ms unless stated otherwise | median (each round) |',
		'|---|--:|',
		`| 1,000 reads, default / one after the other | ${show(speedup)} |`,
		`| 1,000 reads, 50 in parallel / HTTP Request node | ${show(versus)} |`,
		`| processor time of a read, this node / HTTP Request node, at 20 ms | ${show(spent)} |`,
	].join('\n');
	return {
		table,
		readsSpeedup: median(speedup),
		readsVsHttpRequest: median(versus),
		cpuVsHttpRequest: median(spent),
	};
}

async function warmUp(stage: BenchStage, run: Runner | (() => Promise<Figures>)) {
	stage.simulator.control.setLatency(0);
	await run();
}

async function runOnce(
	{ simulator, n8n }: BenchStage,
	run: Runner | (() => Promise<Figures>),
	job: Job,
	latency: number,
): Promise<Figures> {
	simulator.control.clearRequests();
	simulator.control.setLatency(latency);
	let own: Figures | undefined;
	const figures = await measure(n8n.pid, async () => {
		own = (await run()) ?? undefined;
	});
	const failed = simulator.control.requests.filter(({ status }) => status !== 200);
	const answered = simulator.control.requests.length;
	if (failed.length > 0 || answered < job.inputs.length)
		throw new Error(`${job.name}: ${answered} requests, ${failed.length} of them failed`);
	return own ?? figures;
}

/** As many drafts, with a few items in each, as there are requests: made by the node itself. */
async function plantProposals({ account, simulator }: BenchStage): Promise<number[]> {
	const by = async (parameters: object, items: object[]) => {
		const requestOptions = { itemsInParallel: CONCURRENCY.highest };
		const run = { ...parameters, requestOptions } as Run['parameters'];
		const output = await execute({ credential: account, parameters: run, items: items as never });
		return output.map(({ json }) => json as { id: number; proposalId: number });
	};
	const proposals = await by(
		{ resource: 'proposal', operation: 'create', salesPersonId: seed.users.dealer },
		Array.from({ length: COUNT }, () => ({})),
	);
	const areas = await by(
		{ resource: 'area', operation: 'create', proposalId: '={{ $json.id }}', name: 'Den' },
		proposals.map(({ id }) => ({ id })),
	);
	const { television, mount } = seed.catalogItems;
	await by(
		{
			resource: 'item',
			operation: 'add',
			proposalId: '={{ $json.proposalId }}',
			areaOptionId: '={{ $json.areaOptionId }}',
			items: { item: [television, mount].map((itemId) => ({ itemId, quantity: 1 })) },
		},
		areas,
	);
	simulator.control.clearRequests();
	return proposals.map(({ id }) => id);
}

/** A long list of contacts, as only the service's own database could have it. */
function plantContacts({ simulator: { control } }: BenchStage): number {
	control.addContacts(LIST_LENGTH, 'Jo');
	return control.contacts().filter((one) => one.account_id === seed.accounts.dealer).length;
}
