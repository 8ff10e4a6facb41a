/** Change orders. Nothing makes one, so one of the account is looked for. */
import type { Check, Probe } from '../probe.mts';
import { listIn, required, PAGE } from './reading.mts';

/** So many accepted proposals are looked at. */
const LOOKED_AT = 5;

async function findChangeOrder(probe: Probe): Promise<void> {
	const query = { ...PAGE, Statuses: ['Accepted', 'Completed'] };
	const accepted = listIn((await probe.send('proposal.getMany', query)).data, 'proposals');
	for (const { id: ProposalId } of accepted.slice(0, LOOKED_AT)) {
		const [order] = listIn((await probe.send('changeOrder.getMany', {}, { ProposalId })).data);
		if (order !== undefined) probe.kept.changeOrder = { ProposalId, ChangeOrderId: order.id };
	}
}

export const changeOrderChecks: Check[] = [
	{ operation: 'changeOrder.getMany', after: findChangeOrder },
	{
		operation: 'changeOrder.get',
		ids: ({ kept }) => required(kept.changeOrder, 'change order in the last accepted proposals'),
	},
];
