/** See docs/dev/portal-api.md#items. */
import {
	itemsOf,
	readChangedProposal,
	readProposal,
	type ProposalItem,
} from '../../../../client/proposal';
import * as collection from '../../fields/collections';
import { itemId, proposalId } from '../../fields/locators';
import { labelOf, defineUpdate } from '../../operation/updateOperation';
import { itemOutput } from '../outputs';
import {
	checkResult,
	isChecked,
	readAfterChange,
	resultError,
	selectUnchecked,
	type CheckedProgress,
} from './checkResult';
import {
	describeDifference,
	findDifferences,
	UPDATE_VALUES,
	itemUpdate,
	type ItemValues,
	type UpdateName,
} from './itemValues';

const COMBINED_PRICE = labelOf(UPDATE_VALUES.isCombinedPrice);
const IMAGE = labelOf(UPDATE_VALUES.imageUrl);

export const update = defineUpdate({
	name: 'Update',
	action: 'Update item in proposal',
	description: "Update a proposal item's quantity, prices, descriptions, image, or tax settings",
	unconfirmed: 'checked',
	fields: { proposalId, itemId, options: collection.options({ checkResult }) },
	table: UPDATE_VALUES,
	requestBuilder: ({ proposalId, itemId }) => itemUpdate(proposalId, itemId),
	run: async (call, sendUpdate) => {
		const { proposalId, itemId, updateFields } = call.values;
		const { isCombinedPrice, imageUrl } = updateFields;
		const findItem = (items: ProposalItem[]) => items.find(({ id }) => id === itemId);
		// Read the previous values first if *Combined Price* or the image is set. *Combined Price* is a toggle, so it
		// is sent only if it differs. Portal.io can store an image under another URL, so only a comparison with the
		// previous image shows whether it changed.
		const isReadFirst = isCombinedPrice !== undefined || (Boolean(imageUrl) && isChecked(call));
		const proposal = isReadFirst ? await readProposal(call, proposalId) : undefined;
		let previous = proposal && findItem(itemsOf(proposal));
		const isToggled =
			previous === undefined || findDifferences(previous, { isCombinedPrice }).length > 0;
		const response = await sendUpdate(async (step, latest) => {
			if (step.sets.includes(COMBINED_PRICE) && !isToggled) return latest ?? proposal;
			// Read the item again before the image is set. Otherwise, the new date from the earlier requests would
			// look like the date of a new image.
			if (proposal && latest && step.sets.includes(IMAGE)) {
				previous = findItem(itemsOf(await readChangedProposal(call, proposalId, latest)));
			}
			return await call.send(step);
		});
		if (!isChecked(call)) return selectUnchecked(response, [itemId]);
		const after = await readAfterChange(call, response);
		const item = findItem(itemsOf(after));
		if (item === undefined) throw resultError(call, [`item ${itemId} is not in the proposal`]);
		const differences = findDifferences(item, updateFields).filter(
			(name) => !(name === 'imageUrl' && imageUrl && isNewImage(item, previous)),
		) as UpdateName[];
		if (differences.length === 0) return [item];
		const problems = differences.map((name) => describeDifference(item, updateFields, name));
		throw resultError(call, problems, describeUpdateProgress(call.values, differences));
	},
	output: itemOutput,
});

/** Returns whether the item has a new image. Portal.io can store a copy of the image under another URL. */
const isNewImage = (item: ProposalItem, previous?: ProposalItem): boolean =>
	Boolean(item.imageUrl) &&
	(item.imageUrl !== previous?.imageUrl || item.lastModifiedDate !== previous?.lastModifiedDate);

/** Describes which values an update has set, and which it might have changed to another value. */
function describeUpdateProgress(
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
		// Warn about other values, because Portal.io might set 0 or empty text if it does not know the name of the
		// field.
		done: `${isSet} The request or another user might have changed ${labelsOf(differences)} to a different value. Check the item in Portal.io.`,
		path: itemUpdate(proposalId, itemId)(UPDATE_VALUES[differences[0]!].part, {}).path,
	};
}
