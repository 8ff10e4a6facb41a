/** The webhook trigger's output, and the events and statuses that start a workflow. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
	event,
	NOW,
	OUTLINE,
	remembered,
	subscription,
	Trigger,
	TYPE as STATUS,
} from './receivingTrigger.mts';

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }));
afterEach(() => void vi.useRealTimers());

const BUILD = 'proposal.build.status_update';
const PAYMENT = 'payment.status_changed';
const CONTACT = 'contact.updated';
/** The fields of a simplified proposal. */
const NOTHING_KNOWN = {
	proposalId: null,
	number: null,
	name: null,
	status: null,
	contactId: null,
	clientName: null,
	clientEmail: null,
	salesPersonName: null,
	proposalTotal: null,
};

/** The output; undefined when the event is acknowledged and starts nothing. */
async function outputOf(type: string, data: unknown, parameters: object = {}, more: object = {}) {
	const events = [STATUS, OUTLINE, BUILD, PAYMENT, CONTACT];
	const trigger = new Trigger({ parameters: { events, ...parameters }, more });
	const text = event({ type, data });
	const outcome = (await trigger.receive(text)) as { json: object }[][] | undefined;
	return { output: outcome?.[0]?.[0]?.json, event: JSON.parse(text) };
}

describe('the simplified event', () => {
	const person = { id: 5, firstName: 'Mio', lastName: 'Ito', contactEmail: 'mio@ito.example' };

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
				contactId: 5,
				clientName: 'Mio Ito',
				clientEmail: 'mio@ito.example',
			},
		],
		[
			'a company',
			STATUS,
			{ id: 7, status: 'Sent', customer: { ...person, companyName: 'Ito Homes' } },
			{
				id: 7,
				status: 'Sent',
				contactId: 5,
				clientName: 'Ito Homes',
				clientEmail: 'mio@ito.example',
			},
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
		['an ID that is none', STATUS, { id: { value: 7 } }, {}],
		['a contact', CONTACT, { id: 1, name: 'Ito', status: 'Active' }, { status: 'Active' }],
		['no data', STATUS, undefined, {}],
		['data that are a list', OUTLINE, [{ proposalId: 7 }], {}],
	])(
		'fills the simplified event with what is known, and null for the rest: %s',
		async (_case, type, data, known) => {
			const { output } = await outputOf(type, data);
			const { id: proposalId = null, ...others } = known as { id?: number | string };
			const expected = { ...NOTHING_KNOWN, ...others, proposalId, eventType: type };
			expect(output).toEqual(expected);
			expect(Object.keys(output!)).toEqual(Object.keys(expected));
		},
	);

	it.each([false, 'false'])('leaves the event as it came with Simplify %o', async (simplify) => {
		const { output, event: sent } = await outputOf(STATUS, { id: 7 }, { simplify });
		expect(output).toEqual(sent);
	});
});

describe('the dates of an event', () => {
	it.each([undefined, 'application/json'])(
		'outputs the dates of an event in UTC where they name no time zone (%s)',
		async (contentType) => {
			const sent = {
				...{ id: 'evt_1', type: STATUS, created: '2026-04-06T00:22:19.1234567' },
				data: { id: 7, lastModifiedDate: '2026-04-06T00:22:19', note: '2026-04-06T00:22:19' },
			};
			const trigger = new Trigger({ parameters: { simplify: false } });
			const request = { contentType, body: sent };
			const outcome = await trigger.receive(JSON.stringify(sent, null, 2), { request });
			expect(outcome).toMatchObject([
				[
					{
						json: {
							created: '2026-04-06T00:22:19.1234567Z',
							data: { lastModifiedDate: '2026-04-06T00:22:19Z', note: '2026-04-06T00:22:19' },
						},
					},
				],
			]);
		},
	);
});

