import { proposalRequest, takeProposal, type ScheduledPayment } from '../../../../client/model';
import { listOrNone } from '../../../../client/data';
import type { Shape } from '../../../shared/shape';
import { flag, options } from '../../fields/types';
import { paging, simplify } from '../../fields/lists';
import { proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';

/** A payment request, or a payment of the schedule, which has no ID and no status. */
const paymentShape: Shape = {
	id: 'integer?',
	status: 'string',
	amount: 'number',
	dueDate: ['string', 'dueDate', 'due.date'],
	description: 'string',
	paymentMethod: 'string',
	milestone: ['string', 'due.milestone'],
	isScheduled: 'boolean',
	proposalNumber: 'integer',
	proposalId: 'integer',
};

/** docs/dev/portal-api.md#the-proposal */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many payments for proposal',
	description:
		'Retrieve a list of the payment requests of a proposal, with status, amount and due date',
	fields: {
		proposalId,
		...paging,
		simplify,
		options: options({
			includeSchedule: flag('Include Schedule', {
				description:
					'Whether to add what the payment schedule of the proposal plans, with a due date or a milestone. Portal.io does not tell which of it was requested already.',
			}),
		}),
	},
	request: ({ proposalId }) => proposalRequest(proposalId),
	output: {
		shape: paymentShape,
		records: (response, { options: { includeSchedule } }) => {
			const { id, number, paymentRequests, paymentSchedule = null } = takeProposal(response);
			const place = { proposalId: id, proposalNumber: number };
			const planned = includeSchedule
				? listOrNone<ScheduledPayment>(paymentSchedule, 'payments')
				: [];
			return [
				...(paymentRequests ?? []).map((one) => ({ ...one, ...place, isScheduled: false })),
				...planned.map((one) => ({ ...one, ...place, isScheduled: true })),
			];
		},
		raw: 'records',
	},
});
