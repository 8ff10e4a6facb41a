import { notFound } from '../errors.mts';
import { findProposal } from '../proposals.mts';
import {
	changeOrderDetail,
	changeOrdersOf,
	changeOrderSummary,
	lastModified,
} from '../serializers/proposal.mts';
import type { Handler } from '../context.mts';

/** `GET .../changeorders`: a plain array, oldest first (assumed). */
const getMany: Handler = (call) => {
	const { id } = findProposal(call);
	const rows = changeOrdersOf(call.database, Number(id));
	return { body: rows.map((row) => changeOrderSummary(call.database, row)) };
};

/** `GET .../changeorders/{ChangeOrderId}`; 404 when it belongs to another proposal. */
const get: Handler = (call) => {
	const { id } = findProposal(call);
	const { ChangeOrderId } = call.values;
	const changeOrders = changeOrdersOf(call.database, Number(id));
	if (!changeOrders.some((one) => one.id === ChangeOrderId)) throw notFound('Change order');
	const body = changeOrderDetail(call.database, ChangeOrderId);
	return { body, headers: lastModified(body) };
};

/** Handlers of the change order operations. */
export const changeOrder: Record<string, Handler> = {
	'changeOrder.getMany': getMany,
	'changeOrder.get': get,
};
