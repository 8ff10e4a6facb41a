/** docs/dev/portal-api.md#change-orders */
import {
	changeOrderId,
	changeOrderOutput,
	field,
	oneRequest,
	operation,
	path,
	proposalId,
	request,
	type Resource,
} from './kit';

const get = operation({
	name: 'Get',
	action: 'Get change order',
	description:
		"Retrieve a change order of a proposal. The 'Raw' output includes its areas and items.",
	kind: 'read',
	fields: { proposalId, changeOrderId },
	run: oneRequest(
		({ proposalId, changeOrderId }) =>
			request.get(path`/public/proposals/${proposalId}/changeorders/${changeOrderId}`),
		{ known: ['proposalId'] },
	),
	output: changeOrderOutput,
});

const getMany = operation({
	name: 'Get Many',
	action: 'Get many change orders',
	description: 'Retrieve a list of the change orders of a proposal',
	kind: 'read',
	fields: { proposalId, ...field.paging },
	run: oneRequest(
		({ proposalId }) => request.get(path`/public/proposals/${proposalId}/changeorders`),
		{ list: ['changeOrders'], known: ['proposalId'] },
	),
	output: changeOrderOutput,
});

export const changeOrder: Resource = {
	name: 'Change Order',
	description: 'A change to an accepted proposal',
	operations: { get, getMany },
};
