import { describe, expect, onTestFinished, test } from 'vitest';
import { clockTolerance } from '../../probe/facts/clock.mts';
import {
	ifModifiedSince,
	missingId,
	missingRoute,
	redirect,
	retryAfter,
	wrongMethod,
} from '../../probe/facts/errors.mts';
import { bodyOf, shapeOf } from '../../probe/facts/shape.mts';
import { catalogLists, sortValues } from '../../probe/facts/lists.mts';
import { largestPage } from '../../probe/facts/pages.mts';
import {
	otherQuerySignature,
	unauthorizedHeaders,
	unknownUserKey,
	wrongSignature,
} from '../../probe/facts/signature.mts';
import { walkOf } from '../../probe/run.mts';
import { tryLogIn } from '../../probe/walk/authentication.mts';
import type { Json, Walk } from '../../probe/walk/walk.mts';
import { seed, startSimulator, type Settings } from '../../simulator/index.mts';
import { startGateway } from './gateway.mts';
import { probeOf } from './probing.mts';
import { run } from './running.mts';

const { dealer } = seed;
const CREATIONS = [
	'proposal.create',
	'area.create',
	'areaOption.create',
	'contact.create',
	'location.create',
	'item.add',
	'webhookSubscription.create',
];

/** A walk that has logged in, at a simulator that ends with the test. */
async function walkAt(
	settings: Partial<Settings> = {},
	gateway?: Parameters<typeof startGateway>[1],
) {
	const simulator = await startSimulator(settings);
	onTestFinished(async () => await simulator.stop());
	let { url } = simulator;
	if (gateway !== undefined) {
		const started = await startGateway(simulator.port, gateway);
		onTestFinished(async () => await started.stop());
		({ url } = started);
	}
	const walk: Walk = walkOf(probeOf(url), { keys: dealer }, new Date());
	await tryLogIn(walk, dealer);
	walk.proposalId = seed.proposals.empty;
	return { walk, facts: walk.probe.facts, control: simulator.control };
}

describe('the largest page', () => {
	test('is found where a larger one is refused', async () => {
		const { walk } = await walkAt({ maxPageSize: 37 });
		expect(await largestPage(walk)).toEqual({ accepted: 37, refused: 38, status: 400 });
	});

	test('is found in a few requests where it is a usual one', async () => {
		const { walk } = await walkAt({ maxPageSize: 100 });
		const { requests } = walk.probe.service;
		expect(await largestPage(walk)).toEqual({ accepted: 100, refused: 101, status: 400 });
		expect(walk.probe.service.requests - requests).toBe(4);
	});

	test('is told from a page that is cut without a word', async () => {
		const cut = ({ url }: { url: string }, body: string) => {
			if (!url.startsWith('/public/proposals?')) return undefined;
			const { proposals, ...rest } = JSON.parse(body);
			return { body: JSON.stringify({ ...rest, proposals: proposals.slice(0, 3) }) };
		};
		const { walk } = await walkAt({ maxPageSize: 5000 }, { after: cut });
		expect(await largestPage(walk)).toEqual({ cutAt: 3 });
	});

	test('is not concluded from an account with few proposals', async () => {
		const { walk } = await walkAt({ maxPageSize: 5000 });
		expect(await largestPage(walk)).toEqual({ accepted: 1000, isCut: 'not known' });
	});
});

describe('the date', () => {
	const expectAround = ({ accepted, refused }: Json, seconds: number, slack: number) => {
		expect(refused - accepted).toBeLessThanOrEqual(Math.max(5, accepted / 100));
		expect(accepted).toBeLessThanOrEqual(seconds + slack);
		expect(refused).toBeGreaterThanOrEqual(seconds - slack);
	};

	test.each([30, 77, 900])('may be %i seconds off, in both directions', async (seconds) => {
		const { walk } = await walkAt({ clockSkewSeconds: seconds });
		const { ahead, behind } = (await clockTolerance(walk)) as Json;
		// The header has no fractions of a second.
		expectAround(ahead, seconds, 2);
		expectAround(behind, seconds, 2);
	});

	test('is compared with the clock of the service', async () => {
		const { walk, control } = await walkAt();
		await control.advance(600);
		const { ahead, behind } = (await clockTolerance(walk)) as Json;
		expectAround(ahead, 900, 3);
		expectAround(behind, 900, 3);
	});

	test('may be anything at a service that does not look', async () => {
		const { walk } = await walkAt({ clockSkewSeconds: 1e9 });
		expect(await clockTolerance(walk)).toEqual({
			ahead: { accepted: 86_400 },
			behind: { accepted: 86_400 },
		});
	});
});

