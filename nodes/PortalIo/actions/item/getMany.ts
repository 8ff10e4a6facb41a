import type { IDataObject } from 'n8n-workflow';
import { ITEM_TYPES, type Proposal } from '../../../../service/model';
import { path } from '../../../../service/path';
import { choices, paging, proposalId } from '../fields';
import type { Operation } from '../operation';
import { choicesOf, collectionOf, idOf, optionalIdOf } from '../values';

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
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Area ID',
					name: 'areaId',
					type: 'string',
					default: '',
					description: 'Only items of this area',
				},
				{
					displayName: 'Area Option ID',
					name: 'areaOptionId',
					type: 'string',
					default: '',
					description: 'Only items of this option of an area',
				},
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
		const { areaId, areaOptionId, itemTypes } = readFilters(parameters.filters);
		return itemsOf(answer as unknown as Proposal).filter(
			(item) =>
				(areaId === undefined || item.areaId === areaId) &&
				(areaOptionId === undefined || item.areaOptionId === areaOptionId) &&
				(itemTypes.length === 0 || itemTypes.includes(String(item.itemType))),
		);
	},
};

function readFilters(value: unknown) {
	const filters = collectionOf(value);
	return {
		areaId: optionalIdOf(filters.areaId, 'Area ID'),
		areaOptionId: optionalIdOf(filters.areaOptionId, 'Area Option ID'),
		itemTypes: choicesOf(filters.itemTypes, 'Item Types', ITEM_TYPES),
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