describe('the fetched proposal', () => {
	/** A service that has the proposal 7 with another status, or refuses to show it. */
	const withService = (statusCode = 200) => ({
		// A separate account, because the wait after a refusal is remembered by account.
		getCredentials: async () => ({
			appKey: 'a',
			secretKey: 'b',
			username: randomUUID(),
			password: 'd',
		}),
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode,
				headers: {},
				body: {
					id: 7,
					number: 1007,
					name: 'Ground floor',
					status: 'Completed',
					errorCode: 'X',
					message: 'No',
				},
			}),
		},
	});
	const accepted = { id: 7, name: 'Den', status: 'Accepted' };
	const outputWith = async (data: object, parameters: object = {}, statusCode = 200) => {
		const fetching = { options: { fetchProposal: true }, ...parameters };
		return (await outputOf(STATUS, data, fetching, withService(statusCode))).output;
	};

	it('fills the flat fields from the fetched proposal, with the status that the event reports', async () => {
		expect(await outputWith(accepted)).toMatchObject({ name: 'Ground floor', status: 'Accepted' });
		expect(await outputWith({ id: 7 })).toMatchObject({ status: 'Completed' });
	});

	it('says when the event does not name a proposal to fetch', async () => {
		const error = 'The event does not say which proposal changed';
		expect(await outputWith({ status: 'Sent' })).toMatchObject({ proposalError: { error } });
	});

	it.each([null, 'perhaps'])('fetches no proposal when an expression returns %j', async (given) => {
		const parameters = { simplify: null, options: { fetchProposal: given } };
		expect(await outputWith(accepted, parameters)).toMatchObject({ name: 'Den' });
	});
});

describe('the statuses', () => {
	it.each([
		['Viewed By Client, Expired', 'ViewedByClient', true],
		[['Accepted', 'Expired'], 'ViewedByClient', false],
		['', 'ViewedByClient', true],
	])(
		'starts on the chosen statuses: %o and a proposal that becomes %s: %s',
		async (statuses, status, isStarted) => {
			const { output } = await outputOf(STATUS, { id: 7, status }, { statuses });
			expect(output !== undefined).toBe(isStarted);
		},
	);

	it('applies the statuses to no other events', async () => {
		const data = { proposal: { id: 7, status: 'Completed' } };
		const { output } = await outputOf(OUTLINE, data, { statuses: ['Accepted'] });
		expect(output).toBeDefined();
	});
});

describe('the event', () => {
	const takeType = async (type: unknown, parameters: object = {}) => {
		const trigger = new Trigger({ parameters: { ...parameters } });
		return (await trigger.receive(event({ type }))) as { json: object }[][] | undefined;
	};

	it.each([['ProposalStatusChanged'], [undefined], [5], [null]])(
		'uses the event of the subscription where the name %j is unknown',
		async (type) => {
			const known = [[{ json: expect.objectContaining({ eventType: STATUS, proposalId: 7 }) }]];
			expect(await takeType(type, { statuses: ['Accepted'] })).toEqual(known);
			expect(await takeType(type, { simplify: false })).toEqual([
				[{ json: JSON.parse(event({ type })) }],
			]);
			expect(await takeType(type, { events: [OUTLINE] })).toBeUndefined();
		},
	);

	it('uses the named event where it is known, chosen or not', async () => {
		expect(await takeType(OUTLINE)).toBeUndefined();
		const both = { events: [STATUS, OUTLINE] };
		expect(await takeType(OUTLINE, both)).toMatchObject([[{ json: { eventType: OUTLINE } }]]);
		const options = { additionalEvents: 'PaymentStatusChange' };
		expect(await takeType('PaymentStatusChange', { options })).toMatchObject([
			[{ json: { eventType: 'PaymentStatusChange' } }],
		]);
	});

	it('uses the event of the subscription that signed, of several', async () => {
		const memory = remembered({
			...subscription(1, 'ours'),
			[OUTLINE]: { subscriptionId: 2, secretKey: 'of the outline' },
		});
		const trigger = new Trigger({ memory, parameters: { events: [STATUS, OUTLINE] } });
		const text = event({ type: 'ProposalOutlineStatusChanged' });
		expect(await trigger.receive(text, { secret: 'of the outline' })).toMatchObject([
			[{ json: { eventType: OUTLINE } }],
		]);
	});
});
