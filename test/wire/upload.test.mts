/** Tests uploads to a simulator that records the files' hashes. */
import { createHash } from 'node:crypto';
import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { execute, restartWorker, type StoredCredential } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, runner, seed } from './account.mts';
import {
	madeUp,
	next,
	opened,
	prepareFile,
	removeFiles,
	store,
	uploadWith,
	type BinaryMode,
} from './files.mts';

const MB = 1_000_000;
const MiB = 1_048_576;
const proposalId = seed.proposals.empty;
const operationId = 'aiContent.upload';

const service = restoredService();
let credential: StoredCredential;
beforeEach(async () => {
	// Store a key, as in every execution except the first.
	credential = service.credential();
	await runner(() => credential)('proposal.get', { proposalId });
	opened.length = 0;
	service.control.clearRequests();
});
afterAll(removeFiles);
afterEach(() => {
	expect(opened.filter((stream) => !stream.destroyed)).toEqual([]);
});

const upload = async (binary: IBinaryData, parameters: IDataObject = {}) =>
	await uploadWith(credential, binary, parameters);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const attempts = () => service.count(operationId);

async function recording(mode?: BinaryMode) {
	const { content, sha256 } = madeUp(40 * MB);
	const binary = await store(content, { fileName: 'Walk.mp3' }, mode);
	return { binary, sha256: sha256() };
}
const contents = () => service.control.uploads().map(({ sha256 }) => sha256);
const one = Buffer.from('x');
const text = { fileName: 'a.txt' };

describe('the file', () => {
	const last = () => service.control.uploads().at(-1)!;

	it.each<[string, number, number[]]>([
		['1 byte', 1, [1]],
		['25 MB', 25 * MB, [25 * MB]],
		['25 MB and 1 byte', 25 * MB + 1, [8 * MiB, 8 * MiB, 25 * MB + 1 - 16 * MiB]],
	])('uploads a file of %s unchanged', async (_size, bytes, parts) => {
		const { content, sha256: expected } = madeUp(bytes);
		const binary = await store(content, { fileName: 'Walk.mp3' });
		const name = 'Walk-through';
		const answer = await upload(binary, { additionalFields: { name } });
		expect(last()).toMatchObject({ proposalId, name, bytes, sha256: expected() });
		expect(answer).toMatchObject({ contentId: last().contentId, name, status: 'Uploaded' });
		const { headers } = service.requestsOf(operationId)[0]!;
		expect(headers).not.toHaveProperty('transfer-encoding');
		expect(Number(headers['content-length'])).toBeGreaterThan(bytes);
		expect(last().isMultiChunk).toBe(parts.length > 1);
		expect(last().parts.map((part) => part.bytes)).toEqual(parts);
	});

	it.each<BinaryMode>(['memory', 'filesystem', 'database', 'unsized'])(
		'uploads a file unchanged from the binary mode %s',
		async (mode) => {
			const content = Buffer.concat(
				Array.from(madeUp(26 * MB + 3).content, (piece) => Buffer.from(piece)),
			);
			await upload(await store(content, { fileName: 'Walk.m4a' }, mode));
			expect(last()).toMatchObject({ name: 'Walk.m4a', bytes: 26 * MB + 3 });
			expect(last()).toMatchObject({ sha256: sha256(content), isMultiChunk: true });
		},
	);

	it('uploads a file as text only if n8n knows its type', async () => {
		const text = await prepareFile(Buffer.from('Two speakers.'), 'Transcript', 'text/plain');
		await upload(text);
		expect(last()).toMatchObject({ name: 'Transcript', fileName: 'Transcript.txt' });
		const unknown = await prepareFile(Buffer.from([0, 1, 2]), 'Transcript');
		expect(unknown.mimeType).toBe('text/plain');
		await expect(upload(unknown)).rejects.toThrow("with no extension ('Transcript')");
		expect(attempts()).toBe(1);
	});

	it('uploads text whose Base64 in memory is not standard', async () => {
		const binary = await store(Buffer.alloc(0), { fileName: 'notes.txt' }, 'memory');
		await upload({ ...binary, data: 'VHdvIHNw\nZWFrZXJzLg', bytes: undefined });
		expect(last()).toMatchObject({ bytes: 13, sha256: sha256(Buffer.from('Two speakers.')) });
	});

	const accepted =
		'Portal.io accepts only .txt, .mp3, .mp4, .mp2, .aac, .wav, .flac, .pcm, .m4a, .ogg, .opus, .webm, .mov, .mpeg, .mpg';
	const mimeType = 'application/octet-stream';

	it.each<[facts: Partial<IBinaryData>, message: string, more?: IDataObject]>([
		[{ fileName: 'plan.pdf' }, `'Input Data Field Name' refers to a '.pdf' file, but ${accepted}`],
		[
			{ fileName: 'walk', mimeType },
			`refers to a '${mimeType}' file with no extension ('walk'), but ${accepted}`,
		],
		[{ mimeType }, `refers to a '${mimeType}' file with no extension`],
		// Use n8n's type for unknown files.
		[{ fileName: 'walk', mimeType: 'text/plain' }, 'with no extension'],
		[text, "'Name' must not be empty", { additionalFields: { name: ' ' } }],
		[text, "'Chunk Size (MB)' must be a number from 5 to 25", { options: { chunkSize: 4 } }],
		[text, "'Chunk Size (MB)' must be a number from 5 to 25", { options: { chunkSize: 26 } }],
		[text, "'Chunk Size (MB)' must be a number from 5 to 25", { options: { chunkSize: 'big' } }],
		[
			text,
			"'Input Data Field Name' is 'other'. The input has only these files: 'data'",
			{ binaryPropertyName: 'other' },
		],
		[
			text,
			"'Input Data Field Name' is '__proto__'. The input has only these files: 'data'",
			{ binaryPropertyName: '__proto__' },
		],
		[
			text,
			"'Input Data Field Name' has no value. The input has only these files: 'data'",
			{ binaryPropertyName: '={{ $json.none }}' },
		],
	])('does not upload the file %j: %s', async (facts, message, more = {}) => {
		await expect(upload(await store(one, facts), more)).rejects.toThrow(message);
		expect(service.control.requests).toEqual([]);
	});
});

