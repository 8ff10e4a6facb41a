import { afterEach, beforeEach, expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/json.mts';
import { send } from './client.mts';

let simulator: Simulator;

beforeEach(async () => {
	simulator = await startSimulator();
	// Port 9 (discard): nobody listens, which is all that the stored events need.
	simulator.control.addSubscription({
		url: 'http://127.0.0.1:9/hook',
		events: 'proposal.status_changed',
	});
});
afterEach(() => simulator.stop());

const { proposals } = seed;
/** Two options in its only area. */
const id = proposals.submittedToo;
const detail = (proposalId = id) => simulator.control.proposal(proposalId);
const page = async (path = '') =>
	await (await fetch(`${simulator.url}/customer/proposals/${id}${path}`)).text();
const post = (action: string, body = '', proposalId = id) =>
	send(
		`${simulator.url}/customer/proposals/${proposalId}/${action}`,
		'POST',
		['Content-Type', 'application/x-www-form-urlencoded', 'Origin', simulator.url],
		body,
	);
/** The name of the field with the choice, and the IDs of the two options. */
const choice = () => {
	const [area] = detail().areas;
	return { field: `area-${area.id}`, ids: area.options.map((one: Json) => one.id) as number[] };
};
const statuses = () => detail().areas[0].options.map((one: Json) => one.status);
/** The proposal in each event so far. */
const events = (): Json[] =>
	simulator.control.deliveries().map(({ body }) => JSON.parse(String(body)).data);

// Texas 8.25 %. Option 1: parts 2999 + 890 = 3889 -> 320.84, labor 5 x 160 = 800 -> 66.00
const totalOfFirst = '$5,075.84';
// Option 2: parts 4299 + 2 x 890 = 6079 -> 501.52, labor 7 x 160 = 1120 -> 92.40
const totalOfSecond = '$7,792.92';

test('shows the customer the total of the chosen options', async () => {
	const { field, ids } = choice();
	const first = await page();
	expect(first).toContain(totalOfFirst);
	expect(first).toContain(`value="${ids[0]}" required checked>`);
	const second = await page(`?${field}=${ids[1]}`);
	expect(second).toContain(totalOfSecond);
	expect(second).toContain(`value="${ids[1]}" required checked>`);
	expect(second).not.toContain(totalOfFirst);
	// Looking at a choice decides nothing: the API still counts both options.
	expect(statuses()).toEqual(['Draft', 'Draft']);
	expect(detail().financialSummary.proposalTotal).toBe(12_868.76);
});

test('refuses to accept a proposal without a choice', async () => {
	for (const body of ['', `${choice().field}=1`]) {
		const reply = await post('accept', body);
		expect(reply.status).toBe(400);
		expect(reply.text).toContain('choose one option for Meeting room');
	}
	expect(detail().status).toBe('Submitted');
	expect(events()).toEqual([]);
});

test('reopens a decided proposal for another choice', async () => {
	const { field, ids } = choice();
	expect((await post('reopen')).status).toBe(409);
	expect((await post('accept', `${field}=${ids[1]}`)).status).toBe(303);
	expect(statuses()).toEqual(['Declined', 'Accepted']);
	expect(detail().financialSummary.proposalTotal).toBe(7792.92);
	expect((await post('accept', `${field}=${ids[0]}`)).status).toBe(409);
	const reply = await post('reopen');
	expect([reply.status, reply.headers.location]).toEqual([303, '/customer']);
	expect(detail().status).toBe('Submitted');
	expect(statuses()).toEqual(['Draft', 'Draft']);
	expect(events().map(({ status }) => status)).toEqual(['Accepted', 'Draft', 'Submitted']);
	expect((await post('accept', `${field}=${ids[0]}`)).status).toBe(303);
	expect(statuses()).toEqual(['Accepted', 'Declined']);
	// A draft cannot be seen by the customer, and so not be reopened.
	expect((await post('reopen', '', proposals.staleTheatre)).status).toBe(404);
});

test('pays the next payment request, once', async () => {
	const { accepted } = proposals;
	const payments = () =>
		detail(accepted).paymentRequests.map((one: Json) => [one.status, one.paymentMethod]);
	const before = detail(accepted).lastModifiedDate;
	expect(payments()).toEqual([
		['Paid', 'Card'],
		['Submitted', undefined],
	]);
	const reply = await post('pay', '', accepted);
	expect([reply.status, reply.headers.location]).toEqual([303, `/customer/proposals/${accepted}`]);
	expect(payments()).toEqual([
		['Paid', 'Card'],
		['Paid', 'Card'],
	]);
	// How a polling trigger finds it: payments have no event.
	expect(detail(accepted).lastModifiedDate > before).toBe(true);
	expect(events()).toEqual([]);
	expect((await post('pay', '', accepted)).status).toBe(409);
});
