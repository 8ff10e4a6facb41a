/** docs/dev/portal-api.md#items */
import {
	itemsOf,
	proposalAfterChange,
	readProposal,
	type ProposalItem,
} from '../../../../client/proposal';
import { path } from '../../../../client/request';
import { asFilter } from '../../fields/declare';
import * as field from '../../fields/kinds';
import {
	anyItemIds,
	areaOptionIds,
	catalogItemId,
	itemId,
	itemIds,
	placementId,
	proposalId,
	supplierId,
} from '../../fields/locators';
import { readUpdatedProposal } from '../../operation/confirm';
import { oneRequest, operation, type Resource } from '../../operation/operation';
import { fromResponse } from '../../operation/output';
import { request } from '../../operation/requests';
import { sendUpdate, updateFieldsOf } from '../../operation/steps';
import { itemType } from '../catalog';
import { itemOutput, refreshedOutput } from '../shapes';
import { add } from './add';
import { assertInProposal, isChecked, itemsBeforeChange, itemsResult } from './checkResult';
import { deleteItems } from './delete';
import { checkedOptions, placementOptions } from './fields';
import { getMany } from './getMany';
import { differing } from './match';
import { assumedFields, UPDATE_VALUES, updateOfItem, type ItemValues } from './values';

const copy = operation({
	name: 'Copy',
	action: 'Copy items in proposal',
	description: 'Copy items of a proposal to one or more area options',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, itemIds, areaOptionIds, options: checkedOptions },
	run: async (call) => {
		const { proposalId, itemIds, areaOptionIds } = call.values;
		const before = await itemsBeforeChange(call);
		assertInProposal(before, itemIds);
		const form = assumedFields({ proposalItemIds: itemIds, areaOptionIds });
		const itemsPath = path`/public/proposals/${proposalId}/items/copy`;
		const response = await call.send(request.post(itemsPath, form));
		const originals = new Map(before?.map((item) => [item.id, item]));
		const expectedItems = areaOptionIds.flatMap((areaOptionId) =>
			itemIds.map((id) => ({
				name: `item ${id}`,
				values: { ...recognizableValues(originals.get(id)), areaOptionId },
			})),
		);
		return await itemsResult(call, {
			response,
			before,
			expectedItems,
			verb: 'copied',
			includesNested: true,
		});
	},
	output: itemOutput,
});

/** A copy has the same values, so they identify it among new items. */
const recognizableValues = (item?: ProposalItem): ItemValues => ({
	itemType: item?.itemType,
	quantity: item?.quantity,
	referencedItemId: item?.referencedItemId,
});

const getSuppliers = operation({
	name: 'Get Suppliers',
	action: 'Get suppliers of item',
	description: 'Retrieve the suppliers of a proposal item, with their costs',
	kind: 'read',
	fields: { proposalId, itemId },
	run: oneRequest(
		({ proposalId, itemId }) =>
			request.get(path`/public/proposals/${proposalId}/items/${itemId}/suppliers`),
		{ list: ['suppliers'], inputFields: ['proposalId', 'itemId'] },
	),
	output: {
		asIs: {
			proposalId: 'integer',
			itemId: 'integer',
			id: 'integer',
			name: 'string',
			cost: 'object',
		},
	},
});

const move = operation({
	name: 'Move',
	action: 'Move items in proposal',
	description: 'Move items of a proposal to another area option',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, itemIds, areaOptionId: placementId, options: placementOptions },
	run: async (call) => {
		const { proposalId, itemIds, areaOptionId } = call.values;
		const before = await itemsBeforeChange(call);
		assertInProposal(before, itemIds);
		const form = assumedFields({ proposalItemIds: itemIds, areaOptionId });
		const itemsPath = path`/public/proposals/${proposalId}/items/move`;
		const response = await call.send(request.repeatablePost(itemsPath, form));
		const originals = new Map(before?.map((item) => [item.id, item]));
		const expectedItems = itemIds.map((id) => ({
			name: `item ${id}`,
			id,
			values: { areaOptionId },
			// Portal.io does not document whether a moved item keeps its ID.
			replacement: { ...recognizableValues(originals.get(id)), areaOptionId },
		}));
		return await itemsResult(call, { response, before, expectedItems, includesNested: true });
	},
	output: itemOutput,
});

