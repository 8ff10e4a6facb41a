/**
 * The templates in an n8n that is killed while each of them is at its worst moment: the other system
 * has processed a request, and n8n does not know. All are killed at once, and then each one has to
 * finish what it had begun, and to do nothing twice.
 */
import axios from 'axios';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstFinished } from '../../../testbed/activeWorkflow.mts';
import { kill } from '../../../testbed/n8n/kill.mts';
import type { StoredWorkflow } from '../../../testbed/n8n/n8n.mts';
import type { Deal } from '../../../testbed/otherSystems/hubSpot.mts';
import { createCaller, returned } from '../../../testbed/sharedWorkflows.mts';
import type { Part } from '../../../testbed/workflowBuilder.mts';
import { seed, type Gate } from '../../../simulator/index.mts';
import { ownStage } from '../stages.mts';
import { STATUS, Templates, WON } from './hubSpot.mts';
import { abandonJobs, checkNow, jobRows } from './jobs.mts';
import { call, done, expectCalls, go, ONCE, wait } from './once.mts';
import { PAYMENT, PAYMENT_JOB, paymentsOf } from './payment.mts';
import { PURCHASE_JOB, PURCHASE_LIST, purchaseListOf } from './purchaseList.mts';
import { QUICKBOOKS_JOB, Template, TEMPLATE as QUICKBOOKS } from './quickBooks.mts';

/** Both of the first two are accepted, which QuickBooks and the purchase list hear, and paid. */
const { viewed, submittedToo, emailFailed } = seed.proposals;
const stage = ownStage({ examples: [QUICKBOOKS, PURCHASE_LIST, PAYMENT, STATUS, WON, ONCE] });
const control = () => stage().simulator.control;
const quickBooks = new Template(stage);
const purchases = purchaseListOf(stage);
const bookkeeping = paymentsOf(stage);
const hubSpot = new Templates(stage);

/** The payment requests that the customers have paid. */
let paid: { invoiced: number; booked: number };
let deal: Deal;
let caller: StoredWorkflow;
/** Holds the answer to the first area of the deal. */
let areas: Gate;
const onceJob = 'restarted';
const webhook: Part = {
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	parameters: { path: 'calls-once-per-proposal', httpMethod: 'POST', options: {} },
	webhookId: '4a1f3f8e-3d0b-4f4e-9a53-0c7a7d1c2b11',
};

async function acceptProposals(): Promise<void> {
	const { customer } = control().proposal(viewed);
	// Without it, the others with an address at the same domain would match.
	const PrimaryEmailAddr = { Address: customer.contactEmail };
	quickBooks.quickBooks.addCustomer({ DisplayName: 'Wren Castellan', PrimaryEmailAddr });
	const { googleSheets, slack } = stage().others.systems;
	const estimated = quickBooks.quickBooks.holdNextAnswer('POST', /\/estimate$/);
	const appended = googleSheets.holdNextAnswer('POST', /:append$/);
	control().accept(viewed);
	await Promise.all([estimated, appended]);
	expect(purchases.rowsOf(viewed)).toHaveLength(3);
	const posted = slack.holdNextAnswer('POST', /chat\.postMessage$/);
	control().accept(submittedToo);
	await posted;
	expect(purchases.texts()).toHaveLength(1);
}

async function payRequests(): Promise<void> {
	const { pay, request, workflow, xero } = bookkeeping;
	const run = () => {
		// It ends with n8n.
		void checkNow(stage(), workflow()).catch(() => {});
	};
	paid = { invoiced: request(submittedToo, 10_001), booked: request(viewed, 20_002) };
	const invoiced = xero().holdNextAnswer('POST', /\/Invoices$/);
	pay(submittedToo, paid.invoiced);
	run();
	await invoiced;
	const booked = xero().holdNextAnswer('PUT', /\/Payments$/);
	pay(viewed, paid.booked);
	run();
	await booked;
}

async function startCalls(): Promise<void> {
	const other = { proposalId: 48_202 };
	await expectCalls(
		stage(),
		[call(onceJob, 'start'), go('new')],
		[call(onceJob, 'start', other), go('new')],
		[call(onceJob, 'done', { ...other, targetId: 'T-2' }), done('T-2')],
	);
	await abandonJobs(stage(), onceJob);
	const inputs = [{}, {}, other, { proposalId: 48_203 }];
	const calls = inputs.map((input) => call(onceJob, 'start', input));
	caller = await createCaller(stage(), ONCE, calls, webhook);
	await stage().n8n.activate(caller);
}

async function handleDeals(): Promise<void> {
	control().setStatus(emailFailed, 'Submitted');
	const created = hubSpot.hubSpot.holdNextAnswer('POST', /^\/deals\/v1\/deal$/);
	await hubSpot.begin(hubSpot.status, 'One Proposal', { proposalId: emailFailed });
	await created;
	const { id } = hubSpot.hubSpot.addContact({ email: 'noa@noa.example', address: '1 Elm Street' });
	deal = hubSpot.hubSpot.addDeal({ dealname: 'Noa', dealstage: 'closedwon' }, [id]);
	areas = control().hold('area.create', 'after');
	await hubSpot.begin(hubSpot.won, 'One Deal', { dealId: deal.id });
	await areas.arrived(1);
}

