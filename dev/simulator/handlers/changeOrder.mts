import { notFound } from '../errors.mts';
import { findProposal } from '../proposals.mts';
import {
	changeOrderDetail,
	changeOrderIds,
	changeOrderSummary,
	lastModified,
} from '../serializers/proposal.mts';
import type { Handler } from '../context.mts';

/** `GET .../changeorders`: a plain array, oldest first (assumed). */
const getMany: Handler = (call) => {
	const { id } = findProposal(call);
	const ids = changeOrderIds(call.database, Number(id));
	return { body: ids.map((one) => changeOrderSummary(call.database, one)) };
};

/** `GET .../changeorders/{ChangeOrderId}`; 404 when it belongs to another proposal. */
const get: Handler = (call) => {
	const { id } = findProposal(call);
	const changeOrderId = call.path.ChangeOrderId!;
	if (!changeOrderIds(call.database, Number(id)).includes(changeOrderId)) {
		throw notFound('Change order');
	}
	const body = changeOrderDetail(call.database, changeOrderId);
	return { body, headers: lastModified(body) };
};

/** Handlers of the change order operations. */
export const changeOrder: Record<string, Handler> = {
	'changeOrder.getMany': getMany,
	'changeOrder.get': get,
};
