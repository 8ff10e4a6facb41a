/** What the tests of the Xero template do and see. Amounts are in whole cents. */
import { frequentPolls } from '../../../testbed/workflowBuilder.mts';
import type { Stage } from '../../../testbed/stage.mts';

/** The name of the template. */
export const PAYMENT = 'Payment to Xero';

/** The job under which the template keeps its payments. */
export const PAYMENT_JOB = 'xero-payment';

const DAY = 86_400_000;
const today = () => new Date().toISOString();

/** Handles the template on a stage. */
export function paymentsOf(stage: () => Stage) {
	const workflow = () => stage().workflows[PAYMENT]!;
	const control = () => stage().simulator.control;
	const xero = () => stage().others.systems.xero;
	return {
		workflow,
		xero,

		/** Fills in what the template has to know, and lets it poll often. */
		async setUp(): Promise<void> {
			const { nodes } = structuredClone(workflow());
			const parametersOf = (name: string) => nodes.find((node) => node.name === name)!.parameters;
			parametersOf('Payment Is Paid').pollTimes = frequentPolls;
			// Of the accepted proposal, the deposit was due 94 days ago, and the rest 56 days ago.
			const { assignments } = parametersOf('Settings').assignments as {
				assignments: { name: string; value: string }[];
			};
			const from = assignments.find(({ name }) => name === 'Book Payments Due From')!;
			from.value = new Date(Date.now() - 70 * DAY).toISOString().slice(0, 10);
			await stage().n8n.updateWorkflow(workflow(), { nodes });
		},

		/** The invoices with what was paid of them: number, contact, status, total, paid. */
		books: () =>
			xero().invoices.map(({ InvoiceNumber, Contact, Status, total, paid }) => [
				InvoiceNumber,
				Contact.Name,
				Status,
				total,
				paid,
			]),

		/** The payments: the number of the invoice, and the amount. */
		payments: () => xero().payments.map((one) => [one.Invoice.InvoiceNumber, one.cents]),

		/** The number of the invoice of a payment request. */
		keyOf: (proposalId: number, paymentId: number) =>
			`P-${control().proposal(proposalId).number}-${paymentId}`,

		/** A customer pays: the payment request and the proposal change, and no event tells of it. */
		pay(proposalId: number, paymentId: number): void {
			control().updatePayment(paymentId, { status: 'Paid', paymentMethod: 'Card' });
			control().updateProposal(proposalId, { lastModifiedDate: today() });
		},

		/** Asks the customer for a payment. */
		request: (proposalId: number, cents: number): number =>
			control().addPayment(proposalId, {
				status: 'Submitted',
				amount: cents / 100,
				dueDate: today(),
				description: 'Progress payment',
			}),
	};
}