describe('keys and signatures', () => {
	test.each([true, false])('an exchange ends the first key: %s', async (singleUserKey) => {
		const { facts, control } = await walkAt({ singleUserKey });
		expect(facts.exchangeEndsFirstKey).toBe(singleUserKey);
		expect(control.exchangeCount()).toBe(2);
	});

	test.each([true, false])('the query is signed: %s', async (signedQuery) => {
		const { walk, facts } = await walkAt({ service: { signedQuery } });
		expect(facts.queryIsSigned).toBe(signedQuery);
		expect(await otherQuerySignature(walk)).toBe(false);
		// The service can still be asked.
		expect((await walk.probe.call('user.getMany', {})).status).toBe(200);
	});

	test('describes refusals by their shape', async () => {
		const { walk } = await walkAt();
		const members = expect.arrayContaining(['message', 'responseStatus.errorCode']);
		const refusal = { status: 401, body: 'JSON', members, hasWwwAuthenticate: false };
		expect(await wrongSignature(walk)).toEqual(refusal);
		expect(await unknownUserKey(walk)).toEqual(refusal);
		expect(await unauthorizedHeaders(walk)).toEqual({
			'none of them': 401,
			'without X-MSS-API-APPID': 401,
			'without X-MSS-API-USERKEY': 401,
			'without X-MSS-CUSTOM-DATE': 401,
			'without X-MSS-SIGNATURE': 401,
		});
	});

	test('describes a refusal that is a bare text', async () => {
		const refuse = ({ headers }: { headers: Json }) => {
			const isWrong = String(headers['x-mss-signature']).startsWith('bm90');
			if (!isWrong) return undefined;
			return { status: 401, headers: { 'WWW-Authenticate': 'x' }, body: '"You are not …"' };
		};
		const { walk } = await walkAt({}, { before: refuse });
		expect(await wrongSignature(walk)).toEqual({
			status: 401,
			body: 'text',
			hasWwwAuthenticate: true,
		});
	});
});

describe('what is not there', () => {
	test('a route, a record and a method', async () => {
		const { walk } = await walkAt();
		expect(await missingRoute(walk)).toEqual({ status: 404, body: 'text' });
		expect(await wrongMethod(walk)).toEqual({ status: 405, body: 'text' });
		const members = expect.arrayContaining(['message', 'responseStatus.errors']);
		expect(await missingId(walk)).toEqual({ status: 404, body: 'JSON', members });
		expect(await redirect(walk)).toEqual({});
		expect(await retryAfter(walk)).toBe('not sent');
	});

	test('a route that leads elsewhere, without IDs and hosts', async () => {
		const targets: Record<string, string> = {
			'/': 'https://login.example.com/account/12345?return=secret',
			'/public/proposals/': '/public/proposals',
		};
		const { walk } = await walkAt(
			{},
			{
				before: ({ url }) => {
					const Location = targets[url];
					return Location === undefined ? undefined : { status: 302, headers: { Location } };
				},
			},
		);
		expect(await redirect(walk)).toEqual({
			'/': { status: 302, location: '/account/{id} of another host' },
			'/public/proposals/': { status: 302, location: '/public/proposals' },
		});
	});

	test('a change since the last read', async () => {
		const { walk } = await walkAt();
		expect(await ifModifiedSince(walk)).toBe(304);
	});

	test('conditional reads', async () => {
		const strip = (incoming: { headers: Json }) => {
			delete incoming.headers['if-modified-since'];
			return undefined;
		};
		const { walk } = await walkAt({}, { before: strip });
		expect(await ifModifiedSince(walk)).toBe(200);
	});
});

