import type { IDataObject } from 'n8n-workflow';
import { ITEM_TYPES, type Proposal } from '../../../../client/model';
import { path } from '../../../../client/http/path';
import { choices } from '../../../shared/labels';
import { areaId, areaOptionId, paging, proposalId, simplify } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { choicesOf, collectionOf, idOf, optionalIdOf } from '../../shared/values';

/** Reads the proposal and gives one output item for each of its items (specification, *AreaItem*). */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many items',
	description:
		'List the items of a proposal, each with the area and option it stands in. Changes nothing.',
	mark: 'spec',
	fields: [
		proposalId,
		...paging,
		simplify,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{ ...areaId, required: false, description: 'Only items of this area' },
				{ ...areaOptionId, required: false, description: 'Only items of this option of an area' },
				{
					displayName: 'Item Types',
					name: 'itemTypes',
					type: 'multiOptions',
					options: choices(ITEM_TYPES),
					default: [],
					description: 'Only items of these types',
				},
			],
		},
	],
	request: (parameters) => {
		// Checked here, before anything is sent; `output` reads them again.
		readFilters(parameters.filters);
		return {
			method: 'GET',
			path: path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}`,
		};
	},
	output: (answer, parameters) => {
		const filters = readFilters(parameters.filters);
		const items = itemsOf(answer as unknown as Proposal).filter(
			(item) =>
				(filters.areaId === undefined || item.areaId === filters.areaId) &&
				(filters.areaOptionId === undefined || item.areaOptionId === filters.areaOptionId) &&
				(filters.itemTypes.length === 0 || filters.itemTypes.includes(String(item.itemType))),
		);
		return parameters.simplify ? items.map(simplifyItem) : items;
	},
};

function readFilters(value: unknown) {
	const filters = collectionOf(value);
	return {
		areaId: optionalIdOf(filters.areaId, 'Area'),
		areaOptionId: optionalIdOf(filters.areaOptionId, 'Area Option'),
		itemTypes: choicesOf(filters.itemTypes, 'Item Types', ITEM_TYPES),
	};
}

/** An item as the ten flat fields that people map (specification, *AreaItem*). */
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

/** The items of a proposal, in its order, each with where it stands. */
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
