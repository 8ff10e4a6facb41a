/** What the simulator refuses and how it answers: the nodes must not get away with anything. */
import { beforeAll, describe, expect, it } from 'vitest';
import { seed, startSimulator, type Settings, type Simulator } from '../../dev/simulator/index.mts';
import { Client, type Parts } from './client.mts';

const { proposals } = seed;
const theater = `/public/proposals/${proposals.staleTheater}`;

/** A simulator for the tests of a group, with the dealer signed in. */
function service(settings: Partial<Settings> = {}) {
	const service = {} as { simulator: Simulator; client: Client };
	beforeAll(async () => {
		service.simulator = await startSimulator(settings);
		service.client = await new Client(service.simulator, seed.dealer).signIn();
		return () => service.simulator.stop();
	});
	return service;
}

describe('a signature', () => {
	const own = service();
	const target = `${theater}/description?a=b`;
	const base64Decoded = Buffer.from(seed.dealer.secretKey, 'base64').toString('latin1');

	it.each<[title: string, parts: Parts]>([
		['with the decoded secret', { secretKey: base64Decoded }],
		['of nothing', { message: () => '' }],
		['with the query', { message: (text) => text.replace('description', 'description?a=b') }],
		['of another content type', { message: (text) => text.replace('urlencoded', 'URLencoded') }],
		['of another date', { message: (text) => text.replace(/\d\d GMT/, '61 GMT') }],
	])('%s is refused with the documented text', async (_, parts) => {
		expect(await own.client.send('POST', target, { body: 'a=b', ...parts })).toEqual({
			status: 401,
			json: 'You are not authorized. Your request signature (hash) is invalid.',
		});
	});

	it.each(['Accept', 'X-MSS-API-APPID', 'X-MSS-API-USERKEY', 'X-MSS-CUSTOM-DATE'])(
		'does not count without the header %s',
		async (name) => {
			const headers = ({ [name]: _, ...others }: Record<string, string>) => others;
			expect((await own.client.send('POST', target, { body: 'a=b', headers })).status).toBe(401);
		},
	);

	it('counts for the form, with its query and content type', async () => {
		expect((await own.client.send('POST', target, { body: 'a=b' })).status).toBe(200);
	});
});

describe('a response', () => {
	const own = service();
	const specified = service({ errors: 'specification' });
	const wrong = { body: 'SalesPersonId=~' };

	it('has responseStatus alone where it is an error', async () => {
		const { status, json } = await own.client.send('POST', theater, wrong);
		expect([status, Object.keys(json)]).toEqual([400, ['responseStatus']]);
		expect(json.responseStatus.errors).toMatchObject([{ fieldName: 'SalesPersonId' }]);
	});

	it('has the fields beside responseStatus only on request', async () => {
		const { json } = await specified.client.send('POST', theater, wrong);
		expect(json).toMatchObject({ status: 400, statusCode: 'BadRequest', responseStatus: {} });
	});

	it('is an empty 404 for an unknown route', async () => {
		const nowhere = await own.client.send('GET', '/public/nowhere');
		expect(nowhere).toEqual({ status: 404, json: undefined });
	});

	it('is a 405 in JSON for another method', async () => {
		const { status, json } = await own.client.send('POST', '/public/users');
		expect([status, json.responseStatus.errorCode]).toEqual([405, 'NotImplementedException']);
	});

	it('has dates with seven decimals and without zone', async () => {
		const { json } = await own.client.send('GET', theater);
		expect(json.createdDate).toMatch(/^\d{4}-\d\d-\d\dT12:00:00\.0000000$/);
	});

	it('is a 500 where it is not as the contract has it', async () => {
		const { control } = own.simulator;
		control.updatePayment(control.proposal(proposals.accepted).paymentRequests[0].id, {
			status: '?',
		});
		const { status } = await own.client.send('GET', `/public/proposals/${proposals.accepted}`);
		expect([status, control.contractViolations]).toEqual([500, [expect.stringContaining('?')]]);
	});
});

