/** docs/dev/portal-api.md#change-orders */
import { changeOrderId, proposalId } from '../fields/locators';
import { changeOrderOutput, field, oneRequest, operation, path, request } from './kit';
import type { Resource } from './kit';

const known = ({ proposalId }: { proposalId: number }) => ({ proposalId });

const get = operation({
	name: 'Get',
	action: 'Get change order',
	description: "Retrieve a change order of a proposal; as 'Raw' with its areas and items",
	fields: { proposalId, changeOrderId },
	run: oneRequest(
		({ proposalId, changeOrderId }) =>
			request.get(path`/public/proposals/${proposalId}/changeorders/${changeOrderId}`),
		{ known },
	),
	output: changeOrderOutput,
});

const getMany = operation({
	name: 'Get Many',
	action: 'Get many change orders',
	description: 'Retrieve a list of the change orders of a proposal',
	fields: { proposalId, ...field.paging },
	run: oneRequest(
		({ proposalId }) => request.get(path`/public/proposals/${proposalId}/changeorders`),
		{ list: ['changeOrders'], known },
	),
	output: changeOrderOutput,
});

export const changeOrder: Resource = {
	name: 'Change Order',
	description: 'A change to an accepted proposal',
	operations: { get, getMany },
};
