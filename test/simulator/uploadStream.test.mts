import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';

import { beforeEach, expect, test } from 'vitest';

import { seed, type Simulator } from '../../dev/simulator/index.mts';
import { hmac } from '../vectors/hmac.mts';
import type { Client } from './client.mts';
import { boundary, field, file, multipart } from './multipart.mts';
import { startForTest } from './start.mts';

const MEGABYTE = 1024 * 1024;

let simulator: Simulator;
let client: Client;

beforeEach(async () => {
	({ simulator, client } = await startForTest());
});

/** For a machine that is busy with other things. */
const patient = { timeout: 15_000 };

const { proposals } = seed;
const at = (id: number = proposals.empty, query = '') =>
	`/public/api/proposals/${id}/ai/content${query}`;
const contentType = `multipart/form-data; boundary=${boundary}`;
const name = field('name', 'Walk');

/** Sends the beginning of a body and gives the answer that comes before there is an end. */
async function sendBeginning(
	target: string,
	beginning: Buffer,
	length: number,
	key = client.userKey,
) {
	const { appKey, secretKey } = seed.dealer;
	const date = new Date().toUTCString();
	const base = simulator.url + target.split('?')[0];
	const message = `POST${base}${contentType}${date}${key}`;
	const outgoing = request(simulator.url + target, {
		method: 'POST',
		headers: {
			Accept: 'application/json',
			'X-MSS-API-APPID': appKey,
			'X-MSS-API-USERKEY': key,
			'X-MSS-CUSTOM-DATE': date,
			'X-MSS-SIGNATURE': hmac(secretKey, message).toString('base64'),
			'Content-Type': contentType,
			'Content-Length': length,
		},
	});
	outgoing.on('error', () => {});
	outgoing.write(beginning);
	return outgoing;
}
const closed = (outgoing: ClientRequest) =>
	new Promise((resolve) => outgoing.once('close', resolve));
const statusOf = async (outgoing: ClientRequest): Promise<number> => {
	const [answer] = await once(outgoing, 'response');
	answer.resume();
	return answer.statusCode;
};

test('what can be refused without the body is refused before it is read', async () => {
	const GIGABYTE = 1024 * MEGABYTE;
	const beginning = multipart([name]).subarray(0, 60);
	const cases: [number, string, number, string?][] = [
		[401, at(), 1000, 'no such key'],
		[404, at(proposals.otherDraft), 1000],
		[409, at(proposals.submitted), 1000],
		[409, at(proposals.accepted), 1000],
		[400, at(proposals.empty, '?unknown=1'), 1000],
		[400, at(), 27 * MEGABYTE],
		[400, at(proposals.empty, '?isMultiChunkUpload=true'), GIGABYTE + 2 * MEGABYTE],
	];
	for (const [status, target, length, key] of cases) {
		const outgoing = await sendBeginning(target, beginning, length, key);
		expect(await statusOf(outgoing), target).toBe(status);
		outgoing.destroy();
	}
	// and what is wrong in the middle as soon as it is seen
	const wrong = multipart([name, file('plan.pdf', 'x'.repeat(99))]).subarray(0, -40);
	const outgoing = await sendBeginning(at(), wrong, 20 * MEGABYTE);
	expect(await statusOf(outgoing)).toBe(400);
	outgoing.destroy();
});

test('a connection that breaks half-way leaves nothing behind', async () => {
	const body = multipart([name, file('a.mp3', Buffer.alloc(2 * MEGABYTE))]);
	const outgoing = await sendBeginning(at(), body.subarray(0, MEGABYTE), body.length);
	await expect
		.poll(() => simulator.control.requests.at(-1)!.bodyText.length, patient)
		.toBeGreaterThan(0);
	outgoing.destroy();
	await closed(outgoing);
	expect((await client.get(`/public/ai/content?ProposalId=${proposals.empty}`)).json.items).toEqual(
		[],
	);
	expect(simulator.control.uploads()).toEqual([]);
	expect(simulator.control.requests.at(-2)).toMatchObject({ status: 0 });
});

test('a proposal that is submitted while the file comes in does not get it', async () => {
	const body = multipart([name, file('a.mp3', Buffer.alloc(MEGABYTE))]);
	const outgoing = await sendBeginning(at(), body.subarray(0, 4000), body.length);
	await expect
		.poll(() => simulator.control.requests.at(-1)!.bodyText.length, patient)
		.toBeGreaterThan(0);
	simulator.control.setStatus(proposals.empty, 'Submitted');
	outgoing.end(body.subarray(4000));
	expect(await statusOf(outgoing)).toBe(409);
	expect(simulator.control.uploads()).toEqual([]);
});
