/** A file on its way out, read and written by Node's own streams. */
import fc from 'fast-check';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { buildBody, multipart, type FileStream } from '../../client/upload.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Bytes that are nowhere the same as shortly before. */
const made = (bytes: number) =>
	Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 7) % 251));

/** A form with one file of so many bytes, and what it has to look like around them. */
function formOf(bytes: number) {
	const form = multipart({}, [{ name: 'a.mp3', bytes }], 'B');
	const head =
		'--B\r\nContent-Disposition: form-data; name="a.mp3"; filename="a.mp3"\r\n' +
		'Content-Type: application/octet-stream\r\n\r\n';
	const body = (content: Buffer) =>
		Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--B--\r\n')]);
	return { form, body };
}

/** The body of a form around a file that is read as a stream. */
async function streamed(file: Readable, form: ReturnType<typeof multipart>) {
	const body = await buildBody(form, file as FileStream);
	return { ...body, stream: body.content as Readable };
}

/** Takes everything, one piece at a time, each after so many turns of the event loop. */
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

describe('a file within its frame', () => {
	it('sends a file whole and in order, however it comes and however slowly it is taken', async () => {
		const sizes = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 30 });
		const turns = fc.infiniteStream(fc.integer({ min: 0, max: 3 }));
		const ahead = fc.integer({ min: 1, max: 2000 });
		await fc.assert(
			fc.asyncProperty(sizes, turns, ahead, async (pieceSizes, waits, highWaterMark) => {
				const content = made(pieceSizes.reduce((sum, size) => sum + size, 1));
				let at = 0;
				const pieces = [1, ...pieceSizes].map((size) => content.subarray(at, (at += size)));
				const file = Readable.from(pieces, { objectMode: false, highWaterMark });
				const { form, body } = formOf(content.length);
				const { sink, taken } = slowly(() => waits.next().value);
				await pipeline((await streamed(file, form)).stream, sink);
				expect(taken().equals(body(content))).toBe(true);
				expect(form.length).toBe(taken().length);
			}),
		);
	});

	it('reads a file no more than 5 MiB ahead of what is sent', async () => {
		let read = 0;
		const file = new Readable({
			highWaterMark: 256 * KiB,
			read() {
				read += 256 * KiB;
				this.push(Buffer.alloc(256 * KiB));
			},
		});
		const { stream, sentBytes, close } = await streamed(file, formOf(100 * MiB).form);
		stream.read(0);
		for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
		expect(read).toBeLessThanOrEqual(5 * MiB);
		// At most the chunk that is on its way into the stream.
		expect(sentBytes()).toBeLessThanOrEqual(256 * KiB);
		close();
		expect(file.destroyed).toBe(true);
	});

	it('sends a file that a store gives at once chunk by chunk, each counted when it is taken', async () => {
		const content = Buffer.alloc(20 * MiB, 1);
		const file = new Readable({ highWaterMark: content.length, read: () => {} });
		file.push(content);
		file.push(null);
		const { form } = formOf(content.length);
		const { stream, sentBytes } = await streamed(file, form);
		stream.read(0);
		for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
		expect(sentBytes()).toBeLessThanOrEqual(256 * KiB);
		const { sink, taken } = slowly(() => 1);
		await pipeline(stream, sink);
		expect(taken().length).toBe(form.length);
		expect(sentBytes()).toBe(form.length);
	});

	it('sends a file in memory as one buffer, of which nobody knows how much was sent', async () => {
		const content = made(300 * KiB);
		const { form, body } = formOf(content.length);
		const whole = await buildBody(form, content);
		expect(body(content).equals(whole.content as Buffer)).toBe(true);
		expect(whole.sentBytes()).toBeUndefined();
		expect(whole.fileError()).toBeUndefined();
	});

	it.each([
		['longer', 9],
		['longer', 3000],
		['shorter', 7],
		['shorter', 0],
	])('fails when the file is %s than announced (%i bytes for 8)', async (message, bytes) => {
		const file = Readable.from([Buffer.alloc(bytes)], { objectMode: false });
		const { sink } = slowly(() => 1);
		const { stream, fileError } = await streamed(file, formOf(8).form);
		await expect(pipeline(stream, sink)).rejects.toThrow(message);
		expect(fileError()?.message).toContain(message);
		expect(file.destroyed).toBe(true);
	});

	it.each([
		['with the reason for which the file cannot be read', new Error('the disk is gone')],
		['when the file is closed before its end', undefined],
	])('fails %s', async (_when, reason) => {
		const file = new Readable({ read: () => void file.destroy(reason) });
		const { sink } = slowly(() => 0);
		const { stream } = await streamed(file, formOf(8).form);
		const message = reason?.message ?? 'Premature close';
		await expect(pipeline(stream, sink)).rejects.toThrow(message);
	});

	it('destroys the file with the body, before the first byte or between two', async () => {
		for (const taken of [0, 1]) {
			const file = Readable.from([Buffer.alloc(10 * MiB), Buffer.alloc(10 * MiB)]);
			const { stream, close } = await streamed(file, formOf(20 * MiB).form);
			if (taken > 0) await once(stream, 'readable');
			close();
			if (!file.closed) await once(file, 'close');
			expect(stream.destroyed).toBe(true);
		}
	});

	it('survives a file that fails after nobody needs it any more', async () => {
		const file = new Readable({ read: () => {} });
		const { stream } = await streamed(file, formOf(8).form);
		stream.destroy();
		file.emit('error', new Error('too late'));
		await new Promise((resolve) => setImmediate(resolve));
		expect(stream.destroyed).toBe(true);
	});
});
