/** See docs/dev/portal-api.md#items. */
import {
	itemsOf,
	proposalAfterChange,
	readProposal,
	type ProposalItem,
} from '../../../../client/proposal';
import * as collection from '../../fields/collections';
import { itemId, proposalId } from '../../fields/locators';
import { labelOf, updateOperation } from '../../operation/updateOperation';
import { itemOutput } from '../shapes';
import {
	checkResult,
	isChecked,
	readAfterChange,
	resultError,
	selectUnchecked,
	type CheckedProgress,
} from './check';
import {
	describeDifference,
	findDifferences,
	UPDATE_VALUES,
	updateOfItem,
	type ItemValues,
	type UpdateName,
} from './values';

const COMBINED_PRICE = labelOf(UPDATE_VALUES.isCombinedPrice);
const IMAGE = labelOf(UPDATE_VALUES.imageUrl);

export const update = updateOperation({
	name: 'Update',
	action: 'Update item in proposal',
	description: "Update a proposal item's quantity, prices, descriptions, image, or tax settings",
	unconfirmed: 'checked',
	fields: { proposalId, itemId, options: collection.options({ checkResult }) },
	table: UPDATE_VALUES,
	requestOf: ({ proposalId, itemId }) => updateOfItem(proposalId, itemId),
	run: async (call, sendUpdate) => {
		const { proposalId, itemId, updateFields } = call.values;
		const { isCombinedPrice, imageUrl } = updateFields;
		const findItem = (items: ProposalItem[]) => items.find(({ id }) => id === itemId);
		// Read the previous values first if they are needed: *Combined Price* is a toggle, and Portal.io can store an
		// image under another URL.
		const isReadFirst = isCombinedPrice !== undefined || (Boolean(imageUrl) && isChecked(call));
		const proposal = isReadFirst ? await readProposal(call, proposalId) : undefined;
		let previous = proposal && findItem(itemsOf(proposal));
		const isToggled =
			previous === undefined || findDifferences(previous, { isCombinedPrice }).length > 0;
		const response = await sendUpdate(async (step, latest) => {
			if (step.sets.includes(COMBINED_PRICE) && !isToggled) return latest ?? proposal;
			// Use the latest date of the item, because the requests before the image have changed it.
			if (proposal && latest && step.sets.includes(IMAGE)) {
				previous = findItem(itemsOf(await proposalAfterChange(call, proposalId, latest)));
			}
			return await call.send(step);
		});
		if (!isChecked(call)) return selectUnchecked(response, [itemId]);
		const after = await readAfterChange(call, response);
		const item = findItem(itemsOf(after));
		if (item === undefined) throw resultError(call, [`item ${itemId} is not in the proposal`]);
		const differences = findDifferences(item, updateFields).filter(
			(name) => !(name === 'imageUrl' && imageUrl && isCopiedImage(item, previous)),
		) as UpdateName[];
		if (differences.length === 0) return [item];
		const problems = differences.map((name) => describeDifference(item, updateFields, name));
		throw resultError(call, problems, progressOf(call.values, differences));
	},
	output: itemOutput,
});

/** Returns whether the image is new. Portal.io can store a copy of it under another URL. */
const isCopiedImage = (item: ProposalItem, previous?: ProposalItem): boolean =>
	Boolean(item.imageUrl) &&
	(item.imageUrl !== previous?.imageUrl || item.lastModifiedDate !== previous?.lastModifiedDate);

/** Returns which values an update has set, and which it may have changed to another value. */
function progressOf(
	{
		proposalId,
		itemId,
		updateFields,
	}: { proposalId: number; itemId: number; updateFields: ItemValues },
	differences: UpdateName[],
): CheckedProgress {
	const labelsOf = (names: UpdateName[]) =>
		names.map((name) => `'${labelOf(UPDATE_VALUES[name])}'`).join(', ');
	const sentNames = (Object.keys(UPDATE_VALUES) as UpdateName[]).filter(
		(name) => updateFields[name] !== undefined,
	);
	const setNames = sentNames.filter((name) => !differences.includes(name));
	const isSet =
		setNames.length === 0
			? `Item ${itemId} has none of the new values.`
			: `Set: ${labelsOf(setNames)}.`;
	return {
		// Mention another value, because Portal.io can set 0 or an empty text if it does not know the name of the
		// field.
		done: `${isSet} The request might have changed ${labelsOf(differences)} to another value, or someone else did at the same time. Check the item in Portal.io.`,
		path: updateOfItem(proposalId, itemId)(UPDATE_VALUES[differences[0]!].part, {}).path,
	};
}
