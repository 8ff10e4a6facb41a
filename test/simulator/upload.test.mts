import { createHash } from 'node:crypto';

import { beforeEach, expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../dev/simulator/index.mts';
import { type Client, fieldsOf, type Reply } from './client.mts';
import { boundary, field, file, multipart, type Part } from './multipart.mts';
import { startForTest } from './start.mts';

const MEGABYTE = 1024 * 1024;
const KILOBYTE = 1024;

let simulator: Simulator;
let client: Client;

const start = async (options: Parameters<typeof startSimulator>[0] = {}) => {
	({ simulator, client } = await startForTest(options));
};
/** The real limits, a thousand times smaller: files of kilobytes behave like files of megabytes. */
const startSmall = async () => {
	await simulator.stop();
	await start({
		uploadLimits: { single: 25 * KILOBYTE, total: 1024 * KILOBYTE, minChunk: 5 * KILOBYTE },
	});
};

beforeEach(() => start());

const { proposals } = seed;
const at = (id: number = proposals.empty, query = '') =>
	`/public/api/proposals/${id}/ai/content${query}`;
const contentType = `multipart/form-data; boundary=${boundary}`;
const upload = (parts: Part[], query = '', body: Buffer = multipart(parts)): Promise<Reply> =>
	client.raw('POST', at(proposals.empty, query), body, { contentType });
const chunked = (parts: Part[]) => upload(parts, '?isMultiChunkUpload=true');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const name = field('name', 'Walk');
const own = field('proposalId', proposals.empty);

/** Expects a 400 with this message, that names this field, and that nothing was taken. */
function expectRefusal(reply: Reply, message: string, ...fields: string[]): void {
	expect([reply.status, reply.json.message]).toEqual([400, message]);
	expect(fieldsOf(reply)).toEqual(fields);
	expect(simulator.control.uploads()).toEqual([]);
	expect(simulator.control.contents().filter(({ id }) => Number(id) > 92_000)).toEqual([]);
}

test('refuses what is no accepted file', async () => {
	const list =
		'.txt, .mp3, .mp4, .mp2, .aac, .wav, .flac, .pcm, .m4a, .ogg, .opus, .webm, .mov, .mpeg, .mpg';
	const message = (type: string) =>
		`File type '${type}' is not allowed. Accepted file types: ${list}`;
	const part = (fieldName: string) => ({ ...file(fieldName, 'x'), filename: 'walk.mp3' });
	expectRefusal(await upload([name, part('file')]), message(''), 'file');
	expectRefusal(await upload([name, part('plan.pdf')]), message('.pdf'), 'plan.pdf');
	expectRefusal(await upload([name, part('.mp3')]), message(''), '.mp3');
	expectRefusal(await upload([name, part('walk.mp3.part1')]), message('.part1'), 'walk.mp3.part1');
	const none = 'No file was provided in the request.';
	expectRefusal(await upload([name]), none);
	expectRefusal(await upload([]), none);
	expectRefusal(await client.form(at(), { name: 'Walk' }), none);
	const two = await upload([name, file('a.mp3', 'x'), file('b.mp3', 'y')]);
	expectRefusal(two, 'Only one file can be uploaded at a time.', 'b.mp3');
});

test('refuses fields that are missing, repeated, unknown or contradict', async () => {
	const mp3 = file('a.mp3', 'x');
	const missing = 'The content name is required.';
	expectRefusal(await upload([mp3]), missing, 'name');
	expectRefusal(await upload([field('name', ' '), mp3]), missing, 'name');
	expectRefusal(await upload([name, name, mp3]), 'name must be sent only once.', 'name');
	expectRefusal(await upload([field('Name', 'a'), mp3]), "Unknown form field 'Name'.", 'Name');
	const mode = 'isMultiChunkUpload of the form and of the query must be the same.';
	expectRefusal(
		await upload([name, field('isMultiChunkUpload', 'true'), mp3]),
		mode,
		'isMultiChunkUpload',
	);
	const no = await client.raw('POST', at(proposals.empty, '?isMultiChunkUpload=maybe'), '', {
		contentType,
	});
	expect(no.status).toBe(400);
	expect((await upload([mp3, name])).status).toBe(200);
});

test('refuses content types and bodies that are no multipart', async () => {
	const post = (type: string, body: string) =>
		client.raw('POST', at(), body, { contentType: type });
	const plain = 'The content type must be multipart/form-data.';
	expectRefusal(await post('application/json', '{}'), plain);
	expectRefusal(await post('audio/mpeg', 'x'), plain);
	expectRefusal(
		await post('multipart/form-data', 'x'),
		'The content type must be multipart/form-data with a boundary.',
	);
	const malformed = /^The multipart body is malformed: /;
	const whole = multipart([name, file('a.mp3', 'some sound')]);
	for (const body of [whole.subarray(0, -boundary.length - 6), Buffer.from('x'), Buffer.alloc(0)]) {
		const reply = await upload([], '', body);
		expect([reply.status, malformed.test(reply.json.message)]).toEqual([400, true]);
	}
	expect(simulator.control.uploads()).toEqual([]);
});

test('accepts 25 MB in a single request, not a byte more', async () => {
	const whole = Buffer.alloc(25 * MEGABYTE, 'sound');
	expect((await upload([name, file('a.wav', whole)])).status).toBe(200);
	expect(simulator.control.uploads()).toMatchObject([
		{ bytes: 25 * MEGABYTE, sha256: sha256(whole) },
	]);
	const more = await upload([name, file('a.wav', Buffer.concat([whole, Buffer.from('x')]))]);
	expect([more.status, fieldsOf(more)]).toEqual([400, ['a.wav']]);
	expect(more.json.message).toMatch(/^The file is too large: at most 26214400 bytes/);
	expect(simulator.control.uploads()).toHaveLength(1);
});

test('holds uploads in chunks to every rule', async () => {
	await startSmall();
	const big = Buffer.alloc(5 * KILOBYTE);
	const part = (number: number, value: Buffer = big, base = 'a.mp3') =>
		file(`${base}.part${number}`, value);
	const total = (count: number) => field('totalChunks', count);
	const cases: [Part[], string][] = [
		[[name, own, total(3), part(1), part(2)], 'totalChunks'],
		[[name, own, total(1), part(1), part(2)], 'totalChunks'],
		[[name, own, part(1), part(2), total(1)], 'totalChunks'],
		[[name, own, part(1)], 'totalChunks'],
		[[name, own, total(0), part(1)], 'totalChunks'],
		[[name, total(1), part(1)], 'proposalId'],
		[[name, field('proposalId', proposals.staleTheatre), total(1), part(1)], 'proposalId'],
		[[own, total(1), part(1)], 'name'],
		[[name, own, total(2), part(2), part(1)], 'a.mp3.part2'],
		[[name, own, total(2), part(1), part(3)], 'a.mp3.part3'],
		[[name, own, total(2), part(1), part(1)], 'a.mp3.part1'],
		[[name, own, total(2), part(0), part(1)], 'a.mp3.part0'],
		[[name, own, total(2), part(1), part(2, big, 'b.mp3')], 'b.mp3.part2'],
		[[name, own, total(1), file('a.mp3', big)], 'a.mp3'],
		[[name, own, total(1), part(1, big, 'a.pdf')], 'a.pdf'],
		[[name, own, total(2), part(1, big.subarray(1)), part(2)], 'a.mp3.part1'],
		[[name, own, total(1), part(1), field('isMultiChunkUpload', 'false')], 'isMultiChunkUpload'],
	];
	for (const [parts, wrong] of cases) {
		const reply = await chunked(parts);
		const names = parts.map((one) => `${one.name}=${one.value.slice(0, 9)}`).join(' ');
		expect([reply.status, fieldsOf(reply)], names).toEqual([400, [wrong]]);
	}
	expectRefusal(await chunked([name, own, total(1)]), 'No file was provided in the request.');
	// 1024 KB in all stand for 1 GB
	const halves = (bytes: number) => [
		part(1, Buffer.alloc(512 * KILOBYTE)),
		part(2, Buffer.alloc(bytes)),
	];
	const over = await chunked([name, own, total(2), ...halves(512 * KILOBYTE + 1)]);
	expectRefusal(over, 'The file is too large: at most 1048576 bytes.', 'a.mp3');
	expect((await chunked([name, own, total(2), ...halves(512 * KILOBYTE)])).status).toBe(200);
});
