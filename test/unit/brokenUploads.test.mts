/** Tests uploads that break after part of the file, or before the response. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { sendUpload, type Upload } from '../../client/upload.ts';
import { sessionsOver } from './playedSession.mts';

const doubt =
	"Portal.io might have received the file. Check with 'AI Content: Get Many' before you upload it again.";
const broken = Object.assign(new Error(), { code: 'ECONNRESET' });
const page = { statusCode: 200, headers: {}, body: '<html>' };
const lost =
	"The connection failed with ECONNRESET. Check 'Environment' and 'Base URL' in the credential, and the n8n server's network connection.";

/** Uploads a file in a body of four chunks. The service reads some of them, and then n8n returns or throws `answer`. */
async function uploadOf(chunks: number | 'in memory', answer: unknown, secondCheck?: Error) {
	const content = Buffer.alloc(1000, 'a');
	const halves = [content.subarray(0, 500), content.subarray(500)];
	const seen = { sent: 0, length: 0, checks: 0 };
	const stop = new AbortController();
	const { open, asked } = sessionsOver(async (_data, { headers, body }) => {
		seen.length = Number(headers!['Content-Length']);
		if (chunks !== 'in memory') {
			const taken = (body as Readable)[Symbol.asyncIterator]();
			for (let left = chunks; left > 0; left--)
				seen.sent += ((await taken.next()).value as Buffer).byteLength;
		}
		if (answer === 'stop') stop.abort();
		if (answer instanceof Error || stop.signal.aborted) throw broken;
		return answer;
	});
	const session = open({ signal: stop.signal });
	const upload: Upload = {
		request: { method: 'POST', path: '/public/ai/content' },
		form: { fields: {}, files: [{ name: 'Walk.mp3', bytes: 1000 }] },
		open: async () => (chunks === 'in memory' ? content : Readable.from(halves)),
		async check() {
			if (++seen.checks === 2 && secondCheck !== undefined) throw secondCheck;
		},
	};
	const ended = await sendUpload(session, upload).catch((error: Error) => error);
	expect(asked).toHaveLength(1);
	return { ended, ...seen, percent: Math.floor((100 * seen.sent) / seen.length), session };
}

it('reports how much of a file was sent before the connection broke', async () => {
	const { ended, percent, checks } = await uploadOf(2, broken);
	expect(percent).toBeGreaterThan(45);
	expect(percent).toBeLessThan(75);
	expect(ended).toMatchObject({
		message: `The connection to Portal.io was lost after about ${percent}% of the file`,
		description: `Portal.io did not store any content.\n${lost}\nUpload it again.`,
		doubt: '',
	});
	expect(checks).toBe(2);
});

it('pauses the requests of the account when a rate limit rejects an upload', async () => {
	const limited = { statusCode: 429, headers: { 'retry-after': '121' }, body: '' };
	const { session, ended } = await uploadOf(4, limited);
	expect(ended).toMatchObject({ message: 'Portal.io rate limit reached', doubt: '' });
	const { retryAfterMs: wait } = (await session.state.rateLimit.waitForStart())!;
	expect([wait! > 120_000, wait! <= 121_000]).toEqual([true, true]);
});

it('reports why the check after a broken upload failed', async () => {
	const { ended } = await uploadOf(2, broken, new Error('The proposal is gone'));
	expect(ended).toMatchObject({
		description: `Portal.io did not store any content.\nA follow-up check also failed: The proposal is gone.\n${lost}\nUpload it again.`,
	});
});

it.each([
	[
		'a connection that broke after the whole file',
		4,
		broken,
		'Portal.io did not respond after the whole file was sent',
	],
	[
		'a broken upload of a file in memory',
		'in memory',
		broken,
		'The connection to Portal.io was lost during the upload',
	],
	[
		'a response that is a web page',
		4,
		page,
		'Unexpected response that did not come from the Portal.io API',
	],
	['a stop of the execution', 4, 'stop', 'The execution was stopped during the upload'],
] as const)(
	'after %s, suggests checking whether Portal.io stored the file',
	async (_what, chunks, answer, message) => {
		const { ended, checks } = await uploadOf(chunks, answer);
		expect(ended).toMatchObject({ message, description: expect.stringMatching(doubt), doubt });
		expect(checks).toBe(1);
	},
);

it('suggests no check if the execution was stopped after part of the file', async () =>
	expect((await uploadOf(2, 'stop')).ended).toMatchObject({ description: '' }));

it('reports that nothing was sent if the connection broke first', async () => {
	const { ended } = await uploadOf(0, broken);
	expect(ended).toMatchObject({ message: 'Portal.io cannot be reached', description: lost });
});

it('rejects a successful response that arrives before the whole file was sent', async () => {
	const response = { statusCode: 200, headers: {}, body: { id: 1 } };
	const { ended, percent, checks } = await uploadOf(3, response);
	expect(ended).toMatchObject({
		message: 'Portal.io responded before the whole file was sent',
		description: `${doubt}\nAbout ${percent}% was sent.`,
	});
	expect(checks).toBe(1);
});
