/**
 * Tests the simulator's rejections and responses, because the simulator must not accept mistakes that the nodes make.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { seed, startSimulator, type Simulator } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/contract.mts';
import { hmac } from '../vectors/hmac.mts';

const { proposals } = seed;
const theater = `/public/proposals/${proposals.staleTheater}`;
const FORM = 'application/x-www-form-urlencoded';

/** Parts of a signed request, each of which can be wrong. */
interface Parts {
	body?: string;
	contentType?: string;
	/** Changes the message before it is signed. */
	message?: (message: string) => string;
	secretKey?: string;
}

let simulator: Simulator;
let userKey = '';
beforeAll(async () => {
	simulator = await startSimulator({ uploadLimits: { single: 20, total: 100, minChunk: 5 } });
	const { username: UserName, password: Password } = seed.dealer;
	const query = new URLSearchParams({ UserName, Password });
	userKey = (await send('GET', `/authenticate/apikeyexchange?${query}`)).json.meta.apiKey;
	return () => simulator.stop();
});

/**
 * Sends a request whose signature is computed here, independently of the package and the simulator
 * (docs/dev/portal-api.md#signing).
 */
async function send(method: string, target: string, parts: Parts = {}) {
	const {
		body = '',
		contentType = body === '' ? '' : FORM,
		secretKey = seed.dealer.secretKey,
	} = parts;
	const date = new Date(simulator.control.now()).toUTCString();
	const url = simulator.url + target;
	const message = method + url.split('?')[0]! + contentType + date + userKey;
	const headers = {
		Accept: 'application/json',
		'X-MSS-API-APPID': seed.dealer.appKey,
		'X-MSS-API-USERKEY': userKey,
		'X-MSS-CUSTOM-DATE': date,
		'X-MSS-SIGNATURE': hmac(secretKey, parts.message?.(message) ?? message).toString('base64'),
		...(contentType !== '' && { 'Content-Type': contentType }),
	};
	const response = await fetch(url, { method, headers, ...(body !== '' && { body }) });
	const text = await response.text();
	const json: Json = text === '' ? undefined : JSON.parse(text);
	return { status: response.status, json };
}

describe('signatures', () => {
	const target = `${theater}/description?a=b`;
	const base64Decoded = Buffer.from(seed.dealer.secretKey, 'base64').toString('latin1');

	it.each<[title: string, parts: Parts]>([
		['made with the decoded secret', { secretKey: base64Decoded }],
		[
			'that covers the query',
			{ message: (text) => text.replace('description', 'description?a=b') },
		],
		['over another content type', { message: (text) => text.replace('urlencoded', 'URLencoded') }],
		['over another date', { message: (text) => text.replace(/\d\d GMT/, '61 GMT') }],
	])('responds with the documented error to a signature %s', async (_, parts) => {
		expect(await send('POST', target, { body: 'a=b', ...parts })).toEqual({
			status: 401,
			json: 'You are not authorized. Your request signature (hash) is invalid.',
		});
	});

	it('accepts the signature of a form request', async () => {
		expect((await send('POST', target, { body: 'a=b' })).status).toBe(200);
	});
});

it('responds to an invalid request with only responseStatus', async () => {
	const { status, json } = await send('POST', theater, { body: 'SalesPersonId=~' });
	expect([status, Object.keys(json)]).toEqual([400, ['responseStatus']]);
	expect(json.responseStatus.errors).toMatchObject([{ fieldName: 'SalesPersonId' }]);
});

it('responds to an unknown path with an empty 404, and to an unknown method with 405', async () => {
	const nowhere = await send('GET', '/public/nowhere');
	expect(nowhere).toEqual({ status: 404, json: undefined });
	const { status, json } = await send('POST', '/public/users');
	expect([status, json.responseStatus.errorCode]).toEqual([405, 'NotImplementedException']);
});

it('writes dates with seven decimals and without a time zone', async () => {
	const { json } = await send('GET', theater);
	expect(json.createdDate).toMatch(/^\d{4}-\d\d-\d\dT12:00:00\.0000000$/);
});

it("reads a DELETE request's query, not its form", async () => {
	const [{ id } = {}] = simulator.control.items(proposals.staleOffice);
	const target = `/public/proposals/${proposals.staleOffice}/items`;
	const body = `ProposalItemIds=${id}`;
	expect((await send('DELETE', target, { body })).status).toBe(400);
	expect((await send('DELETE', `${target}?${body}`)).status).toBe(200);
});

it('responds with status 500 if the response would break the contract', async () => {
	const { control } = simulator;
	const [{ id }] = control.proposal(proposals.accepted).paymentRequests;
	control.update('payment_requests', { id }, { status: '?' });
	const { status } = await send('GET', `/public/proposals/${proposals.accepted}`);
	expect([status, control.contractViolations]).toEqual([500, [expect.stringContaining('?')]]);
});

describe('uploads', () => {
	const name = 'name="name"\r\n\r\nWalk';
	const proposalId = `name="proposalId"\r\n\r\n${proposals.empty}`;
	const chunks = (count: number) => `name="totalChunks"\r\n\r\n${count}`;
	const file = (title: string, text = 'sound', fileName = title) =>
		`name="${title}"; filename="${fileName}"\r\n\r\n${text}`;

	it.each<[message: RegExp, parts: string[]]>([
		[/^No file was provided/, [name]],
		[/^File type '.pdf' is not allowed/, [name, file('plan.pdf')]],
		[/^The content name is required/, [file('a.mp3')]],
		[/^The field name must equal the file name 'b.mp3'/, [name, file('a.mp3', 'sound', 'b.mp3')]],
		[/^The field name must equal/, [name, file('a.mp3', 'sound', 'Music/a.mp3')]],
		[/^The file is too large/, [name, file('a.mp3', 'x'.repeat(21))]],
		[/^proposalId is missing/, [name, chunks(1), file('a.mp3.part1')]],
		[/^totalChunks/, [name, proposalId, chunks(2), file('a.mp3.part1')]],
		[
			/^A chunk that is not the last/,
			[name, proposalId, chunks(2), file('a.mp3.part1', 'x'), file('a.mp3.part2')],
		],
	])('rejects an invalid upload: %s', async (message, parts) => {
		const query = parts.some((part) => part.includes('.part1')) ? '?isMultiChunkUpload=true' : '';
		const target = `/public/api/proposals/${proposals.empty}/ai/content${query}`;
		const body = parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('');
		const { status, json } = await send('POST', target, {
			body: `${body}--b--\r\n`,
			contentType: 'multipart/form-data; boundary=b',
		});
		expect([status, json.responseStatus.message]).toEqual([400, expect.stringMatching(message)]);
		expect(simulator.control.uploads()).toEqual([]);
	});
});

// Calculated manually from the prices in seed.yaml. Parts: 1799 + 149.95 + 3 × 449. Labor: 6.5 × 125. Fee: 95. Colorado
// tax of 7.65%: 252.14 for parts and 62.16 for labor. Costs: 1942.75 + 377 + 60.
it("calculates a proposal's totals, tax, and profit", () => {
	const proposal = simulator.control.proposal(proposals.staleTheater);
	expect(proposal).toMatchObject({
		financialSummary: {
			partsTotal: 3295.95,
			laborTotal: 812.5,
			feeTotal: 95,
			proposalSubtotal: 4203.45,
			proposalTotal: 4517.75,
			salesTax: {
				taxStatus: 'Ok',
				total: 314.3,
			},
		},
		recurringServices: { totalRecurringService: 49 },
		profit: { total: 1823.7, percentage: 43.39, partTotal: 1353.2, laborTotal: 435.5 },
	});
});
