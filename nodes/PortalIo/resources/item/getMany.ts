import { mapConcurrent } from '../../../../client/concurrency';
import { requireList } from '../../../../client/guards';
import {
	ITEM_TYPES,
	itemsOf,
	readProposal,
	requireProposal,
	type ProposalItem,
} from '../../../../client/proposal';
import { path } from '../../../../client/request';
import { nameKey } from '../../../shared/text';
import * as collection from '../../fields/collections';
import { described, optional } from '../../fields/declare';
import * as field from '../../fields/kinds';
import { wholePaging } from '../../fields/listing';
import { areaId, areaOptionField, changeOrderId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { withModel } from '../models';
import { itemOutput } from '../shapes';

const CHANGE_ORDERS_AT_A_TIME = 5;

const itemFilters = collection.filters({
	acceptedOptionsOnly: field.flag('Accepted Options Only', {
		description: 'Whether to return only items of area options that the client accepted',
	}),
	areaId: optional(described(areaId, 'Return only items of this area')),
	areaOptionId: optional(areaOptionField('Return only items of this area option')),
	brands: field.texts('Brands', { description: 'Separate several with commas' }),
	changeOrderId: described(
		optional(changeOrderId),
		'Return the items of this change order instead of those of the proposal',
	),
	excludeRecurringServices: field.flag('Exclude Recurring Services', {
		description: 'Whether to leave out recurring services, which are not part of the total',
	}),
	itemTypes: field.choices('Item Types', ITEM_TYPES),
	models: field.texts('Models', {
		description: 'With or without the brand. Separate several with commas.',
	}),
	searchText: field.text('Search Text', {
		description: 'Words of the name, brand, model or description',
	}),
	suppliers: field.texts('Suppliers', { description: 'Separate several with commas' }),
});

type ItemFilters = Awaited<ReturnType<typeof itemFilters.read>>;

/** docs/dev/portal-api.md#the-proposal */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many items in proposal',
	description: 'Retrieve a list of the items of a proposal, each with its area',
	kind: 'read',
	fields: {
		proposalId,
		...wholePaging,
		filters: itemFilters,
		options: collection.options({
			includeChangeOrders: field.flag('Include Change Orders', {
				description:
					'Whether to include change order items. Negative quantities are removals. Sends one more request per change order.',
			}),
		}),
	},
	run: async (call) => {
		const { proposalId, filters, options } = call.values;
		const changeOrdersPath = path`/public/proposals/${proposalId}/changeorders`;
		const read = async (url: string) => await call.send(request.get(url));
		const proposal = await readProposal(call, proposalId);
		const changeOrderList = options.includeChangeOrders ? await read(changeOrdersPath) : [];
		const isOfChangeOrder = filters.changeOrderId !== undefined;
		const ids = isOfChangeOrder
			? [filters.changeOrderId]
			: requireList(changeOrderList, 'changeOrders').map(({ id }) => id);
		const changeOrders = await mapConcurrent(ids, CHANGE_ORDERS_AT_A_TIME, async (id) =>
			requireProposal(await read(changeOrdersPath + path`/${Number(id)}`)),
		);
		const proposals = isOfChangeOrder ? changeOrders : [proposal, ...changeOrders];
		return {
			records: proposals.flatMap((source) => {
				const items = withModels(itemsOf(source, proposal), filters.models);
				return items.filter(matches(filters));
			}),
			extraFields: options.includeChangeOrders || isOfChangeOrder ? ['changeOrderId'] : [],
		};
	},
	output: itemOutput,
});

/** Ignores case. An empty list accepts every name. */
const acceptsName = (names: string[] = [], name: unknown) =>
	names.length === 0 || names.some((entry) => nameKey(entry) === nameKey(name));

function withModels(items: ProposalItem[], models: string[] = []): ProposalItem[] {
	const matching = new Set(models.flatMap((model) => withModel(items, model)));
	return models.length === 0 ? items : items.filter((item) => matching.has(item));
}

/** Ignores case and the order of the words. */
function hasWords({ name, brand, model, shortDescription }: ProposalItem, words = ''): boolean {
	const text = nameKey([name, brand, model, shortDescription].join(' '));
	return nameKey(words)
		.split(' ')
		.every((word) => text.includes(word));
}

const matches = (filters: ItemFilters) => (item: ProposalItem) =>
	(filters.acceptedOptionsOnly !== true || item.areaOptionStatus === 'Accepted') &&
	(filters.excludeRecurringServices !== true || item.isRecurringService !== true) &&
	(filters.areaId === undefined || item.areaId === filters.areaId) &&
	(filters.areaOptionId === undefined || item.areaOptionId === filters.areaOptionId) &&
	acceptsName(filters.itemTypes, item.itemType) &&
	hasWords(item, filters.searchText) &&
	acceptsName(filters.brands, item.brand) &&
	acceptsName(filters.suppliers, item.supplier);
