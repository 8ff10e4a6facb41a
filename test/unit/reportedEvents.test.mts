/** Tests the webhook trigger's output, and which events and statuses start a workflow. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
const CONTACT = 'contact.updated';
const UNKNOWN = {
	proposalId: null,
	number: null,
	name: null,
	status: null,
	clientName: null,
	clientEmail: null,
	proposalTotal: null,
	salesPersonName: null,
	lastModifiedBy: null,
};

/** Returns the output; undefined if the event is acknowledged without starting the workflow. */
async function outputOf(sent: object, parameters: object = {}, sending: object = {}) {
	const events = [STATUS, OUTLINE, BUILD, CONTACT];
	const trigger = new Trigger({ parameters: { events, ...parameters } });
	const outcome = await trigger.receive(event(sent), sending);
	return (outcome as { json: object }[][] | undefined)?.[0]?.[0]?.json;
}

const person = { id: 5, firstName: 'Mio', lastName: 'Ito', contactEmail: 'mio@ito.example' };
const client = { clientName: 'Mio Ito', clientEmail: 'mio@ito.example' };

it.each<[string, unknown, object]>([
	[STATUS, { id: 7, status: 'Sent' }, { proposalId: 7, status: 'Sent' }],
	[STATUS, { id: 1, proposalId: 7, name: 'Den' }, { proposalId: 7, name: 'Den' }],
	[
		STATUS,
		{ id: 1, status: 'Declined', proposal: { id: 7, number: 12, customer: person } },
		{ proposalId: 7, status: 'Declined', number: 12, ...client },
	],
	[
		STATUS,
		{ id: 7, total: 12.5, salesPerson: 'Avery Lindqvist' },
		{ proposalId: 7, proposalTotal: 12.5, salesPersonName: 'Avery Lindqvist' },
	],
	[
		OUTLINE,
		{ id: 1, outlineId: 1, proposalId: 7, status: 'Completed', name: 'One' },
		{ proposalId: 7, status: 'Completed' },
	],
	[
		BUILD,
		{ id: 1, status: 'Failed', proposal: { id: 7, status: 'Draft' } },
		{ proposalId: 7, status: 'Failed' },
	],
	[CONTACT, { id: 1, name: 'Ito', status: 'Active' }, { status: 'Active' }],
	[STATUS, { id: { value: 7 } }, {}],
	[STATUS, { id: '7' }, { proposalId: 7 }],
	[STATUS, undefined, {}],
	[OUTLINE, [{ proposalId: 7 }], {}],
])('outputs the known fields of a simplified event: %s %j', async (type, data, known) => {
	const output = await outputOf({ type, data });
	const expected = { ...UNKNOWN, ...known, eventType: type };
	expect(output).toEqual(expected);
	expect(Object.keys(output!)).toEqual(Object.keys(expected));
});

it.each(['raw', ' Raw'])('outputs the unchanged event with the Output %j', async (output) => {
	expect(await outputOf({}, { output })).toEqual(JSON.parse(event()));
});

it.each([undefined, 'application/json'])(
	'outputs dates without a time zone as UTC for the content type %s',
	async (contentType) => {
		const date = '2026-04-06T00:22:19';
		const sent = { created: `${date}.1234567`, data: { lastModifiedDate: date, note: date } };
		const request = { contentType, body: JSON.parse(event(sent)) };
		expect(await outputOf(sent, { output: 'raw' }, { request })).toMatchObject({
			created: `${date}.1234567Z`,
			data: { lastModifiedDate: `${date}Z`, note: date },
		});
	},
);

it.each([
	['Viewed By Client, Expired', true],
	[['Accepted', 'Expired'], false],
	['', true],
])(
	'starts the workflow on ViewedByClient if the chosen statuses %j include it: %s',
	async (statuses, isStarted) => {
		const output = await outputOf({ data: { id: 7, status: 'ViewedByClient' } }, { statuses });
		expect(output !== undefined).toBe(isStarted);
	},
);

it('ignores the chosen statuses for other events', async () => {
	const data = { proposal: { id: 7, status: 'Completed' } };
	const output = await outputOf({ type: OUTLINE, data }, { statuses: ['Accepted'] });
	expect(output).toMatchObject({ eventType: OUTLINE, proposalId: 7, status: 'Completed' });
});

it.each([['ProposalStatusChanged'], [undefined], [5]])(
	'treats an event with the unknown name %j as the event of its subscription',
	async (type) => {
		const known = { eventType: STATUS, proposalId: 7 };
		expect(await outputOf({ type }, { statuses: ['Accepted'] })).toMatchObject(known);
		expect(await outputOf({ type }, { output: 'raw' })).toEqual(JSON.parse(event({ type })));
		expect(await outputOf({ type }, { events: [OUTLINE] })).toBeUndefined();
	},
);

it("uses the event's own name if it is known", async () => {
	const type = OUTLINE;
	expect(await outputOf({ type }, { events: [STATUS] })).toBeUndefined();
	expect(await outputOf({ type })).toMatchObject({ eventType: OUTLINE });
	const options = { additionalEvents: 'PaymentStatusChange' };
	expect(await outputOf({ type: 'PaymentStatusChange' }, { options })).toMatchObject({
		eventType: 'PaymentStatusChange',
	});
});

it('treats an event with an unknown name as the event of the subscription whose secret matches', async () => {
	const other = { [OUTLINE]: { subscriptionId: 2, secretKey: 'of the outline' } };
	const memory = remembered({ ...subscription(1, 'ours'), ...other });
	const trigger = new Trigger({ memory, parameters: { events: [STATUS, OUTLINE] } });
	const text = event({ type: 'ProposalOutlineStatusChanged' });
	expect(await trigger.receive(text, { secret: 'of the outline' })).toMatchObject([
		[{ json: { eventType: OUTLINE } }],
	]);
});
