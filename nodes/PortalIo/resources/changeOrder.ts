/** See docs/dev/portal-api.md#change-orders. */
import { path } from '../../../client/request';
import { paging } from '../fields/listFields';
import { changeOrderId, proposalId } from '../fields/locators';
import { runOneRequest, defineOperation, type Resource } from '../operation/operation';
import { request } from '../operation/requests';
import { changeOrderOutput, listedChangeOrderOutput } from './outputs';

const get = defineOperation({
	name: 'Get',
	action: 'Get change order',
	description: "Retrieve a proposal's change order. The 'Raw' output includes its areas and items.",
	kind: 'read',
	fields: { proposalId, changeOrderId },
	run: runOneRequest(
		({ proposalId, changeOrderId }) =>
			request.get(path`/public/proposals/${proposalId}/changeorders/${changeOrderId}`),
		{ inputFields: ['proposalId'] },
	),
	output: changeOrderOutput,
});

const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many change orders',
	description:
		"Retrieve a list of a proposal's change orders. Only 'Get' returns salesperson, profit, and margin.",
	kind: 'read',
	fields: { proposalId, ...paging },
	run: runOneRequest(
		({ proposalId }) => request.get(path`/public/proposals/${proposalId}/changeorders`),
		{ list: ['changeOrders'], inputFields: ['proposalId'] },
	),
	output: listedChangeOrderOutput,
});

export const changeOrder: Resource = {
	name: 'Change Order',
	description: 'A change to an accepted proposal',
	operations: { get, getMany },
};
