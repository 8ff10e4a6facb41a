/** What the webhook trigger starts a workflow with, and on which events and statuses. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fileService, seed } from './account.mts';
import { signedHeaders } from './deliver.mts';
import { triggerNode } from '../../testbed/nodeRunner.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

const BUILD = 'proposal.build.status_update';
const OUTLINE = 'proposal.outline.status_update';
const STATUS = 'proposal.status_changed';
const PAYMENT = 'payment.status_changed';
const CONTACT = 'contact.updated';
/** The eight fields of a simplified proposal, and what happened. */
const FIELDS = [
	'proposalId',
	'number',
	'name',
	'status',
	'customerName',
	'customerEmail',
	'salesPersonName',
	'proposalTotal',
	'eventType',
	'eventStatus',
];
const NOTHING_KNOWN = Object.fromEntries(FIELDS.map((name) => [name, null]));
const { accepted, submittedToo, staleTheatre } = seed.proposals;

const service = fileService({ additionalEvents: [PAYMENT, CONTACT] });
beforeEach(() => {
	service.control.deleteSubscriptions();
	service.control.clearFaults();
});

const activate = async (node: ReturnType<typeof triggerNode>) => {
	if (!(await node.checkExists())) await node.create();
};
const active = async (parameters: object = {}) => {
	const node = triggerNode({
		credential: service.account,
		parameters: { events: [STATUS], ...parameters },
	});
	await activate(node);
	return node;
};
const subscribed = () => service.control.subscriptions().map(({ events }) => events);

let number = 0;
const eventOf = (type: string, data: unknown) => ({
	id: `evt_${++number}`,
	type,
	created: '2026-04-06T00:22:19Z',
	data,
});
const deliver = async (node: ReturnType<typeof triggerNode>, event: object) => {
	const [subscription] = service.control.subscriptions();
	const text = JSON.stringify(event);
	const headers = signedHeaders(String(subscription!.secret_key), text);
	return await node.receive(headers, Buffer.from(text));
};
/** What the workflow starts with; undefined when the event is acknowledged and starts nothing. */
const outputOf = async (node: ReturnType<typeof triggerNode>, event: object) => {
	const { workflowData, answer } = await deliver(node, event);
	expect(answer).toEqual({ status: 200, ended: true });
	return workflowData?.[0]?.[0]?.json;
};

describe('the simplified event', () => {
	it('is the flat proposal that the event carries, with what happened', async () => {
		const event = eventOf(STATUS, service.control.proposal(accepted));
		const output = await outputOf(await active(), event);
		expect(Object.keys(output!)).toEqual(FIELDS);
		expect(output).toEqual({
			proposalId: accepted,
			number: 1012,
			name: 'Holt family room',
			status: 'Accepted',
			// A private customer, without a company.
			customerName: 'Maren Holt',
			customerEmail: 'maren.holt@clients.example',
			salesPersonName: 'Avery Lindqvist',
			proposalTotal: 9358.02,
			eventType: STATUS,
			eventStatus: 'Accepted',
		});
	});

	it('names a company by its name', async () => {
		const event = eventOf(STATUS, service.control.proposal(submittedToo));
		expect(await outputOf(await active(), event)).toMatchObject({
			customerName: 'Quarry Street Hospitality',
			customerEmail: 'theo@quarrystreet.example',
		});
	});

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
			{ id: 1, status: 'Declined', proposal: { id: 7, number: 12, customer: { lastName: 'Ito' } } },
			{ id: 7, status: 'Declined', number: 12, customerName: 'Ito' },
		],
		[
			'an outline, whose status is not that of the proposal',
			OUTLINE,
			{ id: 1, outlineId: 1, proposalId: 7, status: 'Completed', name: 'An outline' },
			{ id: 7 },
		],
		['a build', BUILD, { proposalId: 7, status: 'Completed' }, { id: 7 }],
		[
			'an outline with its proposal',
			OUTLINE,
			{ id: 1, status: 'Completed', proposal: { id: 7, status: 'Draft' } },
			{ id: 7, status: 'Draft' },
		],
		['a payment with its proposal', PAYMENT, { id: 1, proposalId: 7, status: 'Paid' }, { id: 7 }],
		['a contact', CONTACT, { id: 1, name: 'Ito', status: 'Active' }, {}],
		['no data', STATUS, undefined, {}],
		['data that are text', STATUS, 'Accepted', {}],
		['data that are a list', OUTLINE, [{ proposalId: 7 }], {}],
	])('has what is known, and null for the rest: %s', async (_case, type, data, known) => {
		const node = await active({
			events: [STATUS, OUTLINE, BUILD],
			options: { additionalEvents: `${PAYMENT}, ${CONTACT}` },
		});
		const event = eventOf(type, data);
		const { id: proposalId = null, ...others } = known as { id?: number };
		const { status: eventStatus = null } = (data ?? {}) as { status?: string };
		const happened = { eventType: type, eventStatus };
		const expected = { ...NOTHING_KNOWN, ...others, proposalId, ...happened };
		expect(await outputOf(node, event)).toEqual(expected);
	});

	it('takes its fields from the proposal that was fetched', async () => {
		const node = await active({ events: [OUTLINE], options: { fetchProposal: true } });
		const event = eventOf(OUTLINE, { proposalId: staleTheatre, status: 'Completed' });
		const output = await outputOf(node, event);
		expect(Object.keys(output!)).toEqual(FIELDS);
		expect(output).toMatchObject({
			proposalId: staleTheatre,
			status: 'Draft',
			customerName: 'Maren Holt',
			salesPersonName: 'Avery Lindqvist',
			eventType: OUTLINE,
			eventStatus: 'Completed',
		});
	});

	it('has the status that the event reports, although the proposal has another one by now', async () => {
		const node = await active({ statuses: ['Submitted'], options: { fetchProposal: true } });
		const event = eventOf(STATUS, { id: accepted, status: 'Submitted' });
		expect(await outputOf(node, event)).toMatchObject({
			proposalId: accepted,
			status: 'Submitted',
		});
	});

	it('has the total and the salesperson in the forms that events have them in', async () => {
		const data = { id: 7, status: 'Accepted', total: 12.5, salesPerson: 'Avery Lindqvist' };
		expect(await outputOf(await active({}), eventOf(STATUS, data))).toMatchObject({
			proposalTotal: 12.5,
			salesPersonName: 'Avery Lindqvist',
		});
	});

	it('says why the proposal could not be fetched, and has what the event says', async () => {
		const node = await active({ options: { fetchProposal: true } });
		const event = eventOf(STATUS, { id: 99_999_999, status: 'Accepted' });
		expect(await outputOf(node, event)).toEqual({
			...NOTHING_KNOWN,
			proposalId: 99_999_999,
			status: 'Accepted',
			eventType: STATUS,
			eventStatus: 'Accepted',
			proposalError: 'No record found with this ID',
		});
	});

	it.each([false, 'false', '={{ 1 > 2 }}'])('is as it came with Simplify %o', async (simplify) => {
		const event = eventOf(STATUS, { id: 7, status: 'Accepted' });
		expect(await outputOf(await active({ simplify }), event)).toEqual(event);
	});
});

