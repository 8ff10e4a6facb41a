/** Uploads that do not go well: expired keys, broken connections, and files that are not what they were. */
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { restoredService, runner, seed } from './account.mts';
import { madeUp, next, opened, removeFiles, store, uploadWith, type BinaryMode } from './files.mts';
import { execute, type StoredCredential } from '../../dev/testbed/nodeRunner.mts';

const MB = 1_000_000;
const proposalId = seed.proposals.empty;
const operationId = 'aiContent.upload';

const service = restoredService();
let credential: StoredCredential;
beforeEach(async () => {
	// With a key that is already there, as in every execution but the first.
	credential = service.credential();
	await runner(() => credential)('proposal.get', { proposalId });
	opened.length = 0;
	service.control.clearRequests();
});
afterAll(removeFiles);
afterEach(() => {
	service.control.clearFaults();
	expect(opened.filter((stream) => !stream.destroyed)).toEqual([]);
});

/** A recording of 40 MB, in five chunks, and its hash. */
async function recording(mode?: BinaryMode) {
	const { content, sha256 } = madeUp(40 * MB);
	const binary = await store(content, { fileName: 'Walk.mp3' }, mode);
	return { binary, sha256: sha256() };
}

const requests = (id: string) =>
	service.control.requests.filter((one) => one.operationId === id).length;

/** What came of it at the service: contents by hash, and how often an upload was begun. */
const outcome = () => ({
	contents: service.control.uploads().map(({ sha256 }) => sha256),
	attempts: requests(operationId),
	exchanges: service.control.exchangeCount(),
});

describe('a key that has expired', () => {
	it('sends the file from its beginning when the key expires between the check and the upload', async () => {
		const { binary, sha256 } = await recording();
		next.opened = () => service.control.expireUserKeys();
		await uploadWith(credential, binary);
		expect(outcome()).toEqual({ contents: [sha256], attempts: 2, exchanges: 1 });
		expect(opened).toHaveLength(2);
	});

	it.each([
		['breaks', { message: expect.stringMatching(/^The connection to/) }],
		['refuses', { httpCode: '401' }],
	] as const)(
		'sends the file once more, and once only, when the key expires midway at a service that %s it',
		async (manner, error) => {
			const { binary, sha256 } = await recording();
			const expire = () => service.control.expireUserKeys();
			const front = await startFront(manner, 1, expire);
			await uploadWith(front.credential, binary);
			expect(outcome()).toMatchObject({ contents: [sha256], attempts: 1 });
			expect(front.uploads()).toBe(2);

			const again = await startFront(manner, 3, expire);
			await expect(uploadWith(again.credential, binary)).rejects.toMatchObject(error);
			expect(again.uploads()).toBe(2);
			expect(outcome().contents).toEqual([sha256]);
		},
	);

	it('gives the reason after one attempt when an expired key cannot be renewed', async () => {
		const { binary } = await recording();
		const front = await startFront('refuses', 1);
		// The key is good enough for the check, and only the upload asks for another.
		await runner(() => front.credential)('proposal.get', { proposalId });
		service.control.failNext({ operationId: 'authentication.exchangeKey', status: 401 });
		await expect(uploadWith(front.credential, binary)).rejects.toThrow(
			'Portal.io refused the login: Injected by a test.',
		);
		expect(front.uploads()).toBe(1);
	});
});

it('names a connection that broke half-way through an upload, without a second attempt', async () => {
	const { binary } = await recording();
	const front = await startFront('breaks', 1);
	const error = await uploadWith(front.credential, binary).catch((thrown: Error) => thrown);
	expect(error).toMatchObject({
		message: expect.stringMatching(
			/^The connection to Portal\.io broke after about \d+ % of the file$/,
		),
		description: expect.stringMatching(
			/^Portal\.io did not store any content\..*\nUpload it again/s,
		),
	});
	expect(JSON.stringify(error)).not.toContain(front.credential.data.userApiKey);
	expect(front.uploads()).toBe(1);
	expect(outcome()).toMatchObject({ contents: [], attempts: 0 });
});

