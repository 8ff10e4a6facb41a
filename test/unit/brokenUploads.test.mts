/** The outcome of a broken upload, by the part that was sent and the response. With other keys: test/wire/upload. */
import { Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { storedUserApiKey } from '../../client/account.ts';
import { sendUpload, type Upload } from '../../client/upload.ts';
import { playedSession } from './playedSession.mts';

const doubt =
	"Portal.io may have received the file. Check with 'Get Many' of 'AI Content' before you upload it again.";
const broken = Object.assign(new Error(), { code: 'ECONNRESET' });
const lost =
	"The connection failed with ECONNRESET. Check the 'Environment' and 'Base URL' of the credential, and the network of the n8n server.";

/** The result of the check after a broken connection. */
interface After {
	/** The reason of its failure; absent for success. */
	failure?: Error;
	/** Whether it gets another user API key. */
	hasNewKey?: boolean;
	isBuffer?: boolean;
}

/**
 * A file whose body has four chunks: the framing before it, its two halves, and the framing after it.
 *
 * @param chunks how many of them the service takes
 * @param answer what n8n returns or throws then
 */
async function uploadOf(
	chunks: number,
	answer: unknown,
	{ failure, hasNewKey = false, isBuffer = false }: After = {},
) {
	const content = Buffer.alloc(1000, 'a');
	const seen = { sent: 0, length: 0, checks: 0, requests: [] as IHttpRequestOptions[] };
	const httpRequestWithAuthentication = async (_type: string, request: IHttpRequestOptions) => {
		seen.requests.push(request);
		seen.length = Number(request.headers!['Content-Length']);
		const body = isBuffer ? undefined : (request.body as Readable)[Symbol.asyncIterator]();
		for (let left = chunks; body !== undefined && left > 0; left--)
			seen.sent += ((await body.next()).value as Buffer).byteLength;
		if (answer instanceof Error && seen.requests.length === 1) throw answer;
		return answer instanceof Error ? { statusCode: 200, headers: {}, body: { id: 1 } } : answer;
	};
	let key = '';
	const getCredentials = async () => ({ userApiKey: key });
	const { session } = playedSession(() => ({}), {
		helpers: { httpRequestWithAuthentication },
		getCredentials,
	});
	const upload: Upload = {
		request: { method: 'POST', path: '/public/ai/content' },
		form: { fields: {}, files: [{ name: 'Walk.mp3', bytes: 1000 }] },
		open: async () =>
			isBuffer ? content : Readable.from([content.subarray(0, 500), content.subarray(500)]),
		async check() {
			if (++seen.checks === 1) return;
			if (hasNewKey) {
				key = storedUserApiKey({ fingerprint: session.account.fingerprint } as never, 'another');
				await session.renewKey('');
			}
			if (failure !== undefined) throw failure;
		},
	};
	const ended = await sendUpload(session, upload).catch((error: Error) => error);
	const percent = Math.floor((100 * seen.sent) / seen.length);
	return { ended: ended as Record<string, unknown>, ...seen, percent, session };
}

describe('an upload that does not go well', () => {
	it('says how much was sent when the connection broke, and that nothing was stored', async () => {
		const { ended, percent, checks } = await uploadOf(2, broken);
		expect(percent).toBeGreaterThan(45);
		expect(percent).toBeLessThan(75);
		expect(ended).toMatchObject({
			message: `The connection to Portal.io broke after about ${percent}% of the file`,
			description: `Portal.io did not store any content.\n${lost}\nUpload it again.`,
			doubt: '',
		});
		expect(checks).toBe(2);
	});

	it('holds back the requests of the account when a rate limit refuses the file', async () => {
		const limited = { statusCode: 429, headers: { 'retry-after': '121' }, body: '' };
		const { session } = await uploadOf(4, limited);
		expect(await session.state.waitForSlot()).toBeGreaterThan(120_000);
	});

	it('says why the check after a broken connection fails, and sends nothing more', async () => {
		const failure = new Error('The proposal is gone');
		const { ended, requests } = await uploadOf(2, broken, { failure, hasNewKey: true });
		expect(requests).toHaveLength(1);
		expect(ended.description).toBe(
			`Portal.io did not store any content.\nA check right afterward failed: The proposal is gone.\n${lost}\nUpload it again.`,
		);
	});

	it.each([
		['the whole file', 4, 'Portal.io did not respond after the whole file was sent', {}],
		[
			'a file in memory',
			0,
			'The connection to Portal.io broke during the upload',
			{ isBuffer: true },
		],
	])('says to look after %s, without a check', async (_what, chunks, message, more) => {
		const { ended, checks, requests } = await uploadOf(chunks, broken, more);
		expect(ended).toMatchObject({ message, description: `${doubt}\n${lost}`, doubt });
		expect([checks, requests.length]).toEqual([1, 1]);
	});

	it('says that nothing was sent when the connection broke before', async () => {
		const { ended } = await uploadOf(0, broken);
		expect(ended).toMatchObject({ message: 'Portal.io cannot be reached', description: lost });
	});

	it('rejects a success that came before the whole file was sent', async () => {
		const response = { statusCode: 200, headers: {}, body: { id: 1 } };
		const { ended, percent, checks } = await uploadOf(3, response);
		expect(ended).toMatchObject({
			message: 'Unexpected response: it came before the whole file was sent',
			description: `${doubt}\nAbout ${percent}% was sent.`,
		});
		expect(checks).toBe(1);
	});
});
