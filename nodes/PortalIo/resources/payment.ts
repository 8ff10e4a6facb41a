import {
	flag,
	listOrNone,
	operation,
	options,
	paging,
	proposalId,
	readProposal,
	type Resource,
	type ScheduledPayment,
} from './kit';

/** docs/dev/portal-api.md#the-proposal */
const getMany = operation({
	name: 'Get Many',
	action: 'Get many payments for proposal',
	description:
		'Retrieve a list of the payment requests of a proposal, with status, amount and due date',
	fields: {
		proposalId,
		...paging,
		options: options({
			includeSchedule: flag('Include Schedule', {
				description:
					'Whether to add what the payment schedule of the proposal plans, with a due date or a milestone. Portal.io does not tell which of it was requested already.',
			}),
		}),
	},
	run: async ({ values, send }) => {
		const proposal = await readProposal(send, values.proposalId);
		const { id, number, paymentRequests, paymentSchedule = null } = proposal;
		const place = { proposalId: id, proposalNumber: number };
		// A planned payment has no ID and no status.
		const planned = values.options.includeSchedule
			? listOrNone<ScheduledPayment>(paymentSchedule, 'payments')
			: [];
		return {
			records: [
				...(paymentRequests ?? []).map((one) => ({ ...one, ...place, isScheduled: false })),
				...planned.map((one) => ({ ...one, ...place, isScheduled: true })),
			],
		};
	},
	output: {
		flat: {
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
		},
	},
});

/** What the client of a proposal has to pay: requested, or planned by the schedule. */
export const payment: Resource = {
	name: 'Payment',
	description: 'A payment of a proposal',
	operations: { getMany },
};
