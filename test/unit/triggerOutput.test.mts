/** What the webhook trigger starts a workflow with, and on which statuses. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { event, NOW, Trigger } from './receivingTrigger.mts';

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }));
afterEach(() => void vi.useRealTimers());

const BUILD = 'proposal.build.status_update';
const OUTLINE = 'proposal.outline.status_update';
const STATUS = 'proposal.status_changed';
const PAYMENT = 'payment.status_changed';
const CONTACT = 'contact.updated';
/** The fields of a simplified proposal. */
const NOTHING_KNOWN = {
	proposalId: null,
	number: null,
	name: null,
	status: null,
	customerName: null,
	customerEmail: null,
	salesPersonName: null,
	proposalTotal: null,
};

/** The output; undefined when the event is acknowledged and starts nothing. */
async function outputOf(type: string, data: unknown, parameters: object = {}) {
	const events = [STATUS, OUTLINE, BUILD, PAYMENT, CONTACT];
	const trigger = new Trigger({ parameters: { events, ...parameters } });
	const text = event({ type, data });
	const outcome = (await trigger.receive(text)) as { json: object }[][] | undefined;
	return { output: outcome?.[0]?.[0]?.json, event: JSON.parse(text) };
}

describe('the simplified event', () => {
	const person = { firstName: 'Mio', lastName: 'Ito', contactEmail: 'mio@ito.example' };

	it.each<[string, string, unknown, object]>([
		['the ID and the status alone', STATUS, { id: 7, status: 'Sent' }, { id: 7, status: 'Sent' }],
		[
			'the ID under another name',
			STATUS,
			{ id: 1, proposalId: 7, status: 'Accepted', name: 'Den' },
			{ id: 7, status: 'Accepted', name: 'Den' },
		],
		[
			'the proposal below the data',
			STATUS,
			{ id: 1, status: 'Declined', proposal: { id: 7, number: 12, customer: person } },
			{
				id: 7,
				status: 'Declined',
				number: 12,
				customerName: 'Mio Ito',
				customerEmail: 'mio@ito.example',
			},
		],
		[
			'a company',
			STATUS,
			{ id: 7, status: 'Sent', customer: { ...person, companyName: 'Ito Homes' } },
			{ id: 7, status: 'Sent', customerName: 'Ito Homes', customerEmail: 'mio@ito.example' },
		],
		[
			'the total and the salesperson in other forms',
			STATUS,
			{ id: 7, status: 'Accepted', total: 12.5, salesPerson: 'Avery Lindqvist' },
			{ id: 7, status: 'Accepted', proposalTotal: 12.5, salesPersonName: 'Avery Lindqvist' },
		],
		[
			'an outline, whose status comes first',
			OUTLINE,
			{ id: 1, outlineId: 1, proposalId: 7, status: 'Completed', name: 'An outline' },
			{ id: 7, status: 'Completed' },
		],
		['a build', BUILD, { proposalId: 7, status: 'Failed' }, { id: 7, status: 'Failed' }],
		[
			'an outline with its proposal',
			OUTLINE,
			{ id: 1, status: 'Completed', proposal: { id: 7, status: 'Draft' } },
			{ id: 7, status: 'Completed' },
		],
		['a payment', PAYMENT, { id: 1, proposalId: 7, status: 'Paid' }, { id: 7, status: 'Paid' }],
		['a contact', CONTACT, { id: 1, name: 'Ito', status: 'Active' }, { status: 'Active' }],
		['no data', STATUS, undefined, {}],
		['data that are text', STATUS, 'Accepted', {}],
		['data that are a list', OUTLINE, [{ proposalId: 7 }], {}],
	])('has what is known, and null for the rest: %s', async (_case, type, data, known) => {
		const { output, event } = await outputOf(type, data);
		const { id: proposalId = null, ...others } = known as { id?: number };
		const happened = { eventType: type, eventTime: event.created };
		const expected = { ...NOTHING_KNOWN, ...others, proposalId, ...happened };
		expect(output).toEqual(expected);
		expect(Object.keys(output!)).toEqual(Object.keys(expected));
	});

	it.each([false, 'false'])('is as it came with Simplify %o', async (simplify) => {
		const { output, event: sent } = await outputOf(STATUS, { id: 7 }, { simplify });
		expect(output).toEqual(sent);
	});
});

describe('the statuses', () => {
	it.each<[unknown, string, boolean]>([
		[[], 'Renegotiated', true],
		['', 'Accepted', true],
		[undefined, 'Accepted', true],
		[['Accepted', 'Declined'], 'Declined', true],
		[['Accepted', 'Declined'], 'Submitted', false],
		[['Accepted', 'Declined'], 'Renegotiated', false],
		[['Renegotiated'], 'Renegotiated', true],
		['Accepted, Renegotiated', 'Renegotiated', true],
		['Accepted, Renegotiated', 'Declined', false],
		[['Approved'], 'Accepted', true],
		[['Accepted'], 'Approved', true],
		[['Submitted'], 'Sent', true],
	])('%o and a proposal that becomes %s: %s', async (statuses, status, isStarted) => {
		const { output } = await outputOf(STATUS, { id: 7, status }, { statuses });
		expect(output !== undefined).toBe(isStarted);
	});

	it('do not concern other events', async () => {
		const data = { proposalId: 7, status: 'Completed' };
		const { output } = await outputOf(OUTLINE, data, { statuses: ['Accepted'] });
		expect(output).toBeDefined();
	});
});
