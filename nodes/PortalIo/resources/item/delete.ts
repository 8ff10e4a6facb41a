import { path } from '../../../../client/encoding';
import { itemsOf, readProposal, type ProposalItem } from '../../../../client/proposal';
import { assumedFields } from '../../operation/assumedFields';
import { itemIds, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { checkResult, type Finding } from './checkResult';
import { checkedOptions } from './itemOptions';
import { withNested } from './proposalItems';

/** How many IDs go into one query. */
const MAX_IDS = 100;

/** docs/portal-api.md#items */
export const deleteItems = operation({
	name: 'Delete',
	action: 'Delete items from proposal',
	description: 'Permanently delete items from a proposal, with the items nested under them',
	fields: { proposalId, itemIds, options: checkedOptions },
	execute: async (call) => {
		const { proposalId, itemIds, options } = call.values;
		const isChecked = options.checkResult !== false;
		const before = isChecked ? itemsOf(await readProposal(call.send, proposalId)) : [];
		let response: unknown;
		for (let start = 0; start < itemIds.length; start += MAX_IDS) {
			const proposalItemIds = itemIds.slice(start, start + MAX_IDS).join(',');
			response = await call.send({
				method: 'DELETE',
				path: path`/public/proposals/${proposalId}/items`,
				// The framework of the service does not read the body of a DELETE.
				query: assumedFields({ proposalItemIds }),
			});
		}
		await checkResult(call, response, (items) => lookForOthers(before, items, itemIds));
		return response;
	},
});

/** Whether the items are gone, and no others: an ID that is not understood could mean all of them. */
function lookForOthers(before: ProposalItem[], after: ProposalItem[], itemIds: number[]): Finding {
	const left = new Set(after.map(({ id }) => id));
	const deleted = withNested(before, itemIds);
	const lost = before.map(({ id }) => id).filter((id) => !left.has(id) && !deleted.has(id));
	const missing = itemIds.filter((id) => left.has(id)).map((id) => `item ${id} is still there`);
	if (lost.length === 0) return { missing };
	const what = lost.length === 1 ? 'another item is' : `${lost.length} other items are`;
	return {
		missing: [`${what} gone too: ${lost.join(', ')}`, ...missing],
		beforeRepeating:
			'These items were not among those to delete. Check the proposal in Portal.io before you run the step again.',
	};
}
