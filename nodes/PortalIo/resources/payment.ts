import { optionalList } from '../../../client/responseShape';
import { readProposal } from '../../../client/proposal';
import * as collection from '../fields/collections';
import * as field from '../fields/fieldTypes';
import { paging } from '../fields/listFields';
import { proposalId } from '../fields/locators';
import { defineOperation, type Resource } from '../operation/operation';

/** See docs/dev/portal-api.md#the-proposal. */
const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many payments for proposal',
	description: "Retrieve a list of a proposal's payment requests",
	kind: 'read',
	fields: {
		proposalId,
		...paging,
		options: collection.options({
			includeSchedule: field.flag('Include Schedule', {
				description:
					"Whether to also return the payment schedule's planned payments. Portal.io does not report which of them were already requested.",
			}),
		}),
	},
	run: async (call) => {
		const proposal = await readProposal(call, call.values.proposalId);
		const { id, number, paymentRequests, paymentSchedule = null } = proposal;
		const proposalFields = { proposalId: id, proposalNumber: number };
		const scheduledPayments = call.values.options.includeSchedule
			? optionalList(paymentSchedule, 'payments')
			: [];
		return [
			...(paymentRequests ?? []).map((request) => ({
				...request,
				...proposalFields,
				isScheduled: false,
			})),
			...scheduledPayments.map((payment) => ({
				...payment,
				...proposalFields,
				isScheduled: true,
			})),
		];
	},
	output: {
		flat: {
			// Make the ID optional, because a scheduled payment has neither an ID nor a status.
			paymentId: ['integer?', 'id'],
			status: 'string',
			amount: 'number',
			dueDate: ['string', 'dueDate', 'due.date'],
			description: 'string',
			paymentMethod: 'string',
			milestone: ['string', 'due.milestone'],
			isScheduled: 'boolean',
			proposalNumber: 'integer',
			proposalId: 'integer',
		},
	},
});

export const payment: Resource = {
	name: 'Payment',
	description: 'A payment request in a proposal',
	operations: { getMany },
};
