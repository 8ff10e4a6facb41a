/** Runs operations of this package on a proposal of the probe's own, to see whether they take effect. */
import type { Json } from '../simulator/contract.mts';

export interface Effect {
	operation: string;
	result: string;
	hasFailed: boolean;
}

/** Runs an operation, as `item.add`, and returns the records of its output. */
export type RunOperation = (operation: string, parameters: object) => Promise<Json[]>;

type State = Record<string, Json>;

/** An operation with its parameters, and what later ones need from its output. */
type Step = [
	operation: string,
	parameters: (state: State) => Record<string, Json>,
	keep?: (output: Json[], state: State) => void,
];

const updates: Record<string, Json> = {
	quantity: 3,
	sellPrice: 1234.5,
	cost: 234.5,
	msrp: 2345.5,
	isTaxExempt: true,
	shortDescription: 'n8n probe, "short" description',
	clientNote: 'n8n probe, client note',
	imageUrl: 'https://example.com/n8n-probe.png',
};

const update =
	(item: string, field: string, value: Json) =>
	({ proposalId, [item]: itemId }: State) => ({
		...{ proposalId, itemId, updateFields: { [field]: value } },
	});

const add = (name: string, row: (state: State) => Record<string, Json>): Step => [
	'item.add',
	(state) => {
		const { proposalId, areaOptionId } = state;
		const entry = row(state);
		const itemsJson = Object.values(entry).includes(undefined) ? undefined : [entry];
		return { proposalId, areaOptionId, specifyItems: 'json', itemsJson };
	},
	([item], state) => {
		state[name] = item.id;
	},
];

const steps: Step[] = [
	['user.getMany', () => ({ limit: 1 }), ([user], state) => (state.salesPersonId = user.id)],
	[
		'proposal.create',
		({ salesPersonId }) => ({ salesPersonId, name: `n8n probe ${new Date().toISOString()}` }),
		([proposal], state) => (state.proposalId = proposal.proposalId),
	],
	[
		'area.create',
		({ proposalId }) => ({ proposalId, name: 'n8n probe' }),
		([area], state) => Object.assign(state, { areaId: area.id, areaOptionId: area.areaOptionId }),
	],
	[
		'areaOption.create',
		({ proposalId, areaId }) => ({ proposalId, areaId }),
		([option], state) => (state.secondOption = option.areaOptionId),
	],
	[
		'catalog.search',
		() => ({ limit: 2, filters: { itemType: 'Part' } }),
		([part, other], state) => Object.assign(state, { part: part?.id, otherPart: other?.id }),
	],
	[
		'catalog.search',
		() => ({ limit: 1, filters: { itemType: 'Labor' } }),
		([labor], state) => (state.labor = labor?.id),
	],
	add('item', ({ part }) => ({ itemId: part, itemType: 'Part', quantity: 1 })),
	add('nested', ({ part, item }) => ({ itemId: part, itemType: 'Part', parentId: item })),
	add('service', ({ labor }) => ({ itemId: labor, itemType: 'Labor', quantity: 2 })),
	...Object.entries(updates).map(([field, value]): Step => [
		'item.update',
		update('item', field, value),
	]),
	['item.update', update('item', 'isCombinedPrice', true)],
	['item.update', update('service', 'isRecurringService', true)],
	[
		'item.getSuppliers',
		({ proposalId, item }) => ({ proposalId, itemId: item }),
		(suppliers, state) => (state.supplierId = suppliers.at(-1)?.id),
	],
	[
		'item.setSupplier',
		({ proposalId, item, supplierId }) => ({ proposalId, itemId: item, supplierId }),
	],
	['item.refreshCosts', ({ proposalId, item }) => ({ proposalId, itemIds: [item] })],
	[
		'item.replace',
		({ proposalId, item, otherPart }) => ({ proposalId, itemId: item, catalogItemId: otherPart }),
	],
	[
		'item.copy',
		({ proposalId, service, secondOption }) => ({
			...{ proposalId, itemIds: [service], areaOptionIds: [secondOption] },
		}),
		([copy], state) => (state.copy = copy.id),
	],
	[
		'item.move',
		({ proposalId, service, secondOption }) => ({
			...{ proposalId, itemIds: [service], areaOptionId: secondOption },
		}),
	],
	['item.delete', ({ proposalId, item, service }) => ({ proposalId, itemIds: [item, service] })],
	['item.delete', ({ proposalId, copy }) => ({ proposalId, itemIds: [copy] })],
];

const isIncomplete = (parameters: Record<string, Json>) =>
	Object.values(parameters).some((value) => [value].flat().includes(undefined));

/** Runs all operations in order; one that needs what a failed one did not give is not tried. */
export async function tryOperations(run: RunOperation): Promise<Effect[]> {
	const state: State = {};
	const effects: Effect[] = [];
	for (const [name, parametersOf, keep] of steps) {
		const parameters = parametersOf(state);
		const operation = [name, ...Object.keys(parameters.updateFields ?? {})].join(' ');
		const end = (result: string, hasFailed = true) =>
			effects.push({ operation, result, hasFailed });
		if (isIncomplete(parameters)) {
			end('not tried: an operation before it failed');
			continue;
		}
		try {
			const output = await run(name, parameters);
			keep?.(output, state);
			end('took effect', false);
		} catch (error) {
			end((error as Error).message);
		}
	}
	return effects;
}