describe('lists', () => {
	test('are sorted by the values of newer documents', async () => {
		const { walk } = await walkAt();
		expect(await sortValues(walk)).toMatchObject({
			'proposal.getMany': {
				SortBy: { ModifiedDate: 'accepted', LastModifiedDate: 400, n8nProbe: 400 },
				SortDirection: { Asc: 'accepted', Desc: 'accepted', Ascending: 400, n8nProbe: 400 },
			},
			'contact.getMany': {
				SortBy: { LastActiveByMe: 'accepted', CompanyName: 400 },
				SortDirection: { Desc: 'accepted', Descending: 400 },
			},
		});
	});

	test('are sorted by the values of older documents', async () => {
		const values = {
			SortBy: { ModifiedDate: 'LastModifiedDate' },
			SortDirection: { Asc: 'Ascending', Desc: 'Descending' },
		};
		const { walk } = await walkAt({ service: { values } });
		expect(await sortValues(walk)).toMatchObject({
			'proposal.getMany': {
				SortBy: { ModifiedDate: 400, LastModifiedDate: 'accepted', Number: 'accepted' },
				SortDirection: { Asc: 400, Ascending: 'accepted', Descending: 'accepted' },
			},
		});
	});

	test.each(['repeated', 'commas', 'brackets'] as const)('take brands %s', async (form) => {
		const { walk } = await walkAt({ service: { lists: [form] } });
		expect(await catalogLists(walk)).toEqual({
			repeated: form === 'repeated',
			commas: form === 'commas',
			brackets: form === 'brackets',
		});
	});
});

describe('creations and subscriptions', () => {
	test('as the newer documents have them', async () => {
		const { report } = await run({});
		const { facts } = report;
		expect(facts.creationStatus).toEqual(Object.fromEntries(CREATIONS.map((name) => [name, 200])));
		expect(facts.webhookEvents).toMatchObject({
			'proposal.status_changed': 'accepted',
			'proposal.outline.status_update': 'accepted',
			'proposal.build.status_update': 'accepted',
			ProposalStatusChanged: 400,
			PersonModification: 400,
			'payment.status_changed': 400,
		});
		expect(facts.eventsFormat).toEqual({ repeated: 'both', commas: 'both', brackets: 400 });
		expect(facts).toMatchObject({
			secretKeyInList: false,
			secretKeyInUpdate: false,
			deleteWithoutBody: 'none',
			otherItemTypes: { Labor: true, CustomItem: true },
		});
	});

	test('with a vocabulary of its own, secrets in lists, and status 201', async () => {
		const names = {
			'proposal.status_changed': 'ProposalStatusChanged',
			'proposal.outline.status_update': 'OutlineStatusUpdated',
		};
		const { report } = await run({
			service: {
				events: { names, several: 'commas' },
				secretKeyInLists: true,
				statuses: Object.fromEntries(CREATIONS.map((name) => [name, 201])),
				validation: 'plain',
			},
			additionalEvents: ['PaymentStatusChanged', 'ContactModified'],
		});
		const { facts } = report;
		const events = Object.entries(facts.webhookEvents as object);
		const accepted = events.filter(([, result]) => result === 'accepted').map(([name]) => name);
		expect(accepted.sort()).toEqual([
			'ContactModified',
			'OutlineStatusUpdated',
			'PaymentStatusChanged',
			'ProposalStatusChanged',
		]);
		expect(facts.eventsFormat).toMatchObject({ repeated: 'one', commas: 'both' });
		expect(facts).toMatchObject({ secretKeyInList: true, secretKeyInUpdate: true });
		expect(facts.creationStatus).toEqual(Object.fromEntries(CREATIONS.map((name) => [name, 201])));
	});

	test('at a service that wants a content type for a DELETE without a body', async () => {
		const simulator = await startSimulator();
		onTestFinished(async () => await simulator.stop());
		const gateway = await startGateway(simulator.port, {
			before: ({ method, headers }) =>
				method !== 'DELETE' || headers['content-type'] ? undefined : { status: 401, body: '"No"' },
		});
		onTestFinished(async () => await gateway.stop());
		const { report } = await run({}, { baseUrl: gateway.url });
		expect(report.facts.deleteWithoutBody).toBe('application/x-www-form-urlencoded');
		expect(simulator.control.subscriptions()).toEqual([]);
	});
});

describe('shapes', () => {
	test('have no values, and no names of members that the account chooses', () => {
		const data = { id: 7, tags: [{ name: 'x' }, { name: null, on: true }], meta: { Avery: 1 } };
		expect(shapeOf(data)).toEqual({
			id: 'number',
			tags: 'list',
			'tags[]': 'object',
			'tags[].name': 'null',
			'tags[].on': 'boolean',
			meta: 'object',
		});
	});

	test.each([
		['', { body: 'empty' }],
		['Not found', { body: 'text' }],
		[' <html>', { body: 'HTML' }],
		[{ message: 'x' }, { body: 'JSON', members: ['message'] }],
	])('of %j', (data, expected) => {
		expect(bodyOf(data)).toEqual(expected);
	});
});
