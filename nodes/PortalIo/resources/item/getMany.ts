import { mapConcurrent } from '../../../../client/concurrency';
import { path } from '../../../../client/encoding';
import { takeList } from '../../../../client/data';
import { ITEM_TYPES, itemsOf, readProposal, takeProposal } from '../../../../client/model';
import { optional } from '../../fields/field';
import { choices, filters, flag, options } from '../../fields/types';
import { paging, simplify } from '../../fields/lists';
import { anyAreaOptionId, areaId, changeOrderId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { itemOfChangeOrderShape, itemShape } from './itemShape';

/** How many change orders are read at a time. */
const CHANGE_ORDERS_AT_A_TIME = 5;

/** The items inside a proposal: docs/dev/portal-api.md#the-proposal */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many items in proposal',
	description:
		'Retrieve a list of the items of a proposal, each with its area, and if wanted those of its change orders',
	fields: {
		proposalId,
		...paging,
		simplify,
		filters: filters({
			acceptedOptionsOnly: flag('Accepted Options Only', {
				description: 'Whether to return only items of area options that the client accepted',
			}),
			areaId: optional(areaId, { description: 'Return only items of this area' }),
			areaOptionId: optional(anyAreaOptionId, {
				description: 'Return only items of this area option',
			}),
			changeOrderId: optional(changeOrderId, {
				description: 'Return the items of this change order instead of those of the proposal',
			}),
			excludeRecurringServices: flag('Exclude Recurring Services', {
				description:
					'Whether to leave out recurring services, such as monitoring, which are not part of the total',
			}),
			itemTypes: choices('Item Types', ITEM_TYPES, {
				description: 'Return only items of these types',
			}),
		}),
		options: options({
			includeChangeOrders: flag('Include Change Orders', {
				description:
					"Whether to add the items of the change orders, each with its 'changeOrderId'. A negative quantity takes items back. Takes one more request for each change order.",
			}),
		}),
	},
	execute: async (call) => {
		const { proposalId, filters, options } = call.values;
		const place = path`/public/proposals/${proposalId}/changeorders`;
		const read = async (path: string) => await call.send({ method: 'GET', path });
		const proposal = await readProposal(call.send, proposalId);
		const all = options.includeChangeOrders ? await read(place) : [];
		const isOne = filters.changeOrderId !== undefined;
		const ids = isOne ? [filters.changeOrderId] : takeList(all, 'changeOrders').map(({ id }) => id);
		const parent = { id: proposalId, number: proposal.number };
		const changeOrders = await mapConcurrent(ids, CHANGE_ORDERS_AT_A_TIME, async (id) => ({
			...takeProposal(await read(place + path`/${Number(id)}`)),
			parent,
		}));
		return isOne ? changeOrders : [proposal, ...changeOrders];
	},
	output: {
		shape: itemShape,
		shapeFor: ({ options }) => (options.includeChangeOrders ? itemOfChangeOrderShape : undefined),
		records: (response, { filters }) => {
			const { acceptedOptionsOnly, areaId, areaOptionId, excludeRecurringServices, itemTypes } =
				filters;
			return itemsOf(takeProposal(response)).filter(
				(item) =>
					(acceptedOptionsOnly !== true || item.areaOptionStatus === 'Accepted') &&
					(excludeRecurringServices !== true || item.isRecurringService !== true) &&
					(areaId === undefined || item.areaId === areaId) &&
					(areaOptionId === undefined || item.areaOptionId === areaOptionId) &&
					(itemTypes.length === 0 || itemTypes.includes(item.itemType)),
			);
		},
		raw: 'records',
	},
});