it('says to look when a connection broke after the whole file, without a second attempt', async () => {
	const { binary } = await recording();
	// Not even with a key that has expired: the service may have asked for it at the beginning.
	const front = await startFront('hangs up', 1, () => service.control.expireUserKeys());
	await expect(uploadWith(front.credential, binary)).rejects.toMatchObject({
		message: 'Portal.io did not respond after the whole file was sent',
		description: expect.stringMatching(/^Portal\.io may have received the file\. Check with/),
	});
	expect(front.uploads()).toBe(1);
});

describe('an upload', () => {
	it('ends an upload at once when the execution is stopped, with nothing after it', async () => {
		const { binary } = await recording();
		const stop = new AbortController();
		next.halfWay = () => stop.abort();
		const stopped = execute({
			credential,
			parameters: { resource: 'aiContent', operation: 'upload', proposalId },
			inputs: [1, 2].map(() => ({ json: {}, binary: { data: binary } })),
			continueOnFail: true,
			signal: stop.signal,
		});
		await expect(stopped).rejects.toThrow('The execution was stopped during the upload');
		expect(outcome()).toMatchObject({ contents: [], attempts: 1 });
		expect(opened).toHaveLength(1);
	});

	it.each([
		['larger', 'shorter'],
		['smaller', 'longer'],
	] as const)('uploads a file that the store takes for %s', async (mode, message) => {
		// Large enough that it is found out in the middle, and not before there is a connection.
		const { binary } = await recording(mode);
		await expect(uploadWith(credential, binary)).rejects.toMatchObject({
			message: 'n8n could not read the whole file',
			description: expect.stringContaining(message),
		});
		expect(outcome()).toMatchObject({ contents: [], attempts: 1 });
	});
});

it('takes a success that comes before the whole file was sent as none', async () => {
	const { binary } = await recording();
	const front = await startFront('takes early', 9);
	await expect(uploadWith(front.credential, binary)).rejects.toMatchObject({
		message: 'Unexpected response: it came before the whole file was sent',
		description: expect.stringContaining('Portal.io may have received the file'),
	});
	expect(front.uploads()).toBe(1);
});

/**
 * A server before the simulator that treats the first uploads badly, and hands on everything else: it
 * breaks the connection after a part, reads it all and hangs up, answers that the key is not valid, or
 * answers with success at once.
 */
async function startFront(
	manner: 'breaks' | 'hangs up' | 'refuses' | 'takes early',
	times: number,
	first?: () => void,
) {
	let uploads = 0;
	const server = createServer((incoming, response) => {
		const { method, url, headers, socket } = incoming;
		if (method === 'POST' && ++uploads <= times) {
			if (manner === 'takes early') {
				response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 8 });
				response.write('{"id":1}');
				return;
			}
			let received = 0;
			incoming.on('data', (piece: Buffer) => {
				received += piece.length;
				if (manner !== 'breaks' || received < 5 * MB) return;
				first?.();
				socket.resetAndDestroy();
			});
			incoming.on('end', () => {
				first?.();
				if (manner === 'hangs up') return socket.resetAndDestroy();
				const refusal = { errorCode: 'Unauthorized', message: 'You are not authorized.' };
				response.writeHead(401, { 'Content-Type': 'application/json' });
				return response.end(JSON.stringify(refusal));
			});
			return;
		}
		const { port } = service.simulator;
		const onward = forward({ host: '127.0.0.1', port, method, path: url, headers });
		onward.on('response', (answer) => {
			response.writeHead(answer.statusCode!, answer.headers);
			answer.pipe(response);
		});
		incoming.pipe(onward);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	return {
		uploads: () => uploads,
		credential: service.credential('dealer', { baseUrl: `http://127.0.0.1:${port}` }),
	};
}