describe('a missing file', () => {
	it('suggests the expression for the file from an earlier step', async () => {
		const binary = await store(one, text);
		const inputs = [{ json: {}, binary: { Recording: binary, "Plan 'B'": binary } }];
		await expect(
			uploadWith(credential, binary, {}, { inputs, losesFiles: true }),
		).rejects.toMatchObject({
			message:
				"'Input Data Field Name' was not found, because the input of this step contains no files",
			description:
				"Choose 'Expression' above the field and enter {{ $('Before').item.binary.Recording }} or {{ $('Before').item.binary['Plan \\'B\\''] }}, which is a file from an earlier step.",
		});
		expect(service.control.requests).toEqual([]);
	});

	it('uploads the file from an earlier step with the expression that the error suggests', async () => {
		const binary = await store(one, text);
		const inputs = [{ json: {}, binary: { "Plan 'B'": binary } }];
		const binaryPropertyName = "={{ $('Before').item.binary['Plan \\'B\\''] }}";
		const run = { inputs, losesFiles: true };
		await uploadWith(credential, binary, { binaryPropertyName }, run);
		expect(attempts()).toBe(1);
	});

	it("explains that a file's data was dragged into the field", async () => {
		const binary = await store(one, text);
		const inputs = [
			{ json: { Recording: { filename: 'a.txt', mimetype: 'text/plain', size: 1 } } },
		];
		const binaryPropertyName = '={{ $json.Recording }}';
		await expect(
			uploadWith(credential, binary, { binaryPropertyName }, { inputs }),
		).rejects.toThrow(
			"'Input Data Field Name' is a file's data, not the file. Write 'binary' instead of 'json' in the expression.",
		);
		const withText = { binaryPropertyName: '=data {{ $json.Recording }}' };
		await expect(uploadWith(credential, binary, withText, { inputs })).rejects.toThrow(
			"'Input Data Field Name' contains text besides the expression. Remove the text.",
		);
	});

	it.each(['={{ $json.Recording }}', '=data{{ $json.Recording }}'])(
		'suggests typing the field name instead of %s',
		async (binaryPropertyName) => {
			const binary = await store(one, text);
			const json = { Recording: { filename: 'a.txt', mimetype: 'text/plain', size: 1 } };
			const inputs = [{ json, binary: { Recording: binary } }];
			await expect(
				uploadWith(credential, binary, { binaryPropertyName }, { inputs }),
			).rejects.toMatchObject({
				message: expect.stringContaining(". The input has only these files: 'Recording'"),
				description: 'Type the name of the field, such as Recording, without an expression.',
			});
		},
	);

	it('suggests an example expression if no step has a file', async () => {
		const binary = await store(one, text);
		await expect(
			uploadWith(credential, binary, {}, { inputs: [{ json: {} }] }),
		).rejects.toMatchObject({
			description:
				"For a file from an earlier step, choose 'Expression' above the field and enter {{ $('On form submission').item.binary.Recording }}, but with the names of your step and its field.",
		});
	});

	it('fails for a file that n8n no longer has', async () => {
		const binary = await store(one, text);
		const gone = { ...binary, id: `${binary.id}0` };
		await expect(upload(gone)).rejects.toThrow('n8n no longer has this file');
		expect(service.control.requests).toEqual([]);
	});

	it('fails for a proposal that is not in Draft', async () => {
		const binary = await store(one, text);
		await expect(upload(binary, { proposalId: seed.proposals.submitted })).rejects.toThrow(
			"Content can only be uploaded to a draft, but the proposal's status is Submitted",
		);
		expect(attempts()).toBe(0);
	});
});

