/** The framing, against what RFC 7578 and RFC 2046 say, and read back by an independent parser. */
import busboy from 'busboy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multipart } from '../../client/upload.ts';

/** All bytes of a form, in the pieces in which it gives them. */
async function bytesOf(form: ReturnType<typeof multipart>, pieces: Uint8Array[]) {
	const chunks: Uint8Array[] = [];
	for await (const chunk of form.frame(pieces)) chunks.push(chunk);
	return chunks;
}

interface Part {
	name: string;
	filename?: string;
	value: Buffer;
}

async function parse(contentType: string, body: Buffer): Promise<Part[]> {
	const parts: Part[] = [];
	const parser = busboy({
		headers: { 'content-type': contentType },
		defParamCharset: 'utf8',
		preservePath: true,
	});
	parser.on('field', (name, value) => parts.push({ name, value: Buffer.from(value) }));
	parser.on('file', (name, file, { filename }) => {
		const chunks: Buffer[] = [];
		const part: Part = { name, filename, value: Buffer.alloc(0) };
		parts.push(part);
		file.on('data', (chunk: Buffer) => chunks.push(chunk));
		file.on('end', () => (part.value = Buffer.concat(chunks)));
	});
	const closed = new Promise((resolve, reject) => parser.on('close', resolve).on('error', reject));
	parser.end(body);
	await closed;
	return parts;
}

/** Cuts bytes at the given places, wherever they lie. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
	const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length];
	at.sort((a, b) => a - b);
	return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 });
const places = fc.array(fc.nat(), { maxLength: 12 });
/** Text with what could break out of a header, more often than chance would have it. */
const nasty = fc.string({
	unit: fc.oneof(
		fc.constantFrom('"', '\r', '\n', '\r\n', '\\', ';', '=', '--', '\0', ' ', 'é', '部', '😀', '%'),
		fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
	),
	maxLength: 40,
});

describe('a multipart body', () => {
	it('writes a multipart body as expected, byte for byte', async () => {
		const form = multipart({ name: 'Den é' }, [{ name: 'a.txt', bytes: 3 }], 'B');
		const expected = [
			'--B',
			'Content-Disposition: form-data; name="name"',
			'',
			'Den é',
			'--B',
			'Content-Disposition: form-data; name="a.txt"; filename="a.txt"',
			'Content-Type: application/octet-stream',
			'',
			'abc',
			'--B--',
			'',
		].join('\r\n');
		expect(Buffer.concat(await bytesOf(form, [Buffer.from('abc')])).toString()).toBe(expected);
		expect(form.length).toBe(Buffer.byteLength(expected));
		expect(form.contentType).toBe('multipart/form-data; boundary=B');
	});

	it('announces the length of a multipart body, and keeps its parts, however the file comes', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, places, nasty, async (partSizes, cuts, value) => {
				const total = partSizes.reduce((sum, size) => sum + size, 0);
				const file = Buffer.from(Array.from({ length: total }, (_, at) => (at * 31) % 256));
				const parts = partSizes.map((bytes, index) => ({ name: `f.mp3.part${index + 1}`, bytes }));
				const form = multipart({ name: value, totalChunks: '1' }, parts);
				const body = Buffer.concat(await bytesOf(form, cut(file, cuts)));
				expect(body.length).toBe(form.length);

				const read = await parse(form.contentType, body);
				expect(read.map(({ name }) => name)).toEqual([
					'name',
					'totalChunks',
					...parts.map(({ name }) => name),
				]);
				expect(read[0]!.value.toString()).toBe(Buffer.from(value).toString());
				expect(read.slice(2).map((part) => part.value.length)).toEqual(partSizes);
				expect(Buffer.concat(read.slice(2).map((part) => part.value)).equals(file)).toBe(true);
			}),
		);
	});

	it('encodes with percent signs what could end a name, as browsers do', async () => {
		const form = multipart({ 'a"b': 'v' }, [{ name: 'c\r\n"\0\x7f\x85é%', bytes: 1 }], 'B');
		const body = Buffer.concat(await bytesOf(form, [Buffer.from('x')])).toString();
		expect(body).toContain('; name="a%22b"\r\n');
		const encoded = 'c%0D%0A%22%00%7F%C2%85é%';
		expect(body).toContain(`; name="${encoded}"; filename="${encoded}"\r\n`);
	});

	it('hands on no piece larger than half a mebibyte, and copies none', async () => {
		const file = Buffer.alloc(1_000_000, 7);
		const form = multipart({}, [
			{ name: 'a.part1', bytes: 600_000 },
			{ name: 'a.part2', bytes: 400_000 },
		]);
		const pieces = await bytesOf(form, [file]);
		expect(Math.max(...pieces.map((piece) => piece.byteLength))).toBeLessThanOrEqual(524_288);
		const content = pieces.filter((piece) => piece.buffer === file.buffer);
		expect(content.reduce((sum, piece) => sum + piece.byteLength, 0)).toBe(1_000_000);
	});

	it('fails when the file ends where its second part should begin', async () => {
		const parts = [1, 2].map((part) => ({ name: `a.part${part}`, bytes: 4 }));
		await expect(bytesOf(multipart({}, parts), [Buffer.alloc(4)])).rejects.toThrow('shorter');
	});

	it('writes another boundary each time', () => {
		const types = new Set(
			Array.from({ length: 100 }, () => multipart({}, [{ name: 'a', bytes: 1 }]).contentType),
		);
		expect(types.size).toBe(100);
		for (const type of types) expect(type).toMatch(/^multipart\/form-data; boundary=[\w-]{10,70}$/);
	});
});
