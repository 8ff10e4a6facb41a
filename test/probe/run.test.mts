/** What a run leaves, what it never changes, and how it goes on or ends when the service refuses. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checks } from '../../dev/probe/checks/index.mts';
import { exitCodeOf, toMarkdown } from '../../dev/probe/report.mts';
import { seed } from '../../dev/simulator/index.mts';
import { operations } from '../../dev/simulator/openapi.mts';
import {
	addItemByHand,
	endpointIn,
	growth,
	keysOf,
	operationsWith,
	refuseItems,
	run,
} from './running.mts';

const NEEDS_AI = checks.filter((one) => one.needsAi).map(({ operation }) => operation);

it('checks each endpoint of the contract once', () => {
	const checked = ['authentication.exchangeKey', ...checks.map(({ operation }) => operation)];
	expect(checked.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
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
				/^Proposals and contacts named 'n8n probe .*, which the API cannot delete\.$/,
			),
		]);
		expect(ran.report.requests).toBe(ran.requests.length);
	});

	it('leaves AI work alone unless it is asked for', async () => {
		const { report, requests } = await run();
		expect(operationsWith(report, 'not tried').toSorted()).toEqual(NEEDS_AI.toSorted());
		expect(endpointIn(report, 'aiBuild.start').note).toContain('only with --ai');
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

	it('reports no value of the account', async () => {
		const { report, before } = await run({ ai: true });
		const contract = readFileSync(
			new URL('../../dev/simulator/openapi.yaml', import.meta.url),
			'utf8',
		);
		const texts = Object.values(before)
			.flat()
			.flatMap((row) => Object.values(row).map(String))
			.filter(
				(text) => text.length > 4 && /[\s@\d]|\p{Lu}/u.test(text) && !contract.includes(text),
			);
		expect(texts.length).toBeGreaterThan(300);
		const shown = JSON.stringify(report) + toMarkdown(report);
		expect(texts.filter((text) => shown.includes(text))).toEqual([]);
	});

	it.each([
		['proposal', '/public/proposals', seed.proposals.staleTheatre, 'item.delete'],
		['contact', '/public/people', seed.contacts.company, 'location.create'],
	])('leaves another %s alone whose ID the creation returns', async (_, path, id, operation) => {
		const { report, requests } = await run({
			change: (method, { pathname }, data) =>
				method === 'POST' && pathname === path ? { data: { ...data, id } } : undefined,
		});
		const changes = requests.filter(({ method }) => method !== 'GET');
		expect(changes.filter((one) => one.path.startsWith(`${path}/${id}/`))).toEqual([]);
		expect(endpointIn(report, operation).verdict).toBe('not tried');
	});

	it('says what may be left although no response told of it', async () => {
		const { report } = await run({
			change: (method, { pathname }) =>
				method === 'POST' && /^\/public\/(proposals|people)$/.test(pathname)
					? { status: 500, data: {} }
					: undefined,
		});
		expect(report.left.join()).toContain('Proposals and contacts named');
	});
});

it('reports filters of a list that have no effect', async () => {
	let firstPage: unknown;
	const { report } = await run({
		readOnly: true,
		change: (_, { pathname }, data) =>
			pathname === '/public/people' ? { data: (firstPage ??= data) } : undefined,
	});
	expect(endpointIn(report, 'contact.getMany')).toMatchObject({
		verdict: 'no effect',
		note: 'The list is the same with and without these parameters: SearchText, ContactTypes, SortBy and SortDirection, PageNumber and PageSize.',
	});
});

describe('a service that refuses', () => {
	it('does not try what it has no permission for, and says why', async () => {
		const { report, before, after } = await run({ user: 'restricted' });
		expect(report.endedEarly).toBeUndefined();
		expect(after).toEqual(before);
		expect(endpointIn(report, 'user.getMany')).toMatchObject({
			verdict: 'not tried',
			note: 'Refused with status 403: this user does not have the permission.',
		});
		expect(exitCodeOf(report)).toBe(0);
	});

	it('keeps what was learned when the subscription ends in the middle, and says what is left', async () => {
		const { report } = await run({
			onStep: (step, control) => {
				if (step === 'item') control.failNext({ status: 402, times: 9999 });
			},
		});
		expect(report.endedEarly).toMatch(/subscription of this dealer is inactive/);
		expect(operationsWith(report, 'confirmed')).toContain('area.create');
		expect(endpointIn(report, 'item.move').note).toBe(report.endedEarly);
		expect(report.left.join()).toMatch(
			/Items in the proposal .* could not be deleted.*Proposals and contacts/,
		);
		expect(exitCodeOf(report)).toBe(2);
	});

	it('reports no effect of an operation that is always refused, with the status and the error code alone', async () => {
		const body = { errorCode: 'NotNow', message: 'Avery Lindqvist may not', responseStatus: {} };
		const { report, words } = await run({
			onStep: (step, control) => {
				const operationId = 'item.updateQuantity';
				if (step === 'item') control.failNext({ operationId, status: 400, body, times: 99 });
			},
		});
		expect(endpointIn(report, 'item.updateQuantity')).toMatchObject({
			verdict: 'no effect',
			note: 'Refused with status 400 (NotNow). Tried as a form and JSON; Quantity also as Qty, Count, Amount.',
		});
		expect(JSON.stringify(report)).not.toContain('Lindqvist');
		// The owner reads it on the terminal.
		expect(words['item.updateQuantity']).toBe('Avery Lindqvist may not (NotNow)');
	});

	it('tries nothing whose effect could not be read back', async () => {
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
	])('tries nothing when the %s is refused, and says so', async (_, wrong, words) => {
		const { report } = await run({ keys: { ...keysOf(seed.dealer), ...wrong } });
		expect(report.endedEarly).toMatch(words);
		expect(operationsWith(report, 'not tried')).toHaveLength(operations.length);
		expect(report.left).toEqual([]);
	});
});

describe('a service to which no item can be added', () => {
	const onStep: Parameters<typeof run>[0] = {
		onStep: (step, control) => {
			if (step === 'item') refuseItems(control);
		},
	};

	it('tries items on one that somebody adds by hand', async () => {
		let asked = 0;
		const ran = await run({
			...onStep,
			addByHand: async (simulator) => {
				asked++;
				await addItemByHand(simulator);
			},
		});
		const { report } = ran;
		expect(asked).toBe(1);
		expect(endpointIn(report, 'item.add').verdict).toBe('no effect');
		const ofItems = report.endpoints.filter(
			({ operation }) => operation.startsWith('item.') && operation !== 'item.add',
		);
		expect(ofItems.filter(({ verdict }) => verdict !== 'confirmed')).toEqual([]);
		expect(growth(ran)).not.toHaveProperty('proposal_items');
		expect(exitCodeOf(report)).toBe(1);
	});

	it('tries items no further without anybody to ask', async () => {
		const { report } = await run(onStep);
		expect(endpointIn(report, 'item.move')).toMatchObject({
			verdict: 'not tried',
			note: 'There is no item in the proposal to try it with.',
		});
	});
});

it('works on items that were added with another quantity, and says so', async () => {
	const { report } = await run({
		change: (_, { pathname }, data) =>
			/proposals\/\d+/.test(pathname)
				? { data: JSON.parse(JSON.stringify(data).replace(/"quantity":[\d.]+/g, '"quantity":1')) }
				: undefined,
	});
	expect(endpointIn(report, 'item.add')).toMatchObject({
		verdict: 'differs',
		note: expect.stringContaining('another value for Items[].quantity (quantity)'),
	});
	expect(endpointIn(report, 'item.move').verdict).toBe('confirmed');
});