describe('a request', () => {
	const own = service();

	it('is refused by account, permission, owner and state', async () => {
		const restricted = await new Client(own.simulator, seed.restricted).signIn();
		const lapsed = await new Client(own.simulator, seed.lapsed).signIn();
		const statusOf = async (client: Client, target = theater) =>
			(await client.send('POST', target, { body: 'Name=a' })).status;
		expect(await statusOf(lapsed)).toBe(402);
		expect(await statusOf(restricted)).toBe(403);
		expect(await statusOf(own.client, `/public/proposals/${proposals.otherDraft}`)).toBe(404);
		expect(await statusOf(own.client, `/public/proposals/${proposals.accepted}`)).toBe(409);
	});

	it('of DELETE is read from its query, not from its form', async () => {
		const [{ id } = {}] = own.simulator.control.items(proposals.staleTheater);
		const ids = `ProposalItemIds=${id}`;
		const inForm = await own.client.send('DELETE', `${theater}/items`, { body: ids });
		expect([inForm.status, inForm.json.responseStatus.errorCode]).toEqual([400, 'NotEmpty']);
		expect((await own.client.send('DELETE', `${theater}/items?${ids}`)).status).toBe(200);
	});
});

describe('an upload', () => {
	const own = service({ uploadLimits: { single: 20, total: 100, minChunk: 5 } });
	const name = 'name="name"\r\n\r\nWalk';
	const proposalId = `name="proposalId"\r\n\r\n${proposals.empty}`;
	const chunks = (count: number) => `name="totalChunks"\r\n\r\n${count}`;
	const file = (title: string, text = 'sound') =>
		`name="${title}"; filename="a.mp3"\r\n\r\n${text}`;

	it.each<[parts: string[], message: RegExp, query?: string]>([
		[[name], /^No file was provided/],
		[[name, file('file')], /^File type '' is not allowed/],
		[[name, file('plan.pdf')], /^File type '.pdf' is not allowed/],
		[[file('a.mp3')], /^The content name is required/],
		[[name, file('a.mp3', 'x'.repeat(21))], /^The file is too large/],
		[[name, chunks(1), file('a.mp3.part1')], /^proposalId is required/, '?isMultiChunkUpload=true'],
		[
			[name, proposalId, chunks(2), file('a.mp3.part1')],
			/^totalChunks/,
			'?isMultiChunkUpload=true',
		],
		[
			[name, proposalId, chunks(2), file('a.mp3.part1', 'x'), file('a.mp3.part2')],
			/^A chunk that is not the last/,
			'?isMultiChunkUpload=true',
		],
	])('of %j is refused', async (parts, message, query = '') => {
		const target = `/public/api/proposals/${proposals.empty}/ai/content${query}`;
		const body = parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('');
		const { status, json } = await own.client.send('POST', target, {
			...{ body: `${body}--b--\r\n`, contentType: 'multipart/form-data; boundary=b' },
		});
		expect([status, json.responseStatus.message]).toEqual([400, expect.stringMatching(message)]);
		expect(own.simulator.control.uploads()).toEqual([]);
	});
});

describe('a proposal', () => {
	const own = service();

	// Worked out on paper from the prices in seed.yaml. Parts 1799 + 149.95 + 3 x 449; labor 6.5 x 125;
	// fee 95. Colorado 7.65 %: parts 252.14, labor 62.16. Costs 1942.75 + 377 + 60.
	it('has totals, tax and profit as computed by hand', () => {
		const proposal = own.simulator.control.proposal(proposals.staleTheater);
		expect(proposal).toMatchObject({
			financialSummary: {
				...{ partsTotal: 3295.95, laborTotal: 812.5, feeTotal: 95, proposalSubtotal: 4203.45 },
				...{ proposalTotal: 4517.75, salesTax: { taxStatus: 'Ok', total: 314.3 } },
			},
			recurringServices: { totalRecurringService: 49 },
			profit: { total: 1823.7, percentage: 43.39, partTotal: 1353.2, laborTotal: 435.5 },
		});
	});
});

describe('the base URL in a browser', () => {
	const own = service();
	const read = async (path: string) => {
		const response = await fetch(own.simulator.url + path);
		return { status: response.status, text: await response.text() };
	};
	const draft = `/customer/proposals/${proposals.staleTheater}`;

	it('says that it is a simulator and lists drafts, which only open', async () => {
		const { text } = await read('/');
		expect(text).toContain('This is a simulated Portal.io');
		expect(text).toContain(`href="${draft}"`);
		expect((await read(draft)).text).toContain('a client cannot open it before it is sent');
		expect((await read(`${draft}/confirm`)).status).toBe(404);
	});
});
