/** Tests which subscriptions the webhook trigger keeps, creates, and removes, and which ones belong to others. */
import { describe, expect, it } from 'vitest';
import { planSubscriptions } from '../../nodes/PortalIoTrigger/subscriptionPlan.ts';

const [BUILD, OUTLINE, STATUS] = ['a.build', 'an.outline', 'a.status'] as const;
const url = 'https://n8n.example.com/webhook/Id-1/webhook';
const secretOf = (id: number) => ({ subscriptionId: id, secretKey: `secret ${id}` });

const at = (subscriptionId: number, event: string, changes: object = {}) => ({
	subscriptionId,
	url,
	enabled: true,
	events: [event],
	...changes,
});
/** Memory of a node with one subscription for each of two events. */
const remembered = {
	owner: 'this node',
	account: 'this user',
	subscriptions: {
		[BUILD]: secretOf(1),
		[STATUS]: secretOf(2),
	},
} as const;

const make = (
	remote: ReturnType<typeof at>[],
	{ stored = remembered as object, events = [BUILD, STATUS] as string[] } = {},
) => {
	const wanted = { events, url, owner: 'this node', account: 'this user' };
	const { keep, add, remove, warning } = planSubscriptions(remote, stored, wanted);
	return { keep: Object.keys(keep), add, remove, warning };
};
const none = { keep: [], add: [], remove: [], warning: '' };
const unpublished = { events: [] };

describe('the plan for the chosen events', () => {
	it('reuses working subscriptions with their secrets', () => {
		const wanted = { events: [BUILD], url, owner: 'this node', account: 'this user' };
		const { keep } = planSubscriptions([at(1, BUILD)], remembered, wanted);
		expect(keep).toEqual({ [BUILD]: secretOf(1) });
	});

	it.each([
		['is disabled', [at(2, STATUS, { enabled: false })]],
		['is gone', []],
		['has several events', [at(2, `${STATUS},${BUILD}`)]],
		['has another event', [at(2, BUILD)]],
		['has an event that is not chosen', [at(2, 'proposal.build.status_update')]],
	])('replaces a subscription that %s', (_how, second) => {
		const expected = { ...none, keep: [BUILD], add: [STATUS], remove: [2] };
		expect(make([at(1, BUILD), ...second])).toEqual(expected);
	});

	it.each([
		['lacks enabled', { enabled: undefined }],
		['lacks the event', { events: undefined }],
		['shows the event as text', { events: STATUS }],
		['shows an older name of the event', { events: ['ProposalStatusChanged'] }],
	])('reuses a subscription with the stored ID if the list %s', (_how, changes) => {
		const remote = [at(1, BUILD), at(2, STATUS, changes)];
		expect(make(remote)).toEqual({ ...none, keep: [BUILD, STATUS] });
	});

	it.each(['https://relay.example.com/portal-io', `${url}/`, 'https://***'])(
		"recognizes the node's subscriptions by their ID when Portal.io shows the URL %s",
		(other) => {
			const remote = [at(1, BUILD, { url: other }), at(2, STATUS, { url: other })];
			expect(make(remote)).toEqual({ ...none, keep: [BUILD, STATUS] });
			expect(make(remote, unpublished)).toEqual({ ...none, remove: [1, 2] });
		},
	);

	it('adds and removes subscriptions to match the chosen events', () => {
		const events = [OUTLINE, STATUS];
		const remote = [at(1, BUILD), at(2, STATUS)];
		const expected = { ...none, keep: [STATUS], add: [OUTLINE], remove: [1] };
		expect(make(remote, { events })).toEqual(expected);
	});
});

const warning = expect.stringContaining('keeping subscriptions 1, 2 because the credential now');
const stored = { ...remembered, account: 'another user' };

describe('the plan for other subscriptions', () => {
	it("removes subscriptions with an unknown secret, but only at the node's URL", () => {
		const elsewhere = at(4, OUTLINE, { url: `${url}2` });
		const remote = [at(1, BUILD), at(2, STATUS), at(3, OUTLINE), elsewhere];
		expect(make(remote)).toEqual({ ...none, keep: [BUILD, STATUS], remove: [3] });
		expect(make(remote, { stored: {} })).toMatchObject({ add: [BUILD, STATUS], remove: [1, 2, 3] });
	});

	it("removes the node's own subscriptions even if Portal.io does not list them", () => {
		// Keep unknown subscriptions at this URL, because they might belong to an n8n instance that replaces this one.
		expect(make([at(1, BUILD), at(3, STATUS)], unpublished)).toEqual({ ...none, remove: [1, 2] });
	});

	it("removes the subscriptions at the node's URL when the node remembers none", () => {
		const remote = [at(1, BUILD), at(2, STATUS, { url: `${url}2` })];
		expect(make(remote, { ...unpublished, stored: {} })).toEqual({ ...none, remove: [1] });
	});

	it("reuses the subscriptions of another user of the same account at the node's URL", () => {
		const remote = [at(1, BUILD), at(2, STATUS, { url: `${url}/` })];
		expect(make(remote, { stored })).toEqual({ ...none, keep: [BUILD, STATUS] });
		expect(make(remote, { ...unpublished, stored })).toEqual({ ...none, remove: [1, 2] });
	});

	it('never removes subscriptions of another account', () => {
		const remote = [at(1, BUILD, { url: 'https://example.com' })];
		expect(make(remote, { stored })).toEqual({ ...none, add: [BUILD, STATUS], warning });
		expect(make(remote, { ...unpublished, stored })).toEqual({ ...none, warning });
	});
});