describe('the statuses', () => {
	const starts = async (statuses: unknown, status: string, type = STATUS) => {
		const node = await active({ events: [STATUS, OUTLINE], statuses });
		return (await outputOf(node, eventOf(type, { id: 7, status }))) !== undefined;
	};

	it.each<[unknown, string, boolean]>([
		[[], 'Accepted', true],
		[[], 'Renegotiated', true],
		['', 'Accepted', true],
		[undefined, 'Accepted', true],
		[['Accepted', 'Declined'], 'Declined', true],
		[['Accepted', 'Declined'], 'Submitted', false],
		[['Accepted', 'Declined'], 'Renegotiated', false],
		['={{ ["Renegotiated"] }}', 'Renegotiated', true],
		['={{ "Accepted, Renegotiated" }}', 'Renegotiated', true],
		['={{ "Accepted, Renegotiated" }}', 'Accepted', true],
		['={{ "Accepted, Renegotiated" }}', 'Declined', false],
		['={{ ["Approved"] }}', 'Accepted', true],
		[['Accepted'], 'Approved', true],
		[['Submitted'], 'Sent', true],
	])('%o and a proposal that becomes %s: %s', async (statuses, status, isStarted) => {
		expect(await starts(statuses, status)).toBe(isStarted);
	});

	it('do not concern other events', async () => {
		expect(await starts(['Accepted'], 'Completed', OUTLINE)).toBe(true);
	});
});

describe('additional events', () => {
	it.each<[string, unknown]>([
		['text', ` ${PAYMENT},${CONTACT},${STATUS}, `],
		['a list', [PAYMENT, CONTACT]],
		['an expression', `={{ ['${PAYMENT}', '${CONTACT}'] }}`],
	])('get a subscription each, given as %s, and go with the workflow', async (_how, given) => {
		const node = await active({ options: { additionalEvents: given } });
		expect(subscribed()).toEqual([STATUS, PAYMENT, CONTACT]);
		expect(await node.checkExists()).toBe(true);
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
	});

	it('start the workflow', async () => {
		const node = await active({ options: { additionalEvents: PAYMENT } });
		const event = eventOf(PAYMENT, { id: 1, proposalId: 7, status: 'Paid' });
		expect(await outputOf(node, event)).toMatchObject({ proposalId: 7, eventType: PAYMENT });
		expect(await outputOf(node, eventOf(CONTACT, { id: 1 }))).toBeUndefined();
	});

	it('lose their subscription when they are taken out', async () => {
		const node = await active({ options: { additionalEvents: PAYMENT } });
		node.node.parameters.options = {};
		await activate(node);
		expect(subscribed()).toEqual([STATUS]);
	});

	it.each(['order.status_changed', 'constructor', '__proto__'])(
		'that Portal.io does not know are named: %s',
		async (name) => {
			const given = `${PAYMENT},${name}`;
			await expect(active({ options: { additionalEvents: given } })).rejects.toMatchObject({
				// The message alone: it is all that n8n shows at an activation.
				message: expect.stringMatching(
					`^Portal.io rejected the subscription to '${name}': .*${name}`,
				),
				httpCode: '400',
			});
			expect(subscribed()).toEqual([]);
		},
	);
});
