/** Requests over requests: this node beside n8n's HTTP Request node with the same credential. */
import { seed } from '../simulator/index.mts';
import { execute, type Run } from '../testbed/nodeRunner.mts';
import { measure, median, type Figures, type PartResults, type Say } from './figures.mts';
import { byId, portal } from '../testbed/workflowBuilder.mts';
import { callable, type BenchEnvironment } from './environment.mts';

/** Our node's default, and the most that it takes. */
const CONCURRENCY = { default: 10, highest: 50 };
/** How many are sent one after the other. */
const SINGLE_COUNT = 100;
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

/** Sends the requests of a job. */
type Runner = (inputs: Job['inputs']) => Promise<unknown>;

/** What does the jobs. */
interface Method {
	name: string;
	prepare(job: Job): Promise<Runner>;
}

const byNode = (environment: BenchEnvironment, name: string, concurrency: number): Method => ({
	name,
	async prepare(job) {
		const run = await callable(environment, [
			portal({ ...job.parameters, requestOptions: { itemsInParallel: concurrency } }),
		]);
		// A list is one input; everything else has one for each request.
		return async (inputs) => await run(job.pagination ? [{}] : inputs);
	},
});

/** n8n's HTTP Request node with our credential: all requests at once. */
const byHttpRequest = (environment: BenchEnvironment): Method => ({
	name: 'HTTP Request node, this credential',
	async prepare(job) {
		const { url } = environment.simulator;
		const run = await callable(environment, [
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
		return async (inputs) => await run(job.pagination ? [{}] : inputs);
	},
});

function httpRequest({ method }: Job): Record<string, unknown> {
	if (method === 'GET') return { method };
	return { method, sendBody: true, contentType: 'raw', rawContentType: FORM, body: '' };
}

/** What of the methods and jobs is measured. */
interface Choice {
	/** How many proposals are read and refreshed. */
	count: number;
	/** How often what is compared at 20 ms is measured; everything else is measured once. */
	rounds: number;
	/** Whether all methods and jobs are measured, and not only reads by the two nodes that are compared. */
	isWhole: boolean;
}

/** Reads over reads, and, as a whole, cost refreshes and a long list by every method. */
export async function benchRequests(
	environment: BenchEnvironment,
	say: Say,
	{ count, rounds, isWhole }: Choice,
): Promise<PartResults> {
	const jobs = jobsOf(
		await plantProposals(environment, count),
		isWhole ? plantContacts(environment) : 0,
	);
	const [reads] = jobs as [Job];
	const single: Job = { ...reads, inputs: reads.inputs.slice(0, SINGLE_COUNT) };
	const node = byNode(environment, 'this node, 10 in parallel (default)', CONCURRENCY.default);
	const highest = byNode(environment, 'this node, 50 in parallel', CONCURRENCY.highest);
	const oneByOne = byNode(environment, 'this node, one after the other', 1);
	const http = byHttpRequest(environment);
	const others = isWhole ? [highest, oneByOne] : [];

	const rows: string[] = [];
	const run = async (method: Method, runner: Runner, job: Job, latency: number) => {
		const figures = await runOnce(environment, runner, job, latency);
		const each = figures.seconds / job.inputs.length;
		const processor = (1000 * figures.processor) / job.inputs.length;
		say(`${method.name}, ${job.name}, ${latency} ms: ${(1 / each).toFixed(1)} requests a second`);
		rows.push(
			`| ${job.name} | ${method.name} | ${latency} | ${(1 / each).toFixed(0)} | ${processor.toFixed(2)} | ${figures.peak.toFixed(0)} |`,
		);
		return { each, processor };
	};
	/** Measures a method in a new process: what one has taken from the system stays with the next. */
	const measureMethod = async (method: Method, runs: [Job, number][]) => {
		const runners = new Map<string, Runner>();
		for (const [{ name }] of runs) {
			runners.set(name, await method.prepare(jobs.find((job) => job.name === name)!));
		}
		await environment.n8n.restart();
		environment.simulator.control.setLatency(0);
		await runners.get(reads.name)!(single.inputs);
		const results = [];
		for (const [job, latency] of runs) {
			results.push(await run(method, runners.get(job.name)!, job, latency));
		}
		return results;
	};

	const slow: [Job, number][] = isWhole
		? [[reads, 100], ...jobs.slice(1).map((job): [Job, number] => [job, 20])]
		: [];
	const pairs: [Sample, Sample][] = [];
	let [ours, theirs]: Sample[] = [];
	for (let round = 0; round < rounds; round++) {
		const more = round === 0 ? slow : [];
		const mine = await measureMethod(node, [[reads, 20], ...more]);
		const others = await measureMethod(http, [[reads, 20], ...more]);
		pairs.push([mine[0]!, others[0]!]);
		[ours, theirs] = [mine[1] ?? ours, others[1] ?? theirs];
	}
	const ratios: Record<string, number> = {
		'reads: speed / HTTP Request node': median(pairs.map(([one, other]) => other.each / one.each)),
		'reads: processor time / HTTP Request node': median(
			pairs.map(([one, other]) => one.processor / other.processor),
		),
	};
	for (const method of others) {
		const job = method === oneByOne ? single : reads;
		const results = await measureMethod(method, [
			[job, 100],
			...(method === oneByOne ? [] : [[reads, 20] as [Job, number], ...slow.slice(1)]),
		]);
		const { each } = results[0]!;
		if (method === oneByOne)
			ratios['reads: default / one after the other, 100 ms'] = each / ours!.each;
		if (method === highest)
			ratios['reads: 50 in parallel / HTTP Request node, 100 ms'] = theirs!.each / each;
	}
	return { section: `${NOTE}\n\n${HEADER}\n${rows.join('\n')}`, ratios };
}

/** What a run took: seconds, and milliseconds of the processor, for each request. */
interface Sample {
	each: number;
	processor: number;
}

const NOTE = `- The *HTTP Request node* sends all requests at once, and the pages of a list one after the other.
- The *list* measures the simulator more than the clients: a page of 500 takes it about 80 ms. Its requests are pages.
- *Processor time* is that of all threads of n8n's process, with the \`Webhook\` and \`Split Out\` nodes of the workflow.`;

const HEADER = `| job | client | latency, ms | requests per second | processor time per request, ms | peak memory, MiB |
|---|---|--:|--:|--:|--:|`;

async function runOnce(
	{ simulator, n8n }: BenchEnvironment,
	run: Runner,
	job: Job,
	latency: number,
): Promise<Figures> {
	simulator.control.clearRequests();
	simulator.control.setLatency(latency);
	const figures = await measure(n8n.pid, async () => await run(job.inputs));
	const failed = simulator.control.requests.filter(({ status }) => status !== 200);
	const answered = simulator.control.requests.length;
	if (failed.length > 0 || answered < job.inputs.length)
		throw new Error(`${job.name}: ${answered} requests, ${failed.length} of them failed`);
	return figures;
}

/** As many drafts, with a few items in each, as there are requests: made by the node itself. */
async function plantProposals(
	{ account, simulator }: BenchEnvironment,
	count: number,
): Promise<number[]> {
	const by = async (parameters: object, items: object[]) => {
		const requestOptions = { itemsInParallel: CONCURRENCY.highest };
		const run = { ...parameters, requestOptions } as Run['parameters'];
		const output = await execute({ credential: account, parameters: run, items: items as never });
		return output.map(({ json }) => json as { id: number; proposalId: number });
	};
	const proposals = await by(
		{ resource: 'proposal', operation: 'create', salesPersonId: seed.users.dealer },
		Array.from({ length: count }, () => ({})),
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
function plantContacts({ simulator: { control } }: BenchEnvironment): number {
	control.addContacts(LIST_LENGTH, 'Jo');
	return control.contacts().filter((one) => one.account_id === seed.accounts.dealer).length;
}
