/** Change orders, which nothing makes through the API. */
import { isSame, listIn, type Json, type Walk } from './walk.mts';

/** How many proposals of the account are looked at for one with a change order. */
const LOOKED_AT = 4;

/** Reads the list of the proposal, and a change order if some proposal has one. */
export async function readChangeOrders(walk: Walk): Promise<void> {
	const { probe, proposalId } = walk;
	if (proposalId === undefined) return;
	const ids = { ProposalId: proposalId };
	const own = listIn(await probe.try({ operation: 'changeOrder.getMany', ids }), 'changeOrders');
	if (own.length > 0) return await readOne(walk, proposalId, own[0].id);
	// Only what a customer has accepted is changed by an order.
	const query = { Statuses: ['Accepted', 'Completed'], PageNumber: 1, PageSize: LOOKED_AT };
	const answer = await probe.call('proposal.getMany', {}, undefined, query);
	for (const { id } of listIn(answer, 'proposals').slice(0, LOOKED_AT)) {
		const [found] = listIn(
			await probe.call('changeOrder.getMany', { ProposalId: id }),
			'changeOrders',
		);
		if (found !== undefined) return await readOne(walk, id, found.id);
	}
	probe.skip(
		['changeOrder.get'],
		`Nothing makes change orders, and the last ${LOOKED_AT} accepted proposals have none.`,
	);
}

async function readOne({ probe }: Walk, proposalId: number, changeOrderId: number): Promise<void> {
	await probe.try({
		operation: 'changeOrder.get',
		ids: { ProposalId: proposalId, ChangeOrderId: changeOrderId },
		hasEffect: async (_values, { data }) => isSame(changeOrderId, (data as Json).id),
	});
}
