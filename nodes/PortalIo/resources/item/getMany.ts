import { mapConcurrent } from '../../../../client/concurrency';
import { requireList } from '../../../../client/responseShape';
import {
	areasOf,
	ITEM_TYPES,
	itemsOf,
	optionsOf,
	readProposal,
	requireProposal,
	type Proposal,
	type ProposalItem,
} from '../../../../client/proposal';
import { path } from '../../../../client/request';
import { nameKey } from '../../../shared/text';
import * as collection from '../../fields/collections';
import { withDescription, makeOptional } from '../../fields/declare';
import type { Found } from '../../fields/field';
import * as field from '../../fields/fieldTypes';
import { wholePaging } from '../../fields/listFields';
import {
	areaId,
	areaOptionField,
	changeOrderId,
	keepName,
	proposalId,
} from '../../fields/locators';
import { labelErrors, ValueError } from '../../fields/fieldError';
import { defineOperation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { findArea, findOption, locateOption, missingAreaError } from '../areaNames';
import { matchModel } from '../modelNumbers';
import { itemOutput } from '../outputs';

const CHANGE_ORDERS_AT_A_TIME = 5;

const itemFilters = collection.filters({
	acceptedOptionsOnly: field.flag('Accepted Options Only', {
		description: 'Whether to return only items in area options that the client accepted',
	}),
	areaId: makeOptional(
		keepName(
			withDescription(
				areaId,
				"Return only items in this area, including items in change orders if you add 'Include Change Orders'",
			),
		),
	),
	areaOptionId: makeOptional(
		keepName(
			areaOptionField(
				"Return only items in this area option. To include its items in change orders, use the option's name.",
			),
		),
	),
	brands: field.texts('Brands', { description: 'Separate multiple values with commas' }),
	changeOrderId: withDescription(
		makeOptional(changeOrderId),
		"Return this change order's items instead of the proposal's",
	),
	excludeRecurringServices: field.flag('Exclude Recurring Services', {
		description: 'Whether to leave out recurring services, which are not part of the total',
	}),
	itemTypes: field.choices('Item Types', ITEM_TYPES),
	models: field.texts('Models', {
		description:
			'Models, with or without the brand. For labor and fees, enter the name instead. Separate multiple models with commas.',
	}),
	searchText: field.text('Search Text', {
		description: 'Words to find in the name, brand, model, or description',
	}),
	suppliers: field.texts('Suppliers', { description: 'Separate multiple values with commas' }),
});

type ItemFilters = Found<ReturnType<typeof itemFilters.parse>>;

/** See docs/dev/portal-api.md#the-proposal. */
export const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many items in proposal',
	description:
		"Retrieve a list of the items in a proposal, each with its area. Leaves out items of declined options unless 'Include Declined Options' is on.",
	kind: 'read',
	fields: {
		proposalId,
		...wholePaging,
		filters: itemFilters,
		options: collection.options({
			includeChangeOrders: field.flag('Include Change Orders', {
				description:
					"Whether to include the items in change orders. A negative quantity removes items. To see where an item comes from, set 'Output' to 'Selected Fields' and select 'Change Order ID'.",
			}),
			includeDeclinedOptions: field.flag('Include Declined Options', {
				description:
					"Whether to include items in area options that the client declined. To tell them apart, set 'Output' to 'Selected Fields' and select 'Option Status'.",
			}),
		}),
	},
	run: async (call) => {
		const { proposalId, filters, options } = call.values;
		const changeOrdersPath = path`/public/proposals/${proposalId}/changeorders`;
		const read = async (url: string) => await call.send(request.get(url));
		const isOfChangeOrder = filters.changeOrderId !== undefined;
		const includesAll = options.includeChangeOrders === true && !isOfChangeOrder;
		if (isOfChangeOrder && options.includeChangeOrders) {
			call.hint("'Include Change Orders' has no effect with the filter 'Change Order'.");
		}
		if (filters.acceptedOptionsOnly && options.includeDeclinedOptions) {
			call.hint(
				"'Include Declined Options' has no effect with the filter 'Accepted Options Only'.",
			);
		}
		const proposal = await readProposal(call, proposalId);
		const changeOrderList = includesAll ? await read(changeOrdersPath) : [];
		const ids = isOfChangeOrder
			? [filters.changeOrderId]
			: requireList(changeOrderList, 'changeOrders').map(({ id }) => id);
		const changeOrders = await mapConcurrent(ids, CHANGE_ORDERS_AT_A_TIME, async (id) =>
			requireProposal(await read(changeOrdersPath + path`/${Number(id)}`)),
		);
		const sources = isOfChangeOrder ? changeOrders : [proposal, ...changeOrders];
		const isInArea = labelErrors('Area', () => matchArea(filters, { proposal, sources }));
		const isInOption = labelErrors('Area Option', () =>
			matchOption(filters, { proposal, sources }),
		);
		const items = sources.flatMap((source) => itemsOf(source, proposal));
		const matches = filterByModels(items, filters.models).filter(
			(item) => isInArea(item) && isInOption(item) && matchFilters(item, filters),
		);
		// Include a declined option's items if the user chose that option.
		const includesDeclined =
			options.includeDeclinedOptions === true || filters.areaOptionId !== undefined;
		const records = includesDeclined
			? matches
			: matches.filter(({ areaOptionStatus }) => areaOptionStatus !== 'Declined');
		if (records.length === 0 && matches.length > 0) {
			call.hint(
				"All matching items belong to options that the client declined. To return them, turn on 'Include Declined Options'.",
			);
		}
		return records;
	},
	output: itemOutput,
});