describe('a broken upload', () => {
	it.each([
		['the key expires between the check and the upload', () => service.control.expireUserKeys()],
		[
			'the key expires as the upload arrives',
			() => service.fail(operationId, { expireKeys: true }),
		],
	])('sends the file again if %s', async (_when, refuse) => {
		next.opened = refuse;
		await upload(await store(one, text));
		expect([contents(), attempts()]).toEqual([[sha256(one)], 2]);
		expect(service.control.loginCount()).toBe(1);
		expect(opened).toHaveLength(2);
	});

	it('sends the file only once if the login returns the rejected key', async () => {
		next.opened = () => service.fail(operationId, { status: 401 });
		await expect(upload(await store(one, text))).rejects.toThrow('rejected the request');
		expect([attempts(), service.control.loginCount()]).toEqual([1, 1]);
	});

	it('sends the file at most twice if the connection breaks as the key expires', async () => {
		const { binary, sha256 } = await recording();
		const uploadBroken = async (times: number) => {
			next.opened = () => service.control.expireUserKeys();
			service.fail(operationId, { disconnect: true, times });
			await upload(binary);
		};
		await uploadBroken(1);
		expect([contents(), attempts()]).toEqual([[sha256], 2]);
		await expect(uploadBroken(3)).rejects.toThrow(/^The connection to Portal\.io was lost/);
		expect([contents(), attempts()]).toEqual([[sha256], 4]);
	});

	it('sends the file only once if an expired key cannot be renewed', async () => {
		// Afterward, forget the rejected login, which would not be repeated for ten seconds.
		onTestFinished(restartWorker);
		const binary = await store(Buffer.from('x'), { fileName: 'walk.txt' });
		next.opened = () => service.control.expireUserKeys();
		service.fail('authentication.exchangeKey', { status: 401 });
		await expect(upload(binary)).rejects.toThrow('rejected the login');
		expect(attempts()).toBe(1);
	});

	it('ends an upload as soon as the execution is stopped', async () => {
		const { binary } = await recording();
		const stop = new AbortController();
		next.halfWay = () => stop.abort();
		const stopped = execute({
			credential,
			operation: operationId,
			parameters: { proposalId },
			inputs: [1, 2].map(() => ({
				json: {},
				binary: { data: binary },
			})),
			continueOnFail: true,
			signal: stop.signal,
		});
		await expect(stopped).rejects.toThrow('was stopped during the upload');
		expect([contents(), attempts(), opened.length]).toEqual([[], 1, 1]);
	});

	it('fails an upload of a file that is smaller than n8n reported', async () => {
		const { binary } = await recording('larger');
		await expect(upload(binary)).rejects.toMatchObject({
			message: 'n8n could not read the whole file',
			description: expect.stringContaining('smaller'),
		});
		expect([contents(), attempts()]).toEqual([[], 1]);
	});
});
