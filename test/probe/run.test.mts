/** What a run leaves, what it never changes, and how it goes on or ends when the service refuses. */
import { describe, expect, it } from 'vitest';
import { checks } from '../../dev/probe/checks/index.mts';
import { endpoints } from '../../dev/probe/contract.mts';
import { exitCodeOf } from '../../dev/probe/report.mts';
import { seed } from '../../dev/simulator/index.mts';
import { endpointIn, growth, keysOf, operationsWith, run, standingClock } from './running.mts';

const NEEDS_AI = checks.filter((one) => one.needsAi).map(({ operation }) => operation);

it('has one check for each endpoint of the contract', () => {
	const checked = ['authentication.exchangeKey', ...checks.map(({ operation }) => operation)];
	expect(checked.toSorted()).toEqual(endpoints.map(({ operation }) => operation).toSorted());
});

describe('a run', () => {
	it('leaves only what no endpoint deletes, and says so', async () => {
		const ran = await run({ ai: true });
		expect(growth(ran)).toMatchObject({ proposals: 1, people: 1, locations: 1 });
		for (const table of ['proposal_items', 'subscriptions', 'ai_contents']) {
			expect(growth(ran)).not.toHaveProperty(table);
		}
		expect(ran.report.left).toEqual([
			expect.stringMatching(
				/^1 proposal\(s\) named 'n8n probe .*: no endpoint deletes proposals\.$/,
			),
			expect.stringMatching(/^1 contact\(s\) named 'n8n probe .*: no endpoint deletes contacts\.$/),
		]);
		expect(ran.report.requests).toBe(ran.requests.length);
	});

	it('leaves AI work alone unless it is asked for', async () => {
		const { report, requests } = await run();
		expect(operationsWith(report, 'not tried').toSorted()).toEqual(NEEDS_AI.toSorted());
		expect(endpointIn(report, 'aiBuild.start').note).toBe('It needs the option --ai.');
		expect(requests.filter(({ path }) => /\/ai\/(?!content)/.test(path))).toEqual([]);
		expect(exitCodeOf(report)).toBe(0);
	});

	it('changes nothing when only reads are allowed', async () => {
		const { report, requests, before, after } = await run({ readOnly: true });
		expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		expect(after).toEqual(before);
		expect(report.left).toEqual([]);
		expect(operationsWith(report, 'confirmed')).toEqual(
			expect.arrayContaining(['proposal.get', 'contact.get', 'changeOrder.get', 'catalog.get']),
		);
	});

	it.each([
		['proposal', '/public/proposals', seed.proposals.staleTheatre, 'item.delete'],
		['contact', '/public/people', seed.contacts.company, 'location.create'],
	])('leaves another %s alone whose ID the creation returns', async (_, path, id, operation) => {
		const { report, requests } = await run({
			gateway: {
				after: ({ method, url }, body) =>
					method === 'POST' && url === path
						? { body: JSON.stringify({ ...JSON.parse(body), id }) }
						: undefined,
			},
		});
		const changes = requests.filter(({ method }) => method !== 'GET');
		expect(changes.filter((one) => one.path.startsWith(`${path}/${id}/`))).toEqual([]);
		expect(endpointIn(report, operation).verdict).toBe('not tried');
	});

	it('counts what it made although no response told of it', async () => {
		let isLost = false;
		const { report } = await run({
			gateway: {
				after: ({ method, url }) => {
					if (method !== 'POST' || url !== '/public/proposals' || isLost) return undefined;
					isLost = true;
					return { status: 500, body: '{}' };
				},
			},
		});
		expect(report.left.join()).toContain('2 proposal(s) named');
	});
});

describe('filters of a list', () => {
	it('are reported when they have no effect', async () => {
		const { report } = await run({
			readOnly: true,
			gateway: {
				after: ({ url }, body) => {
					if (!url.startsWith('/public/people?')) return undefined;
					return { body: (firstPage ??= body) };
				},
			},
		});
		const { verdict, note } = endpointIn(report, 'contact.getMany');
		expect(verdict).toBe('no effect');
		expect(note).toMatch(
			/^These filters change nothing in the list: SearchText, ContactTypes, .*PageNumber/,
		);
	});
	let firstPage: string | undefined;
});

describe('a service that refuses', () => {
	it('a permission: not tried, with the reason', async () => {
		const { report, before, after } = await run({ user: 'restricted' });
		expect(report.endedEarly).toBeUndefined();
		expect(after).toEqual(before);
		expect(endpointIn(report, 'user.getMany')).toMatchObject({
			verdict: 'not tried',
			note: 'Refused with status 403: this user does not have the permission.',
		});
		expect(exitCodeOf(report)).toBe(0);
	});

	it('the subscription in the middle: keeps what was learned, and says what is left', async () => {
		const { report } = await run({
			onStep: (step, control) => {
				if (step === 'item') control.failNext({ status: 402, times: 9999 });
			},
		});
		expect(report.endedEarly).toMatch(/subscription of this dealer is inactive/);
		expect(operationsWith(report, 'confirmed')).toContain('area.create');
		expect(endpointIn(report, 'item.move').note).toBe(report.endedEarly);
		expect(report.left.join()).toMatch(/Items of the probe could not be removed.*1 proposal\(s\)/);
		expect(exitCodeOf(report)).toBe(2);
	});

	it('an operation whatever is sent: no effect, with the status and the error code alone', async () => {
		const body = { errorCode: 'NotNow', message: 'Avery Lindqvist may not', responseStatus: {} };
		const { report } = await run({
			onStep: (step, control) => {
				const operationId = 'item.updateQuantity';
				if (step === 'item') control.failNext({ operationId, status: 400, body, times: 99 });
			},
		});
		expect(endpointIn(report, 'item.updateQuantity')).toMatchObject({
			verdict: 'no effect',
			note: 'Refused with status 400 (NotNow) in any format and under any name that was tried for Quantity.',
		});
		expect(JSON.stringify(report)).not.toContain('Lindqvist');
	});

	it('to be read back: nothing is tried that could not be seen', async () => {
		const { report } = await run({
			onStep: (step, control) => {
				const fault = { operationId: 'proposal.get', status: 500, times: 9999 };
				if (step === 'area') control.failNext(fault);
			},
		});
		expect(endpointIn(report, 'item.move')).toMatchObject({ verdict: 'not tried' });
		expect(operationsWith(report, 'no effect')).toEqual([]);
	});

	it.each([
		['password', { password: 'another 1' }, /^Portal\.io refused the email or password\.$/],
		['secret key', { secretKey: 'another' }, /check 'Application Key' and 'Secret Key'\.$/],
	])('the %s: says so, and tries nothing', async (_, wrong, words) => {
		const { report } = await run({ keys: { ...keysOf(seed.dealer), ...wrong } });
		expect(report.endedEarly).toMatch(words);
		expect(operationsWith(report, 'not tried')).toHaveLength(endpoints.length);
		expect(report.left).toEqual([]);
	});
});

describe('a session', () => {
	it('goes on when each exchange ends the key before, and when a key expires', async () => {
		const { report } = await run({
			settings: { singleUserKey: true },
			onStep: (step, control) => {
				if (step === 'item') control.failNext({ expireKeys: true });
			},
		});
		expect(report.endedEarly).toBeUndefined();
		expect(report.facts.secondLoginLeavesFirstKeyValid).toBe(false);
		expect(operationsWith(report, 'confirmed')).toHaveLength(endpoints.length - NEEDS_AI.length);
	});

	it('waits as long as a busy service asks for, and ends when it stays busy', async () => {
		const clock = standingClock();
		const start = clock.now();
		const headers = { 'Retry-After': '7' };
		const { report } = await run({
			clock,
			onStep: (step, control) => {
				if (step === 'area') control.failNext({ status: 429, headers, times: 2 });
				const operationId = 'item.updateMsrp';
				if (step === 'item') control.failNext({ operationId, status: 429, headers, times: 99 });
			},
		});
		expect(clock.now() - start).toBeGreaterThan(2 * 7000);
		expect(operationsWith(report, 'confirmed')).toContain('area.create');
		expect(report.endedEarly).toBe('The service is too busy: status 429.');
		expect(operationsWith(report, 'not tried')).toContain('item.updateMsrp');
	});

	it('sends five requests a second at most', async () => {
		const clock = standingClock();
		const times: number[] = [];
		const onRequest = () => void times.push(clock.now());
		await run({ readOnly: true, clock, onRequest });
		expect(times.length).toBeGreaterThan(50);
		expect(times.slice(5).every((time, index) => time - times[index]! >= 1000)).toBe(true);
	});

	it('stops when it is told to, and removes what it made', async () => {
		const stop = new AbortController();
		const ran = await run({
			signal: stop.signal,
			onStep: (step) => {
				if (step === 'webhookSubscription') stop.abort();
			},
		});
		expect(ran.report.endedEarly).toBe('The probe was stopped.');
		expect(growth(ran)).not.toHaveProperty('proposal_items');
		expect(growth(ran)).not.toHaveProperty('subscriptions');
	});
});
