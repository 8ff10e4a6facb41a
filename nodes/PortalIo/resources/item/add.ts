import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { choices } from '../../../shared/labels';
import { areaOptionId, proposalId } from '../../shared/fields';
import { ITEM_TYPES } from '../../../../client/model';
import type { Operation } from '../../shared/operation';
import {
	choiceOf,
	collectionOf,
	FieldError,
	idOf,
	optionalIdOf,
	quantityOf,
} from '../../shared/values';

/** Path: specification, *Further operations*; body assumed (operations.md, `item`). */
export const add: Operation = {
	name: 'Add',
	action: 'Add items',
	description:
		'Add items of the catalog, labor, custom items or fees to an option of an area. Running it twice adds them twice.',
	mark: 'assumed',
	fields: [
		proposalId,
		areaOptionId,
		{
			displayName: 'Items',
			name: 'items',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add item',
			default: {},
			required: true,
			options: [
				{
					displayName: 'Item',
					name: 'item',
					values: [
						{
							displayName: 'Catalog Item ID',
							name: 'itemId',
							type: 'string',
							default: '',
							description: 'The ID in the catalog, or in your own labor, custom items and fees',
						},
						{
							displayName: 'Type',
							name: 'itemType',
							type: 'options',
							options: choices(ITEM_TYPES),
							default: 'Part',
						},
						{ displayName: 'Quantity', name: 'quantity', type: 'number', default: 1 },
						{
							displayName: 'Parent Item ID',
							name: 'parentId',
							type: 'string',
							default: '',
							description: 'The item of this proposal to put it under, if any',
						},
					],
				},
			],
		},
		correctionOptions,
	],
	request: (parameters) => {
		const given = collectionOf(parameters.items).item ?? parameters.items;
		const items = (Array.isArray(given) ? given : []).map((entry: unknown) => {
			const { itemId, itemType, quantity, parentId } = collectionOf(entry);
			const parent = optionalIdOf(parentId, 'Items: Parent Item ID');
			return {
				itemId: idOf(itemId, 'Items: Catalog Item ID'),
				itemType: choiceOf(itemType ?? 'Part', 'Items: Type', ITEM_TYPES),
				quantity: quantityOf(quantity ?? 1, 'Items: Quantity'),
				...(parent === undefined ? {} : { parentId: parent }),
			};
		});
		if (items.length === 0) throw new FieldError('Items', 'is empty: add at least one');
		const proposal = idOf(parameters.proposalId, 'Proposal');
		return {
			method: 'POST',
			path: path`/public/proposals/${proposal}/items`,
			...assumedBody(
				{ AreaOptionId: idOf(parameters.areaOptionId, 'Area Option'), Items: items },
				parameters,
			),
		};
	},
};