beforeAll(async () => {
	const { n8n } = stage();
	await bookkeeping.setUp();
	await n8n.activate(quickBooks.workflow);
	await n8n.activate(purchases.workflow());
	await acceptProposals();
	await payRequests();
	await startCalls();
	await handleDeals();
	await kill(n8n);
	areas.release();
	expect(quickBooks.estimates(viewed)).toHaveLength(1);
	await n8n.restart();
});

afterAll(async () => {
	for (const workflow of [quickBooks.workflow, purchases.workflow(), caller]) {
		await stage().n8n.deactivate(workflow);
	}
});

test('an estimate that was begun when n8n was killed is finished, not made twice', async () => {
	expect(await quickBooks.jobs(viewed)).toMatchObject([{ state: 'started' }]);
	await abandonJobs(stage(), QUICKBOOKS_JOB);
	await quickBooks.everyHour();
	expect(quickBooks.read(viewed)).toMatchObject({
		status: 'Accepted',
		lines: [
			['South side'],
			['Shadewright Roll 72', 6, 468_000],
			['Shadewright Drape 14', 1, 146_000],
			['Brightloom Hub', 1, 69_000],
			['Installation', 9, 112_500],
		],
	});
	expect(quickBooks.customersNamed('Wren Castellan')).toHaveLength(1);
	expect(await quickBooks.jobs(viewed)).toMatchObject([{ state: 'done' }]);
});

test('a purchase list whose rows or message were written is completed, not written twice', async () => {
	const { expectNothingTwice, headline, rowsOf, sheet, texts, workflow } = purchases;
	// So far, the executions that were killed count as running.
	await checkNow(stage(), workflow());
	expect(texts()).toHaveLength(1);
	await abandonJobs(stage(), PURCHASE_JOB);
	await checkNow(stage(), workflow());
	expect(texts()).toHaveLength(2);
	expect(texts().at(-1)).toMatch(
		headline(viewed, 'Castellan shades', 'for Wren Castellan is accepted'),
	);
	expect(rowsOf(viewed)).toHaveLength(3);
	// Two televisions and a sound bar: both options count, as both are accepted.
	expect(rowsOf(submittedToo)).toHaveLength(3);
	expect(sheet().records()).toHaveLength(3 + 3);
	await expectNothingTwice();
});

test('an invoice or a payment that Xero had booked is not booked twice', async () => {
	const { books, keyOf, payments, workflow, xero } = bookkeeping;
	// An hour later, Xero knows the keys of the requests no longer.
	xero().forgetKeys();
	await abandonJobs(stage(), PAYMENT_JOB);
	await checkNow(stage(), workflow());
	const company = 'Quarry Street Hospitality';
	expect(books().toSorted()).toEqual(
		[
			[keyOf(submittedToo, paid.invoiced), company, 'PAID', 10_001, 10_001],
			[keyOf(viewed, paid.booked), 'Wren Castellan', 'PAID', 20_002, 20_002],
		].toSorted(),
	);
	expect(xero().contacts).toHaveLength(2);
	expect(payments()).toHaveLength(2);
	const states = (await jobRows(stage(), PAYMENT_JOB)).map(({ state }) => state);
	expect(states).toEqual(['done', 'done']);
});

test('HubSpot ends up with one deal of a proposal, and Portal.io with one proposal of a deal', async () => {
	// Nobody knows yet that the executions have died.
	await hubSpot.look(emailFailed);
	expect(await hubSpot.linkOf(emailFailed)).toEqual([]);
	for (const job of ['hubspot-stage', 'hubspot-deal']) await abandonJobs(stage(), job);
	await hubSpot.look(emailFailed);
	await hubSpot.lookForDeals();
	const deals = hubSpot.dealsOf(emailFailed);
	expect(deals).toHaveLength(1);
	expect(await hubSpot.linkOf(emailFailed)).toEqual([String(deals[0]!.id)]);
	const [proposal, ...others] = hubSpot.proposalsOf(deal);
	expect(others).toEqual([]);
	expect(hubSpot.areasOf(proposal)).toEqual(['Living Room', 'Rack']);
	expect(control().locations(proposal.customer.id)).toHaveLength(1);
	expect(await hubSpot.linkOf(proposal.id)).toEqual([String(deal.id)]);
});

test('"Once per Proposal" remembers across the kill, and is called by active workflows', async () => {
	await axios.post(`${stage().n8n.url}/webhook/${webhook.parameters.path}`, {});
	const execution = await firstFinished(stage(), caller);
	expect(returned(execution)).toEqual([
		go('resumed'),
		wait(),
		{ go: false, ...done('T-2') },
		go('new'),
	]);
});
