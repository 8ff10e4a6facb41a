import { itemsOf, proposalAfterChange, readProposal } from '../../../../client/model';
import type { ProposalItem } from '../../../../client/model';
import { itemIds, proposalId } from '../../fields/locators';
import { operation, path, request } from '../kit';
import { checkedOptions } from './fields';
import { afterAccepted, itemsWith, resultError } from './find';
import { assumedFields } from './values';

const MAX_IDS = 100;

/** docs/dev/portal-api.md#items */
export const deleteItems = operation({
	name: 'Delete',
	action: 'Delete items from proposal',
	description: 'Permanently delete items from a proposal, with the items nested under them',
	fields: { proposalId, itemIds, options: checkedOptions },
	run: async (call) => {
		const { proposalId, itemIds, options } = call.values;
		const isChecked = options.checkResult !== false;
		const before = isChecked ? itemsOf(await readProposal(call.send, proposalId)) : [];
		const place = path`/public/proposals/${proposalId}/items`;
		let response: unknown;
		for (let start = 0; start < itemIds.length; start += MAX_IDS) {
			const proposalItemIds = itemIds.slice(start, start + MAX_IDS).join(',');
			const query = assumedFields({ proposalItemIds });
			response = await call.send(request.remove(place, query));
		}
		const result = { records: [response] };
		if (!isChecked) return result;
		return await afterAccepted(async () => {
			const after = itemsOf(await proposalAfterChange(call.send, proposalId, response));
			const left = new Set(after.map(({ id }) => id));
			const kept = itemIds.filter((id) => left.has(id)).map((id) => `item ${id} is still there`);
			const deleted = itemsWith(before, itemIds);
			// An ID that Portal.io does not understand could stand for all items.
			const lost = before.filter((item) => !left.has(item.id) && !deleted.includes(item));
			if (lost.length > 0) return resultError(call, [alsoDeleted(lost), ...kept], CHECK_FIRST);
			return kept.length > 0 ? resultError(call, kept, {}) : result;
		});
	},
});

const alsoDeleted = (lost: ProposalItem[]) => {
	const ids = lost.map(({ id }) => id).join(', ');
	return lost.length === 1
		? `another item was deleted too: ${ids}`
		: `${lost.length} other items were deleted too: ${ids}`;
};

const CHECK_FIRST = {
	beforeRepeating:
		'These items were not among those to delete. Check the proposal in Portal.io before you run the step again.',
};
