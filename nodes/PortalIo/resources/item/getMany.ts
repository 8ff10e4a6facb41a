import type { IDataObject } from 'n8n-workflow';
import { ITEM_TYPES, type Proposal } from '../../../../client/model';
import { path } from '../../../../client/http/path';
import { optional } from '../../shared/field';
import { choices, filters } from '../../shared/fieldTypes';
import { paging, simplify } from '../../shared/lists';
import { areaId, areaOptionId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** The items inside a proposal: docs/portal-api.md#the-proposal */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many items',
	description:
		'List the items of a proposal, each with the area and option it stands in. Changes nothing.',
	mark: 'spec',
	fields: {
		proposalId,
		...paging,
		simplify,
		filters: filters({
			areaId: optional(areaId, { description: 'Only items of this area' }),
			areaOptionId: optional(areaOptionId, {
				description: 'Only items of this option of an area',
			}),
			itemTypes: choices('Item Types', ITEM_TYPES, { description: 'Only items of these types' }),
		}),
	},
	request: ({ proposalId }) => ({ method: 'GET', path: path`/public/proposals/${proposalId}` }),
	output: (answer, { filters: { areaId, areaOptionId, itemTypes }, simplify }) => {
		const items = itemsOf(answer as unknown as Proposal).filter(
			(item) =>
				(areaId === undefined || item.areaId === areaId) &&
				(areaOptionId === undefined || item.areaOptionId === areaOptionId) &&
				(itemTypes.length === 0 || itemTypes.includes(String(item.itemType))),
		);
		return simplify ? items.map(simplifyItem) : items;
	},
});

/** An item as the ten flat fields that people map. */
function simplifyItem(item: IDataObject): IDataObject {
	const product = [item.brand, item.model].filter(Boolean).join(' ');
	return {
		id: item.id,
		areaName: item.areaName,
		areaOptionId: item.areaOptionId,
		itemType: item.itemType,
		name: product || item.name || null,
		description: item.shortDescription ?? null,
		quantity: item.quantity,
		cost: item.cost ?? null,
		sellPrice: item.sellPrice ?? null,
		total: (item.total as IDataObject | undefined)?.amount ?? null,
	};
}

/** The items of a proposal, in its order, each with its area and option. */
function itemsOf(proposal: Proposal): IDataObject[] {
	return (proposal.areas ?? []).flatMap((area) =>
		area.options.flatMap((option) =>
			(option.items ?? []).map((item) => ({
				...(item as unknown as IDataObject),
				proposalId: proposal.id,
				proposalNumber: proposal.number,
				areaId: area.id,
				areaName: area.name,
				areaOptionId: option.id,
				areaOptionStatus: option.status,
			})),
		),
	);
}
