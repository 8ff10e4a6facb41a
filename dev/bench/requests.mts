/** Reads, cost refreshes and a parts list, beside n8n's HTTP Request node with the same credential. */
import { seed } from '../simulator/index.mts';
import { byId, portal, type Part } from '../testbed/workflowBuilder.mts';
import { callable, form, httpRequest, type BenchEnvironment, type Pair } from './environment.mts';
import { plain, type Client } from './measure.mts';

/** Two nodes that run for the same inputs. */
async function pairOf(
	environment: BenchEnvironment,
	name: string,
	[ours, theirs]: [Part, Part],
	inputs: (count: number) => object[],
): Promise<Pair> {
	const client = async (part: Part): Promise<Client> => {
		const run = await callable(environment, part);
		return plain((count) => run(inputs(count)));
	};
	return { name, ours: await client(ours), theirs: await client(theirs) };
}

/** Reads of one proposal. */
export async function reads(environment: BenchEnvironment): Promise<Pair> {
	const proposalId = seed.proposals.staleTheater;
	const url = `${environment.simulator.url}/public/proposals/${proposalId}`;
	const read = { resource: 'proposal', operation: 'get', proposalId: byId(proposalId) };
	const nodes: [Part, Part] = [
		portal({ ...read, simplify: false }),
		httpRequest({ method: 'GET', url }),
	];
	const pair = await pairOf(environment, 'reads', nodes, (count) => Array(count).fill({}));
	return { ...pair, latencyMs: 20, isAlone: true };
}

/** Cost refreshes of as many drafts. */
export async function refreshes(environment: BenchEnvironment): Promise<Pair> {
	const { control, url } = environment.simulator;
	const drafts = control.addProposals(300, { like: seed.proposals.staleTheater });
	const nodes: [Part, Part] = [
		portal({
			resource: 'item',
			operation: 'refreshCosts',
			proposalId: byId('={{ $json.id }}'),
		}),
		httpRequest({ ...form({}), url: `=${url}/public/proposals/{{ $json.id }}/items/costupdate` }),
	];
	const pair = await pairOf(environment, 'cost refreshes', nodes, (count) =>
		drafts.slice(0, count).map((id) => ({ id })),
	);
	return { ...pair, latencyMs: 100 };
}

/** Rows of a list into twenty new areas; the HTTP Request node knows the IDs of one. */
export async function partsList(environment: BenchEnvironment): Promise<Pair> {
	const { control, url } = environment.simulator;
	const { empty } = seed.proposals;
	const part = control.catalogItems(seed.accounts.dealer).find((one) => one.item_type === 'Part')!;
	const model = `${part.brand} ${part.model}`;
	const nodes: [Part, Part] = [
		portal({
			resource: 'item',
			operation: 'add',
			proposalId: byId(empty),
			areaOptionId: { __rl: true, mode: 'name', value: '={{ $json.area }}' },
			specifyItems: 'fields',
			items: {
				item: [
					{ itemType: 'Part', itemId: { __rl: true, mode: 'model', value: model }, quantity: 1 },
				],
			},
			options: { createMissingArea: true },
		}),
		httpRequest({
			...form({
				AreaOptionId: '={{ $json.option }}',
				Items: JSON.stringify([{ itemId: part.id, itemType: 'Part', quantity: 1 }]),
			}),
			url: `${url}/public/proposals/${empty}/items`,
		}),
	];
	let lists = 0;
	return await pairOf(environment, 'parts list', nodes, (count) => {
		lists++;
		const option = control.proposal(empty).areas[0]?.options[0].id;
		return Array.from({ length: count }, (_, index) => {
			return { option, area: `List ${lists}, room ${(index % 20) + 1}` };
		});
	});
}
