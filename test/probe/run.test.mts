import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../probe/contract.mts';
import { freePort } from '../../testbed/ports.mts';
import { growth, operationsWith, run } from './running.mts';

const AI = [
	'aiContent.delete',
	'aiContent.delete.alternate',
	'aiContent.upload',
	'aiOutline.generate',
	'aiOutline.generate.alternate',
	'aiOutline.get',
	'aiOutline.get.byOutline',
	'aiBuild.start',
	'aiBuild.start.alternate',
];

describe('against the simulator as it is', () => {
	test('confirms every endpoint, receives the events of AI work, and leaves only what nothing deletes', async () => {
		const port = await freePort();
		const ran = await run(
			{},
			{ ai: true, webhook: { url: `http://127.0.0.1:${port}/hook`, port } },
		);
		const { report, requests, control } = ran;
		expect(report.endedEarly).toBeUndefined();
		expect(operationsWith(report, 'confirmed')).toHaveLength(endpoints.length);
		expect(endpoints).toHaveLength(59);
		expect(report.requests).toBe(requests.length);
		expect(report.requests).toBeLessThan(400);
		// Two builds have two areas each; the uploads are what the simulator notes about them.
		expect(growth(ran)).toEqual({
			ai_builds: 2,
			ai_outlines: 2,
			ai_uploads: 2,
			area_options: 7,
			areas: 6,
			deliveries: 4,
			locations: 1,
			people: 1,
			proposals: 1,
		});
		expect(report.left).toEqual([
			expect.stringMatching(/^A proposal named 'n8n probe .*: no endpoint deletes proposals\.$/),
			expect.stringMatching(/^A contact named 'n8n probe .*: no endpoint deletes contacts\.$/),
		]);
		expect(control.contractViolations).toEqual([]);
		const delivery = { signature: 'valid', status: 'Completed' };
		expect(report.facts.webhook).toMatchObject({
			'proposal.outline.status_update': {
				...delivery,
				members: ['created', 'data', 'id', 'type'],
				data: { proposalId: 'number', outlineId: 'number', status: 'string' },
			},
			'proposal.build.status_update': {
				...delivery,
				data: { proposalId: 'number', status: 'string' },
			},
		});
	});

	test('leaves AI work alone unless it is asked for', async () => {
		const { report, requests } = await run({});
		expect(operationsWith(report, 'not tried').sort()).toEqual([...AI].sort());
		expect(operationsWith(report, 'confirmed')).toHaveLength(endpoints.length - AI.length);
		for (const { operation, note } of report.endpoints) {
			if (AI.includes(operation)) expect(note).toBe('It needs the option --ai.');
		}
		expect(requests.filter(({ path }) => /\/ai\/(?!content)/.test(path))).toEqual([]);
	});

	test('changes nothing when only reads are allowed', async () => {
		const { report, requests, before, after } = await run({}, { readOnly: true, ai: true });
		const isRead = ({ method }: { method: string }) => method === 'GET';
		expect(requests.filter((one) => !isRead(one))).toEqual([]);
		expect(after).toEqual(before);
		expect(report.left).toEqual([]);
		const reads = endpoints.filter(isRead).map(({ operation }) => operation);
		const needAi = ['aiOutline.get', 'aiOutline.get.byOutline'];
		expect(operationsWith(report, 'confirmed').sort()).toEqual(
			reads.filter((operation) => !needAi.includes(operation)).sort(),
		);
		for (const { operation, note } of report.endpoints) {
			if (!reads.includes(operation)) {
				expect(note).toBe('It changes something, and only reads were allowed.');
			}
		}
	});
});

describe('a service that differs', () => {
	test('nests items under a parent by another name', async () => {
		const names = { 'item.add': { 'Items[].parentId': 'parentItemId' } };
		const { report } = await run({
			service: { names: { ...names, 'proposal.updateInternalNotes': { InternalNotes: 'Other' } } },
		});
		const add = report.endpoints.find(({ operation }) => operation === 'item.add')!;
		expect(add.verdict).toBe('differs');
		expect(add.correction).toEqual({
			format: 'form',
			names: { 'Items[].parentId': 'parentItemId' },
		});
		// Nothing shows that internal notes have another name, nor that they do not.
		const unseen = 'proposal.updateInternalNotes';
		expect(operationsWith(report, 'not tried')).toEqual(expect.arrayContaining([unseen]));
		expect(operationsWith(report, 'confirmed')).toHaveLength(endpoints.length - AI.length - 2);
	});

	test('uses whichever of two documented paths there is', async () => {
		const { report } = await run({ routes: 'alternate' }, { ai: true });
		expect(operationsWith(report, 'missing')).toEqual([
			'areaOption.updateClientDescription',
			'areaOption.updateInstallerNotes',
			'aiContent.getMany',
			'aiContent.delete',
			'aiOutline.generate',
			'aiBuild.start',
		]);
		expect(operationsWith(report, 'confirmed')).toHaveLength(endpoints.length - 6);
		expect(report.left).toHaveLength(2);
	});

	test('reports on AI work that fails', async () => {
		const { report } = await run(
			{},
			{
				ai: true,
				onStep: (step, { control }) => {
					if (step === 'AI Builder') control.failNextOutline();
				},
			},
		);
		const { verdict, note } = report.endpoints.find(
			({ operation }) => operation === 'aiOutline.generate',
		)!;
		expect({ verdict, note }).toEqual({
			verdict: 'confirmed',
			note: 'The outline was not completed in time, or failed.',
		});
		expect(operationsWith(report, 'confirmed')).toHaveLength(endpoints.length);
	});

	test('builds nothing without an outline', async () => {
		const { report } = await run(
			{},
			{
				ai: true,
				onStep: (step, { control }) => {
					if (step !== 'AI Builder') return;
					control.failNextOutline();
					control.failNextOutline();
				},
			},
		);
		const builds = ['aiBuild.start', 'aiBuild.start.alternate'];
		expect(operationsWith(report, 'not tried')).toEqual(builds);
		expect(operationsWith(report, 'confirmed')).toHaveLength(endpoints.length - builds.length);
	});

	test('says that AI work takes too long', async () => {
		const { report } = await run({ aiStepSeconds: 3600 }, { ai: true, aiLimitMs: 20 });
		const notTried = report.endpoints.filter(({ verdict }) => verdict === 'not tried');
		expect(notTried.map(({ operation }) => operation).sort()).toEqual(
			AI.filter((operation) => !operation.startsWith('aiContent')).sort(),
		);
		for (const { note } of notTried) {
			expect(note).toBe('The text was not transcribed within 0.02 seconds.');
		}
	});

	test('says that no event arrived, and when nothing can listen for one', async () => {
		const port = await freePort();
		const webhook = { url: 'https://nothing-arrives.example.com/', port };
		const { report } = await run({}, { ai: true, aiLimitMs: 2000, webhook });
		expect(report.facts.webhook).toBe('nothing arrived within 2 seconds');
		const taken = createServer().listen(port);
		await once(taken, 'listening');
		const { report: other } = await run({}, { ai: true, webhook });
		taken.close();
		expect(other.facts.webhook).toBe(`not tried: nothing can listen on port ${port} (EADDRINUSE)`);
		expect(other.endedEarly).toBeUndefined();
	});

	test('provokes no event without AI work', async () => {
		const webhook = { url: 'https://nothing-arrives.example.com/', port: await freePort() };
		const { report } = await run({}, { webhook });
		expect(report.facts.webhook).toBe(
			'not tried: only AI work provokes an event, so it needs --ai',
		);
	});
});

describe('keys', () => {
	test('goes on where each exchange ends the key before, and when a key expires', async () => {
		const { report, control } = await run(
			{ singleUserKey: true },
			{
				onStep: (step, simulator) => {
					if (step === 'items') simulator.control.failNext({ expireKeys: true });
				},
			},
		);
		expect(report.endedEarly).toBeUndefined();
		expect(operationsWith(report, 'not tried').sort()).toEqual([...AI].sort());
		expect(operationsWith(report, 'confirmed')).toHaveLength(endpoints.length - AI.length);
		expect(report.facts.exchangeEndsFirstKey).toBe(true);
		// The login, the second key, the login after that ended the first one, the one that expired.
		expect(control.exchangeCount()).toBe(4);
	});
});

describe('a service that does not go along', () => {
	test('waits when throttled, and notes for how long it was asked to', async () => {
		const { report } = await run(
			{},
			{
				onStep: (step, { control }) => {
					const headers = { 'Retry-After': '1' };
					if (step === 'areas') control.failNext({ status: 429, headers, times: 2 });
				},
			},
		);
		expect(report.endedEarly).toBeUndefined();
		expect(operationsWith(report, 'confirmed')).toHaveLength(endpoints.length - AI.length);
		expect(report.facts.retryAfter).toBe('1 seconds');
	});

	test('says when it is throttled for good, and removes what it made', async () => {
		const ran = await run(
			{},
			{
				onStep: (step, { control }) => {
					const headers = { 'Retry-After': '0' };
					const operationId = 'item.updateMsrp';
					if (step === 'items') control.failNext({ operationId, status: 429, headers, times: 99 });
				},
			},
		);
		expect(ran.report.endedEarly).toBe('The service is too busy: status 429.');
		expect(operationsWith(ran.report, 'confirmed')).toContain('item.updateCost');
		expect(operationsWith(ran.report, 'not tried')).toContain('item.updateMsrp');
		expect(growth(ran)).not.toHaveProperty('proposal_items');
	});

	test('reads on where writes are refused', async () => {
		const writes = endpoints.filter(({ method }) => method !== 'GET');
		const { report, before, after } = await run(
			{},
			{
				onStep: (step, { control }) => {
					if (step !== 'login') return;
					for (const { operation } of writes) {
						const operationId = operation.replace('.alternate', '');
						control.failNext({ operationId, status: 403, times: 99 });
					}
				},
			},
		);
		expect(report.endedEarly).toBeUndefined();
		expect(after).toEqual(before);
		expect(operationsWith(report, 'refused').sort()).toEqual([
			'contact.create',
			'proposal.create',
			'webhookSubscription.create',
		]);
		const { note } = report.endpoints.find(({ operation }) => operation === 'item.add')!;
		expect(note).toBe('No proposal could be made for it.');
		expect(operationsWith(report, 'confirmed')).toEqual(
			expect.arrayContaining([
				'proposal.get',
				'contact.get',
				'item.getSuppliers',
				'changeOrder.get',
			]),
		);
	});

	test('is content with what a user may read', async () => {
		const { report, before, after } = await run({}, { user: 'restricted' });
		expect(report.endedEarly).toBeUndefined();
		expect(after).toEqual(before);
		expect(operationsWith(report, 'confirmed')).toEqual([
			'authentication.exchangeKey',
			'catalog.getCategories',
		]);
		expect(report.endpoints.every(({ verdict, note }) => verdict === 'confirmed' || note)).toBe(
			true,
		);
	});

	test('ends with a clear word when the subscription has expired', async () => {
		const { report } = await run({}, { user: 'lapsed' });
		expect(report.endedEarly).toBe(
			'The Portal.io subscription of this dealer is inactive or expired (402).',
		);
		expect(operationsWith(report, 'not tried')).toHaveLength(endpoints.length - 1);
		expect(report.endpoints.at(-1)!.note).toBe(report.endedEarly);
	});

	test('tries nothing that could not be seen', async () => {
		const { report, requests } = await run(
			{},
			{
				ai: true,
				onStep: (step, { control }) => {
					const fault = { operationId: 'proposal.get', status: 500, times: 9999 };
					if (step === 'fields of items') control.failNext(fault);
				},
			},
		);
		expect(report.endedEarly).toBeUndefined();
		expect(operationsWith(report, 'refused')).toEqual([]);
		expect(operationsWith(report, 'confirmed')).toEqual(
			expect.arrayContaining(['item.add', 'contact.getMany', 'webhookSubscription.update']),
		);
		expect(operationsWith(report, 'not tried')).toContain('item.move');
		expect(requests.length).toBeLessThan(400);
	});

	test('makes no more contacts and subscriptions where they cannot be read', async () => {
		const ran = await run(
			{},
			{
				onStep: (step, { control }) => {
					if (step !== 'login') return;
					for (const operationId of ['contact.get', 'webhookSubscription.getMany']) {
						control.failNext({ operationId, status: 403, times: 9999 });
					}
				},
			},
		);
		expect(growth(ran)).toMatchObject({ people: 1, locations: 1 });
		expect(growth(ran)).not.toHaveProperty('subscriptions');
		expect(operationsWith(ran.report, 'confirmed')).toEqual(
			expect.arrayContaining(['contact.create', 'webhookSubscription.create']),
		);
		expect(ran.report.left).toHaveLength(2);
	});

	test('reports what was learned when the service is gone', async () => {
		const { report } = await run(
			{},
			{
				onStep: (step, { control }) => {
					if (step === 'area options') control.failNext({ disconnect: true, times: 9999 });
				},
			},
		);
		expect(report.endedEarly).toMatch(/^The service could not be reached any more \(\w+\)\.$/);
		expect(operationsWith(report, 'confirmed')).toContain('areaOption.create');
		expect(operationsWith(report, 'not tried')).toContain('item.add');
		expect(report.left).toHaveLength(2);
	});
});

describe('the end', () => {
	test('removes what it made when it is stopped in the middle', async () => {
		const controller = new AbortController();
		const port = await freePort();
		const ran = await run(
			{},
			{
				ai: true,
				webhook: { url: `http://127.0.0.1:${port}/`, port },
				signal: controller.signal,
				onRequest: (url) => {
					if (url.endsWith('/public/ai/generate-outline')) controller.abort();
				},
			},
		);
		expect(ran.report.endedEarly).toBe('The probe was stopped.');
		expect(operationsWith(ran.report, 'confirmed')).toContain('aiContent.upload');
		expect(operationsWith(ran.report, 'not tried')).toContain('aiBuild.start');
		// Subscriptions, contents and items are gone.
		expect(growth(ran)).toMatchObject({ people: 1, locations: 1, proposals: 1, ai_uploads: 2 });
		for (const table of ['subscriptions', 'ai_contents', 'proposal_items']) {
			expect(growth(ran)).not.toHaveProperty(table);
		}
		expect(ran.report.left).toHaveLength(2);
	});

	test('removes a subscription whose creation it did not see', async () => {
		const ran = await run(
			{},
			{
				onStep: (step, { control }) => {
					const operationId = 'webhookSubscription.create';
					const lost = { operationId, when: 'after', disconnect: true } as const;
					if (step === 'webhook subscriptions') control.failNext(lost);
				},
			},
		);
		expect(ran.requests.filter(({ path }) => path === '/public/webhook/subscribe')).not.toEqual([]);
		expect(growth(ran)).not.toHaveProperty('subscriptions');
	});

	test('says what it could not remove', async () => {
		const { report, after } = await run(
			{},
			{
				onStep: (step, { control }) => {
					const fault = { operationId: 'webhookSubscription.delete', status: 500, times: 9999 };
					if (step === 'webhook subscriptions') control.failNext(fault);
				},
			},
		);
		expect(after.subscriptions).not.toEqual([]);
		expect(report.left).toContainEqual(
			expect.stringMatching(
				/^Webhook subscriptions described as 'n8n probe .*' could not be removed\.$/,
			),
		);
	});

	test('sends five requests a second at most', async () => {
		const controller = new AbortController();
		let start = 0;
		const sent: number[] = [];
		await run(
			{},
			{
				intervalMs: undefined,
				signal: controller.signal,
				onStep: () => (start ||= performance.now()),
				onRequest: () => {
					sent.push(performance.now() - start);
					if (sent.length === 8) controller.abort();
				},
			},
		);
		expect(sent.length).toBeGreaterThanOrEqual(8);
		// A timer may be early by a millisecond.
		for (const [index, time] of sent.entries()) expect(time).toBeGreaterThanOrEqual(index * 199);
	});
});