const refreshCosts = operation({
	name: 'Refresh Costs',
	action: 'Refresh costs of items',
	description:
		'Set item costs to the latest catalog costs. This changes the margin, not the prices.',
	unconfirmed: 'unchecked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		marginNotice: field.notice(
			"The output has profit and margin before and after the refresh. Margins are in percent, such as 41, and empty if the total is 0. n8n's Filter takes an empty margin for 0: add the condition 'is not empty' there.",
		),
		proposalId,
		itemIds: asFilter(anyItemIds('Leave empty for all items.')),
	},
	run: async (call) => {
		const { proposalId, itemIds, output } = call.values;
		// A failed read stops the step before it changes costs. *Raw* needs no read.
		const before = output === 'raw' ? undefined : await readProposal(call, proposalId);
		const itemsPath = path`/public/proposals/${proposalId}/items/costupdate`;
		const form = assumedFields(itemIds === undefined ? {} : { proposalItemIds: itemIds });
		const response = await call.send(request.repeatablePost(itemsPath, form));
		const proposal = await readUpdatedProposal(call, proposalId, response);
		return { records: [{ ...proposal, before }], raw: proposal };
	},
	output: refreshedOutput,
});

const replace = operation({
	name: 'Replace',
	action: 'Replace item in proposal',
	description: 'Replace a proposal item with another catalog item',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		itemId,
		itemType,
		catalogItemId,
		options: checkedOptions,
	},
	run: async (call) => {
		const { proposalId, itemId, itemType, catalogItemId } = call.values;
		const before = await itemsBeforeChange(call);
		assertInProposal(before, [itemId]);
		const itemsPath = path`/public/proposals/${proposalId}/items/${itemId}/replace`;
		const form = assumedFields({ itemId: catalogItemId });
		const response = await call.send(request.repeatablePost(itemsPath, form));
		// The request has no type, and a part can have the ID of a labor item.
		const values = { referencedItemId: catalogItemId, itemType };
		// Portal.io does not document whether a replaced item keeps its ID.
		const expectedItems = [{ name: '', id: itemId, values, replacement: values }];
		return await itemsResult(call, { response, before, expectedItems });
	},
	output: itemOutput,
});

const setSupplier = operation({
	name: 'Set Supplier',
	action: 'Set supplier of item',
	description: 'Set the supplier of a proposal item, which also sets its cost',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, itemId, supplierId },
	run: async (call) => {
		const { proposalId, itemId, supplierId } = call.values;
		const itemsPath = path`/public/proposals/${proposalId}/items/${itemId}/supplier/${supplierId}`;
		const response = await call.send(request.repeatablePost(itemsPath, {}));
		const after = await readUpdatedProposal(call, proposalId, response);
		const items = itemsOf(after).filter(({ id }) => id === itemId);
		return fromResponse(after, items.length === 0 ? '' : items);
	},
	output: itemOutput,
});

const update = operation({
	name: 'Update',
	action: 'Update item in proposal',
	description:
		'Update the quantity, prices, descriptions, image or tax settings of a proposal item',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		itemId,
		updateFields: updateFieldsOf(UPDATE_VALUES),
		options: checkedOptions,
	},
	run: async (call) => {
		const { proposalId, itemId, updateFields } = call.values;
		const { isCombinedPrice, imageUrl } = updateFields;
		// Only the previous values show what to change and what has changed: *Combined Price* is a toggle, and
		// Portal.io may store an image under another URL.
		const isReadFirst = isCombinedPrice !== undefined || (Boolean(imageUrl) && isChecked(call));
		const proposal = isReadFirst ? await readProposal(call, proposalId) : undefined;
		let before = proposal && itemsOf(proposal);
		const previous = before?.find(({ id }) => id === itemId);
		const isToggled = previous === undefined || differing(previous, { isCombinedPrice }).length > 0;
		const requestOf = updateOfItem(proposalId, itemId);
		const response = await sendUpdate(call, UPDATE_VALUES, requestOf, async (step, latest) => {
			const isToggle = step.sets.includes(UPDATE_VALUES.isCombinedPrice.label);
			if (isToggle && !isToggled) return latest ?? proposal;
			// The requests before the image have changed the date of the item.
			if (before && latest && step.sets.includes(UPDATE_VALUES.imageUrl.label)) {
				before = itemsOf(await proposalAfterChange(call, proposalId, latest));
			}
			return await call.send(step);
		});
		const expectedItems = [{ name: '', id: itemId, values: updateFields }];
		return await itemsResult(call, { response, before, expectedItems });
	},
	output: itemOutput,
});

export const item: Resource = {
	name: 'Item',
	description: 'An item of a proposal',
	operations: {
		add,
		copy,
		delete: deleteItems,
		getMany,
		getSuppliers,
		move,
		refreshCosts,
		replace,
		setSupplier,
		update,
	},
};
