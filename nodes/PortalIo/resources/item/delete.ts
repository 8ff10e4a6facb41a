import { PortalError } from '../../../../client/errors';
import { itemsOf, type ProposalItem } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import * as collection from '../../fields/collections';
import { itemIds, proposalId } from '../../fields/locators';
import { defineOperation } from '../../operation/operation';
import { request } from '../../operation/requests';
import {
	assertInProposal,
	checkResult,
	readItemsBefore,
	readAfterChange,
	resultError,
	selectWithNested,
	type CheckedCall,
} from './checkResult';
import { addSecondNames } from './itemValues';

const NESTED_ADVICE =
	'Deleting an item also deletes the items nested under it. To delete several, list them all in one step.';
const MAX_IDS = 100;
const CHECK_FIRST =
	'These items were not selected for deletion. Check the proposal in Portal.io before you run the step again.';

/** See docs/dev/portal-api.md#items. */
export const deleteItems = defineOperation({
	name: 'Delete',
	action: 'Delete items from proposal',
	description: 'Permanently delete items from a proposal, including the items nested under them',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, itemIds, options: collection.options({ checkResult }) },
	run: async (call) => {
		const { itemIds } = call.values;
		const before = await readItemsBefore(call);
		assertInProposal(before, itemIds, NESTED_ADVICE);
		if (before === undefined) {
			await sendDeletions(call, itemIds);
			return [];
		}
		// Omit nested items, because Portal.io deletes them with their parent, and might then reject their IDs.
		const response = await sendDeletions(call, topLevelIds(before, itemIds));
		const items = itemsOf(await readAfterChange(call, response));
		const remainingIds = new Set(items.map(({ id }) => id));
		const problems = itemIds
			.filter((id) => remainingIds.has(id))
			.map((id) => `item ${id} was not deleted`);
		const selectedIds = new Set(selectWithNested(before, itemIds).map(({ id }) => id));
		// Check the other items, because Portal.io might delete all items if it does not know the field with the IDs.
		const unselectedIds = before
			.map(({ id }) => id)
			.filter((id) => !remainingIds.has(id) && !selectedIds.has(id));
		if (unselectedIds.length > 0) {
			const subject =
				unselectedIds.length === 1
					? 'another item was'
					: `${unselectedIds.length} other items were`;
			const alsoDeleted = `${subject} also deleted: ${unselectedIds.join(', ')}`;
			throw resultError(call, [alsoDeleted, ...problems], { beforeRepeating: CHECK_FIRST });
		}
		if (problems.length === itemIds.length) throw resultError(call, problems);
		if (problems.length > 0) {
			throw resultError(call, problems, {
				done: `Deleted ${itemIds.length - problems.length} of ${itemIds.length} items.`,
				beforeRepeating: 'Run the step again with only the items that were not deleted.',
			});
		}
		return [];
	},
	output: { confirms: 'deleted' },
});

/** Deletes up to 100 items per request. If a request fails, the error lists the items that were deleted. */
async function sendDeletions(
	{ send, values: { proposalId } }: CheckedCall,
	ids: number[],
): Promise<unknown> {
	let response: unknown;
	for (let start = 0; start < ids.length; start += MAX_IDS) {
		const proposalItemIds = ids.slice(start, start + MAX_IDS).join(',');
		const itemsPath = path`/public/proposals/${proposalId}/items`;
		response = await send(request.delete(itemsPath, addSecondNames({ proposalItemIds }))).catch(
			(error: Error) => {
				if (start === 0) throw error;
				const failure = PortalError.from(error);
				const isInDoubt = failure.doubt !== '';
				const state = isInDoubt ? 'Not confirmed' : 'Not deleted';
				throw failure.with({
					doubt: isInDoubt ? 'Portal.io might have processed the last request.' : '',
					progress: [
						`Deleted: ${ids.slice(0, start).join(', ')}.`,
						`${state}: ${ids.slice(start).join(', ')}.`,
					],
					advice: ['Run the step again with only the items that are still in the proposal.'],
				});
			},
		);
	}
	return response;
}

/** Returns the IDs of the items that are not nested under another item with one of these IDs. */
export function topLevelIds(all: ProposalItem[], ids: number[]): number[] {
	const included = selectWithNested(all, ids);
	const includedIds = new Set<unknown>(included.map(({ id }) => id));
	const nestedIds = new Set(
		included.filter(({ parentId }) => includedIds.has(parentId)).map(({ id }) => id),
	);
	return ids.filter((id) => !nestedIds.has(id));
}
