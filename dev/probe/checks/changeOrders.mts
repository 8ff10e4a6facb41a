/** Change orders. Nothing makes one, so one of the account is looked for. */
import type { Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import { isSame, listIn, PAGE } from './reading.mts';

/** So many accepted proposals are looked at. */
const LOOKED_AT = 5;

const NONE = `Nothing makes change orders, and the last ${LOOKED_AT} accepted proposals have none.`;

async function findChangeOrder(probe: Probe): Promise<void> {
	const query = { ...PAGE, Statuses: ['Accepted', 'Completed'] };
	const accepted = listIn((await probe.send('proposal.getMany', query)).data, 'proposals');
	for (const { id: ProposalId } of accepted.slice(0, LOOKED_AT)) {
		const [order] = listIn((await probe.send('changeOrder.getMany', {}, { ProposalId })).data, '');
		if (order === undefined) continue;
		probe.kept.changeOrder = { ProposalId, ChangeOrderId: order.id };
		return;
	}
}

export const changeOrderChecks: Check[] = [
	{ operation: 'changeOrder.getMany', after: findChangeOrder },
	{
		operation: 'changeOrder.get',
		obstacle: ({ kept }) => (kept.changeOrder === undefined ? NONE : undefined),
		ids: ({ kept }) => kept.changeOrder,
		tookEffect: async ({ kept }, _, { data }: Json) =>
			isSame(kept.changeOrder.ChangeOrderId, data?.id),
	},
];
