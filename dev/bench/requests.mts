/** Reads over reads: this node beside n8n's HTTP Request node with the same credential. */
import { seed } from '../simulator/index.mts';
import { measure, median, type PartResults, type Say } from './figures.mts';
import { byId, portal, type Part } from '../testbed/workflowBuilder.mts';
import { callable, type BenchEnvironment } from './environment.mts';

/** How many are sent one after the other, and before each measurement. */
const FEW = 100;

const proposalId = seed.proposals.staleTheater;

/** How a proposal is read for each input. */
interface Client {
	name: string;
	part: Part;
}

const thisNode = (name: string, itemsInParallel: number): Client => ({
	name: `this node, ${name}`,
	part: portal({
		resource: 'proposal',
		operation: 'get',
		proposalId: byId(proposalId),
		simplify: false,
		requestOptions: { itemsInParallel },
	}),
});

/** n8n's HTTP Request node with our credential: all requests at once. */
const httpRequestNode = ({ simulator }: BenchEnvironment): Client => ({
	name: 'HTTP Request node, this credential',
	part: {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'GET',
			url: `${simulator.url}/public/proposals/${proposalId}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'portalIoApi',
			options: {},
		},
	},
});

/** What of the clients is measured. */
interface Choice {
	/** How many reads. */
	count: number;
	/** How often what is compared at 20 ms is measured; everything else is measured once. */
	rounds: number;
	/** Whether all clients are measured, and not only the two that are compared. */
	isWhole: boolean;
}

/** What a run took: seconds, and milliseconds of the processor, for each request; memory in MiB. */
interface Sample {
	each: number;
	processor: number;
	peak: number;
}

const NOTE = `- The *HTTP Request node* sends all requests at once.
- *Processor time* is that of all threads of n8n's process, with the \`Webhook\` and \`Split Out\` nodes of the workflow.`;

const HEADER = `| client | latency, ms | requests per second | processor time per request, ms | peak memory, MiB |
|---|--:|--:|--:|--:|`;

/** Reads by this node and by the HTTP Request node, and, as a whole, with more and less in parallel. */
export async function benchRequests(
	environment: BenchEnvironment,
	say: Say,
	{ count, rounds, isWhole }: Choice,
): Promise<PartResults> {
	const { control } = environment.simulator;
	/** By the first two columns of the table. */
	const measured: Record<string, Sample[]> = {};

	/** Measures a client in a new process: what one has taken from the system stays with the next. */
	const measureClient = async (
		{ name, part }: Client,
		latencies: number[],
		reads = count,
	): Promise<Sample[]> => {
		const run = await callable(environment, [part]);
		const read = async (times: number) => await run(Array.from({ length: times }, () => ({})));
		await environment.n8n.restart();
		control.setLatency(0);
		await read(FEW);
		const samples: Sample[] = [];
		for (const latency of latencies) {
			control.clearRequests();
			control.setLatency(latency);
			const figures = await measure(environment.n8n.pid, async () => await read(reads));
			const failed = control.requests.filter(({ status }) => status !== 200).length;
			if (failed > 0 || control.requests.length < reads) {
				throw new Error(`${name}: ${control.requests.length} requests, ${failed} of them failed`);
			}
			const each = figures.seconds / reads;
			const processor = (1000 * figures.processor) / reads;
			say(`${name}, ${latency} ms: ${(1 / each).toFixed(1)} requests a second`);
			const sample = { each, processor, peak: figures.peak };
			(measured[`| ${name} | ${latency} |`] ??= []).push(sample);
			samples.push(sample);
		}
		return samples;
	};

	const byDefault = thisNode('10 in parallel (default)', 10);
	const http = httpRequestNode(environment);
	const pairs: [Sample, Sample][] = [];
	for (let round = 0; round < rounds; round++) {
		const [ours] = await measureClient(byDefault, [20]);
		const [theirs] = await measureClient(http, [20]);
		pairs.push([ours!, theirs!]);
	}
	const ratios: Record<string, number> = {
		'reads: speed / HTTP Request node': median(pairs.map(([one, other]) => other.each / one.each)),
		'reads: processor time / HTTP Request node': median(
			pairs.map(([one, other]) => one.processor / other.processor),
		),
	};
	if (isWhole) {
		const [ours] = await measureClient(byDefault, [100]);
		const [theirs] = await measureClient(http, [100]);
		const [highest] = await measureClient(thisNode('50 in parallel', 50), [100, 20]);
		const [oneByOne] = await measureClient(thisNode('one after the other', 1), [100], FEW);
		ratios['reads: 50 in parallel / HTTP Request node, 100 ms'] = theirs!.each / highest!.each;
		ratios['reads: default / one after the other, 100 ms'] = oneByOne!.each / ours!.each;
	}
	const rows = Object.entries(measured).map(([client, samples]) => {
		const middle = (figure: keyof Sample) => median(samples.map((sample) => sample[figure]));
		return `${client} ${(1 / middle('each')).toFixed(0)} | ${middle('processor').toFixed(2)} | ${middle('peak').toFixed(0)} |`;
	});
	return { section: `${NOTE}\n\n${HEADER}\n${rows.join('\n')}`, ratios };
}