/** Returns whether a list contains a name, ignoring case. An empty list accepts every name. */
const acceptsName = (names: string[] = [], name: unknown) =>
	names.length === 0 || names.some((entry) => nameKey(entry) === nameKey(name));

function filterByModels(items: ProposalItem[], models: string[] = []): ProposalItem[] {
	const matching = new Set(models.flatMap((model) => matchModel(items, model)));
	return models.length === 0 ? items : items.filter((item) => matching.has(item));
}

/** Returns whether an item's name, brand, model, and description contain all words, ignoring case and order. */
function hasWords({ name, brand, model, shortDescription }: ProposalItem, words = ''): boolean {
	const text = nameKey([name, brand, model, shortDescription].join(' '));
	return nameKey(words)
		.split(' ')
		.every((word) => text.includes(word));
}

/** A proposal, and the sources of the returned items, which are the proposal, change orders, or both. */
interface Sources {
	proposal: Proposal;
	sources: Proposal[];
}

/**
 * Returns a function that checks whether an item is in the chosen area. In each source, the area has the same name but
 * a different ID.
 */
function matchArea({ areaId: chosen }: ItemFilters, { proposal, sources }: Sources) {
	if (chosen === undefined) return () => true;
	const allAreas = [proposal, ...sources].flatMap(areasOf);
	const name = typeof chosen === 'string' ? chosen : allAreas.find(hasId(chosen))?.name;
	if (name === undefined) throw new ValueError(`was not found: no area has the ID ${chosen}`);
	const find = (source: Proposal) =>
		areasOf(source).find(hasId(chosen)) ?? findArea(areasOf(source), name);
	const ids = new Set(sources.map((source) => find(source)?.id));
	// Fail only if the proposal also lacks the area, because a change order does not have all areas.
	if (![proposal, ...sources].some(find)) throw missingAreaError(allAreas, name);
	return ({ areaId }: ProposalItem) => ids.has(areaId);
}

function matchOption({ areaOptionId: chosen }: ItemFilters, { proposal, sources }: Sources) {
	if (chosen === undefined) return () => true;
	if (typeof chosen === 'number') {
		const options = sources.flatMap(optionsOf).map(({ option }) => option);
		if (options.some(hasId(chosen))) return (item: ProposalItem) => item.areaOptionId === chosen;
		const problem = `was not found: no area option has the ID ${chosen}. The options in change orders have their own IDs. To find them as well, use the option's name.`;
		throw new ValueError(problem);
	}
	const find = (source: Proposal) => locateOption(areasOf(source), chosen).option;
	const ids = new Set(sources.map((source) => find(source)?.id));
	if (!sources.some(find)) findOption(areasOf(proposal), chosen);
	return ({ areaOptionId }: ProposalItem) => ids.has(areaOptionId);
}

const hasId =
	(id: unknown) =>
	(record: { id: number }): boolean =>
		record.id === id;

const matchFilters = (item: ProposalItem, filters: ItemFilters) =>
	(filters.acceptedOptionsOnly !== true || item.areaOptionStatus === 'Accepted') &&
	(filters.excludeRecurringServices !== true || item.isRecurringService !== true) &&
	acceptsName(filters.itemTypes, item.itemType) &&
	hasWords(item, filters.searchText) &&
	acceptsName(filters.brands, item.brand) &&
	acceptsName(filters.suppliers, item.supplier);
