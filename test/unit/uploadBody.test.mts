/** Tests the body of an upload against RFC 7578 and an independent parser. */
import fc from 'fast-check';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { buildBody, encodeMultipart, type FileStream } from '../../client/upload.ts';
import { parse } from './parsedForm.mts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Returns a form with one file of the given size. */
const formOf = (bytes: number) => encodeMultipart({}, [{ name: 'a.mp3', bytes }], 'B');

/** Returns the body of a form with a file that is read as a stream. */
async function streamed(file: Readable, form: ReturnType<typeof encodeMultipart>) {
	const body = await buildBody(form.frame, file as FileStream);
	return { ...body, stream: body.content as Readable };
}

/** Returns the body of a form with a file in memory. */
const textOf = async (form: ReturnType<typeof encodeMultipart>, file: string) =>
	String((await buildBody(form.frame, Buffer.from(file))).content);

/** Creates a stream that accepts one chunk at a time, each after some cycles of the event loop. */
function slowly(turns: () => number) {
	const taken: Buffer[] = [];
	const sink = new Writable({
		highWaterMark: 1,
		write(piece: Buffer, _encoding, done) {
			taken.push(piece);
			const wait = (left: number) => (left > 0 ? setImmediate(wait, left - 1) : done());
			wait(turns());
		},
	});
	return { sink, taken: () => Buffer.concat(taken) };
}

it('writes a multipart body as in RFC 7578', async () => {
	const form = encodeMultipart({ name: 'Den é' }, [{ name: 'a.txt', bytes: 3 }], 'B');
	const field = 'Content-Disposition: form-data; name="name"\r\n\r\nDen é\r\n';
	const disposition = 'Content-Disposition: form-data; name="a.txt"; filename="a.txt"\r\n';
	const type = 'Content-Type: application/octet-stream\r\n\r\n';
	const expected = `--B\r\n${field}--B\r\n${disposition}${type}abc\r\n--B--\r\n`;
	expect(await textOf(form, 'abc')).toBe(expected);
	expect(form.length).toBe(Buffer.byteLength(expected));
	expect(form.contentType).toBe('multipart/form-data; boundary=B');
});

it('sends the parts of a file completely, with the announced length', async () => {
	const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 });
	const places = fc.array(fc.nat(), { maxLength: 12 });
	const turns = fc.infiniteStream(fc.integer({ min: 0, max: 3 }));
	const ahead = fc.integer({ min: 1, max: 2000 });
	await fc.assert(
		fc.asyncProperty(sizes, places, fc.string(), turns, ahead, async (...given) => {
			const [partSizes, cuts, value, waits, highWaterMark] = given;
			const total = partSizes.reduce((sum, size) => sum + size, 0);
			const content = Buffer.from(Array.from({ length: total }, (_, at) => (at * 31) % 256));
			const at = [0, ...cuts.map((place) => place % (total + 1)), total].sort((a, b) => a - b);
			const pieces = at.slice(1).map((end, index) => content.subarray(at[index], end));
			const file = Readable.from(pieces, { objectMode: false, highWaterMark });
			const parts = partSizes.map((bytes, index) => ({ name: `f.mp3.part${index + 1}`, bytes }));
			const form = encodeMultipart({ name: value, totalChunks: '1' }, parts);
			const { sink, taken } = slowly(() => waits.next().value);
			await pipeline((await streamed(file, form)).stream, sink);
			expect(taken().length).toBe(form.length);

			const read = await parse(form.contentType, taken());
			const names = ['name', 'totalChunks', ...parts.map(({ name }) => name)];
			expect(read.map(({ name }) => name)).toEqual(names);
			expect(read[0]!.value.toString()).toBe(Buffer.from(value).toString());
			expect(read.slice(2).map((part) => part.value.length)).toEqual(partSizes);
			expect(Buffer.concat(read.slice(2).map((part) => part.value)).equals(content)).toBe(true);
		}),
	);
});

it('encodes quotes and line breaks of a name as browsers do', async () => {
	const form = encodeMultipart({ 'a"b': 'v' }, [{ name: 'c\r\n"\0\x7f\x85é%', bytes: 1 }], 'B');
	const body = await textOf(form, 'x');
	expect(body).toContain('; name="a%22b"\r\n');
	const encoded = 'c%0D%0A%22%00%7F%C2%85é%';
	expect(body).toContain(`; name="${encoded}"; filename="${encoded}"\r\n`);
});

it('writes a different boundary each time', () => {
	const types = Array.from({ length: 9 }, () => encodeMultipart({}, []).contentType);
	expect(new Set(types).size).toBe(9);
	for (const type of types) expect(type).toMatch(/^multipart\/form-data; boundary=[\w-]{10,70}$/);
});

it('reads a file at most 5 MiB ahead', async () => {
	let read = 0;
	const file = new Readable({
		highWaterMark: 256 * KiB,
		read() {
			read += 256 * KiB;
			this.push(Buffer.alloc(256 * KiB));
		},
	});
	const { stream, sentBytes } = await streamed(file, formOf(100 * MiB));
	stream.read(0);
	for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
	expect(read).toBeLessThanOrEqual(5 * MiB);
	// Expect at most the chunk that is being written to the stream.
	expect(sentBytes()).toBeLessThanOrEqual(256 * KiB);
	file.destroy();
});

it('sends a file in memory chunk by chunk', async () => {
	const content = Buffer.alloc(20 * MiB, 1);
	const file = new Readable({ highWaterMark: content.length, read: () => {} });
	file.push(content);
	file.push(null);
	const form = formOf(content.length);
	const { stream, sentBytes } = await streamed(file, form);
	stream.read(0);
	for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
	expect(sentBytes()).toBeLessThanOrEqual(256 * KiB);
	const { sink, taken } = slowly(() => 1);
	await pipeline(stream, sink);
	expect([taken().length, sentBytes()]).toEqual([form.length, form.length]);
});

it.each([
	['larger', 9],
	['larger', 3000],
	['smaller', 7],
	['smaller', 4],
	['smaller', 0],
])(
	'fails when the file is %s than n8n reported (%i bytes instead of 8)',
	async (message, bytes) => {
		const file = Readable.from([Buffer.alloc(bytes)], { objectMode: false });
		const parts = [1, 2].map((part) => ({ name: `a.part${part}`, bytes: 4 }));
		const { stream } = await streamed(file, encodeMultipart({}, parts));
		await expect(pipeline(stream, slowly(() => 1).sink)).rejects.toThrow(message);
		expect(stream.errored?.message).toContain(message);
		expect(file.destroyed).toBe(true);
	},
);

it.each([
	[new Error('the disk is gone'), 'the disk is gone'],
	[undefined, 'Premature close'],
])('fails when the file is closed: %s', async (reason, message) => {
	const file = new Readable({ read: () => void file.destroy(reason) });
	const { stream } = await streamed(file, formOf(8));
	await expect(pipeline(stream, slowly(() => 0).sink)).rejects.toThrow(message);
});

it('ignores a file error after the stream is destroyed', async () => {
	const file = new Readable({ read: () => {} });
	const { stream } = await streamed(file, formOf(8));
	stream.destroy();
	file.emit('error', new Error('too late'));
	await new Promise((resolve) => setImmediate(resolve));
	expect(stream.destroyed).toBe(true);
});
