/** Uploads through n8n's own request stack, to a simulator that keeps what came in by its hash. */
import { createHash } from 'node:crypto';
import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import { madeUp, opened, removeFiles, store, uploadWith, type BinaryMode } from './files.mts';

const MB = 1_000_000;
const MiB = 1_048_576;
const proposalId = seed.proposals.empty;

const service = restoredService();
beforeEach(() => void (opened.length = 0));
afterAll(removeFiles);
afterEach(() => {
	expect(opened.filter((stream) => !stream.destroyed)).toEqual([]);
});

const upload = async (binary: IBinaryData, parameters: IDataObject = {}) =>
	await uploadWith(service.account, binary, parameters);

const last = () => service.control.uploads().at(-1)!;
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const requestsOf = (operationId: string) =>
	service.control.requests.filter((one) => one.operationId === operationId);

describe('a file arrives as it is', () => {
	it.each<[string, number, number | undefined]>([
		['1 byte', 1, undefined],
		['25 MB', 25 * MB, undefined],
		['25 MB and 1 byte', 25 * MB + 1, 8 * MiB],
	])('uploads a file of %s as it is', async (_size, bytes, chunkSize) => {
		const { content, sha256: expected } = madeUp(bytes);
		const binary = await store(content, { fileName: 'Walk.mp3' });
		const answer = await upload(binary, { additionalFields: { name: 'Walk-through' } });

		expect(last()).toMatchObject({ proposalId, name: 'Walk-through', bytes, sha256: expected() });
		expect(answer).toMatchObject({
			id: last().contentId,
			name: 'Walk-through',
			status: 'Uploaded',
		});
		const request = requestsOf('aiContent.upload')[0]!;
		expect(request.headers).not.toHaveProperty('transfer-encoding');
		expect(Number(request.headers['content-length'])).toBeGreaterThan(bytes);
		if (chunkSize === undefined) {
			expect(last()).toMatchObject({ isMultiChunk: false, parts: [{ name: 'Walk.mp3', bytes }] });
			return;
		}
		const count = Math.ceil(bytes / chunkSize);
		expect(last().isMultiChunk).toBe(true);
		expect(last().parts).toEqual(
			Array.from({ length: count }, (_, index) => ({
				name: `Walk.mp3.part${index + 1}`,
				bytes: index < count - 1 ? chunkSize : bytes - (count - 1) * chunkSize,
			})),
		);
	});

	it.each<BinaryMode>(['memory', 'filesystem', 'database', 'unsized'])(
		'uploads a file as it is from the binary mode %s',
		async (mode) => {
			const content = Buffer.concat(await madeUp(26 * MB + 3).content.toArray());
			await upload(await store(content, { fileName: 'Walk.m4a' }, mode));
			expect(last()).toMatchObject({
				name: 'Walk.m4a',
				bytes: 26 * MB + 3,
				sha256: sha256(content),
				isMultiChunk: true,
			});
		},
	);

	it('uploads a file as it is from text in memory that is not regular base64', async () => {
		const binary = await store(Buffer.alloc(0), { fileName: 'notes.txt' }, 'memory');
		binary.data = 'VHdvIHNw\nZWFrZXJzLg';
		delete binary.bytes;
		await upload(binary);
		expect(last()).toMatchObject({ bytes: 13, sha256: sha256(Buffer.from('Two speakers.')) });
	});
});

it.each<[Partial<IBinaryData>, string, string]>([
	[
		{ fileName: 'Begehung "Küche" 部屋 😀.OGG' },
		"Begehung 'Küche' 部屋 😀.ogg",
		'Begehung "Küche" 部屋 😀.OGG',
	],
	[{ fileName: 'Tour v1.2', mimeType: 'audio/mpeg' }, 'Tour v1.2.mp3', 'Tour v1.2'],
	[{ mimeType: 'audio/x-wav' }, 'content.wav', 'content.wav'],
])('sends the file name of %j as %s', async (facts, fileName, name) => {
	await upload(await store(Buffer.from('x'), facts));
	expect(last()).toMatchObject({ fileName, name, parts: [{ name: fileName, bytes: 1 }] });
});

describe('nothing is sent', () => {
	const accepted =
		'Portal.io accepts .txt, .mp3, .mp4, .mp2, .aac, .wav, .flac, .pcm, .m4a, .ogg, .opus, .webm, .mov, .mpeg, .mpg';
	const one = Buffer.from('x');
	const before = async (rejected: Promise<unknown>, message: string) => {
		await expect(rejected).rejects.toThrow(message);
		expect(service.control.requests).toEqual([]);
	};

	it.each<[Partial<IBinaryData>, string]>([
		[{ fileName: 'plan.pdf', mimeType: 'application/pdf' }, `of the type '.pdf': ${accepted}`],
		[
			{ fileName: 'walk', mimeType: 'application/octet-stream' },
			`without an extension ('walk'), and its type 'application/octet-stream' does not show which it is: ${accepted}`,
		],
		[
			{ mimeType: 'application/octet-stream' },
			"without an extension, and its type 'application/octet-stream' does not show",
		],
		// n8n calls so whatever it cannot tell.
		[{ fileName: 'walk', mimeType: 'text/plain' }, 'without an extension'],
	])('refuses to upload the file %j', async (facts, message) => {
		await before(upload(await store(one, facts)), `'Input Data Field Name' has a file ${message}`);
	});

	it('refuses to upload under an empty name', async () => {
		const binary = await store(one, { fileName: 'a.txt' });
		await before(upload(binary, { additionalFields: { name: ' ' } }), "'Name' must not be empty");
	});

	it('refuses to upload an empty file', async () =>
		await before(upload(await store(Buffer.alloc(0), { fileName: 'a.txt' })), 'has an empty file'));

	it('refuses to upload a file of 1 GB and 1 byte', async () => {
		await before(
			upload(await store(one, { fileName: 'a.wav' }, 'huge')),
			'has a file of 1,073,741,825 bytes: Portal.io accepts up to 1 GB',
		);
	});

	it.each([4, 26, 'big'])('refuses to upload with a chunk size of %s', async (chunkSize) => {
		const binary = await store(one, { fileName: 'a.txt' });
		const message = "'Chunk Size (MB)' must be a number from 5 to 25";
		await before(upload(binary, { options: { chunkSize } }), message);
	});

	it('refuses to upload without a file, or one that is gone', async () => {
		const binary = await store(one, { fileName: 'a.txt' });
		await before(upload(binary, { binaryPropertyName: 'other' }), "no binary field 'other'");
		await before(upload({ ...binary, id: `${binary.id}0` }), 'n8n no longer has this file');
	});

	it('refuses to upload to a proposal that is not in Draft', async () => {
		const binary = await store(one, { fileName: 'a.txt' });
		await expect(upload(binary, { proposalId: seed.proposals.submitted })).rejects.toThrow(
			'The proposal is in the status Submitted: content can only be uploaded to a proposal in Draft',
		);
		expect(requestsOf('aiContent.upload')).toEqual([]);
	});
});
