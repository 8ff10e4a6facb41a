/** Provides files in each of n8n's binary modes, and large files that are generated while they are read. */
import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { seed } from '../../dev/simulator/index.mts';
// Import this before n8n-core is loaded, because it also sets n8n's folder for files.
import { execute, type Run, type StoredCredential } from '../../dev/testbed/nodeRunner.mts';

const load = createRequire(import.meta.url);
const core = load('n8n-core') as typeof import('n8n-core');
// Use n8n-core's own container, because another copy would not have its services.
const { Container } = createRequire(load.resolve('n8n-core'))('@n8n/di') as {
	Container: { get<T>(type: new (...args: never[]) => T): T };
};

/** n8n's own modes, and stores that report no size for a file (`unsized`) or a size that is too large (`larger`). */
export type BinaryMode = 'memory' | 'filesystem' | 'database' | 'unsized' | 'larger';

export const opened: Readable[] = [];

/** Functions that run once, when a file is opened or half of it has been read. */
export const next: { opened?: () => unknown; halfWay?: () => unknown } = {};

interface Manager {
	getAsBuffer(id: string): Promise<Buffer>;
	getAsStream(id: string, chunkSize?: number): Promise<Readable>;
	getMetadata(id: string): Promise<{ fileSize?: number }>;
}

const service = Container.get(core.BinaryDataService);
await service.init();
const { managers } = service as unknown as { managers: Record<string, Manager> };
const filesystem = managers['filesystem-v2']!;
const open = filesystem.getAsStream.bind(filesystem);

const like = (manager: Partial<Manager>): Manager =>
	Object.assign(Object.create(filesystem), manager);

function watch(file: Readable): Readable {
	opened.push(file);
	next.opened?.();
	next.opened = undefined;
	return file;
}

async function* withHalfWay(file: Readable, bytes: number) {
	let read = 0;
	for await (const piece of file) {
		yield piece;
		read += piece.length;
		if (read * 2 < bytes) continue;
		next.halfWay?.();
		next.halfWay = undefined;
	}
}

filesystem.getAsStream = async (id, chunkSize) => {
	const file = await open(id, chunkSize);
	if (next.halfWay === undefined) return watch(file);
	const { fileSize } = await filesystem.getMetadata(id);
	return watch(Readable.from(withHalfWay(file, fileSize!), { objectMode: false }));
};
/** Reads the whole file in one piece (docs/dev/n8n-internals.md#where-files-are). */
managers.database = like({
	getAsStream: async (id) => watch(Readable.from(await filesystem.getAsBuffer(id))),
});
managers.unsized = like({ getMetadata: async () => ({}) });
managers.larger = like({ getMetadata: async () => ({ fileSize: 50_000_000 }) });

const location = { type: 'execution', workflowId: 'workflow', executionId: 'wire' };

export async function store(
	content: Buffer | Iterable<Buffer>,
	facts: Partial<IBinaryData>,
	mode: BinaryMode = 'filesystem',
): Promise<IBinaryData> {
	const binary: IBinaryData = { mimeType: 'application/octet-stream', data: '', ...facts };
	if (mode === 'memory') {
		const buffer = content as Buffer;
		return { ...binary, data: buffer.toString('base64'), bytes: buffer.length };
	}
	// Pass the content unchanged, because `writeFile` accepts an iterable as well as n8n's streams.
	const stored = await service.store(location as never, content as never, binary);
	const [, file] = stored.id!.split(':');
	return { ...stored, id: `${mode === 'filesystem' ? 'filesystem-v2' : mode}:${file}` };
}

/** Creates a file as n8n's nodes do, with a name without a known extension and possibly with a type. */
export const prepareFile = async (content: Buffer, name: string, mimeType?: string) =>
	await core
		.getBinaryHelperFunctions({ executionId: 'wire' } as never, 'workflow')
		.prepareBinaryData(content, name, mimeType);

/** Generates a file of any size while it is read, in one reused buffer. All chunks differ. */
export function madeUp(bytes: number): { content: Iterable<Buffer>; sha256: () => string } {
	const hash = createHash('sha256');
	const buffer = randomBytes(1024 * 1024);
	function* pieces() {
		for (let at = 0; at < bytes; at += buffer.length) {
			buffer.writeUInt32LE(at);
			const piece = buffer.subarray(0, bytes - at);
			hash.update(piece);
			yield piece;
		}
	}
	return { content: pieces(), sha256: () => hash.digest('hex') };
}

export async function removeFiles(): Promise<void> {
	await service.deleteMany([location as never]);
}

/** Runs one upload and returns its output. By default, uploads to an empty draft. */
export async function uploadWith(
	credential: StoredCredential,
	binary: IBinaryData,
	parameters: IDataObject = {},
	run: Partial<Run> = {},
): Promise<IDataObject> {
	const byDefault = { proposalId: seed.proposals.empty, binaryPropertyName: 'data' };
	const [output] = await execute({
		credential,
		operation: 'aiContent.upload',
		parameters: {
			...byDefault,
			...parameters,
		},
		inputs: [
			{
				json: {},
				binary: { data: binary },
			},
		],
		...run,
	});
	return output!.json;
}
