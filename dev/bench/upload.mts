/**
 * A recording of 1 GB through the upload node in a real n8n, beside curl sending the same body to the
 * same simulator, and n8n's own HTTP Request node sending the same file. Needs 6 GB of memory or disk.
 */
import { execa } from 'execa';
import { fork } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { statfs, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeRunFolder, type RunFolder } from '../testbed/tempFolder.mts';
import { credentialData } from '../testbed/environment.mts';
import { seed } from '../simulator/index.mts';
import { sign, StoredCredential } from '../testbed/nodeRunner.mts';
import {
	median,
	ratios,
	show,
	untilIdle,
	watchMemory,
	type PartResults,
	type Say,
} from './figures.mts';
import { byId, createChain, manualStart, portal, type Part } from '../testbed/workflowBuilder.mts';
import type { BenchEnvironment } from './environment.mts';

const load = createRequire(import.meta.url);
const { multipart } = load('../../dist/client/uploadBody.js');
const { planChunks } = load('../../dist/nodes/PortalIo/resources/aiContent/chunks.js');

const MiB = 1024 * 1024;
const proposalId = seed.proposals.empty;
const uploadPath = `/public/api/proposals/${proposalId}/ai/content`;

const NOTE = `One file sent through n8n, compared with curl sending the same body to the same simulator, which is a separate process. The file is in memory for
all of them, so that no disk is measured. n8n is restarted for each round.`;

/** Where the uploads go to. */
type UploadStage = Pick<BenchEnvironment, 'n8n' | 'credential' | 'account'> & {
	url: string;
	/** For what n8n stores, and for the body that curl sends. */
	store: RunFolder;
};

/**
 * A folder in memory, if there is one with as much room: n8n uploads what it has just written, and
 * curl what has long been on the disk, which would work for n8n alone meanwhile.
 */
async function inMemory(bytes: number): Promise<string | undefined> {
	const folder = '/dev/shm';
	const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
	return bavail * bsize > bytes ? folder : undefined;
}

/** Each way in turn, round by round, with a file of so many MiB. */
export async function benchUpload(
	environment: BenchEnvironment,
	say: Say,
	{ rounds, mebibytes }: { rounds: number; mebibytes: number },
): Promise<PartResults> {
	const service = fork(new URL('uploadService.mts', import.meta.url));
	const store = await makeRunFolder(await inMemory(5 * mebibytes * MiB));
	try {
		const [url] = (await once(service, 'message')) as [string];
		const data = credentialData({ url });
		const credential = await environment.n8n.createCredential('Uploads', 'portalIoApi', data);
		const account = new StoredCredential(data);
		return await compare(
			{ ...environment, url, credential, account, store },
			say,
			rounds,
			mebibytes,
		);
	} finally {
		service.kill();
		await store.discard();
	}
}

async function compare(
	environment: UploadStage,
	say: Say,
	rounds: number,
	mebibytes: number,
): Promise<PartResults> {
	const { filesFolder } = environment.n8n;
	const file = join(filesFolder, 'Walk.wav');
	await makeUp(file, mebibytes);
	await writeFile(join(filesFolder, 'small.wav'), Buffer.alloc(MiB));
	const curl = await prepareCurl(environment, file, mebibytes * MiB);
	const runs = {
		'without upload': await workflow(environment, 'Walk.wav'),
		'upload node': await workflow(environment, 'Walk.wav', uploadNode),
		'HTTP Request node': await workflow(environment, 'Walk.wav', httpRequestNode(environment)),
	};
	const small = await workflow(environment, 'small.wav', uploadNode);

	const seconds: Record<string, number[]> = { curl: [] };
	const peaks: Record<string, number[]> = {};
	for (let round = 0; round < rounds; round++) {
		for (const [name, run] of Object.entries(runs)) {
			const { upload, peak } = await measureUpload(environment, run, small);
			say(`${name}: ${upload.toFixed(2)} s, ${peak.toFixed(0)} MiB`);
			(seconds[name] ??= []).push(upload);
			(peaks[name] ??= []).push(peak);
		}
		const time = await curl();
		say(`curl: ${time.toFixed(2)} s`);
		seconds.curl!.push(time);
	}

	const against = (name: string) => ratios(seconds.curl!, seconds[name]!);
	const above = (name: string) =>
		peaks[name]!.map((value, round) => value - peaks['without upload']![round]!);
	const rows = ['upload node', 'HTTP Request node'].map(
		(name) => `| ${name} | ${show(against(name))} | ${show(above(name), 0)} |`,
	);
	const versus = ratios(seconds['HTTP Request node']!, seconds['upload node']!);
	return {
		section: [
			NOTE,
			'',
			`| ${mebibytes} MiB with | throughput / curl | peak memory above the same execution without upload, MiB |`,
			'|---|--:|--:|',
			...rows,
		].join('\n'),
		ratios: {
			'upload: throughput / HTTP Request node': median(versus),
			'upload: throughput / curl': median(against('upload node')),
			'upload: MiB above the same execution without it': median(above('upload node')),
		},
	};
}

/** Writes a file that is nowhere the same twice. */
async function makeUp(file: string, mebibytes: number): Promise<void> {
	const piece = Buffer.alloc(MiB);
	const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16, 2));
	const pieces = Array.from({ length: mebibytes }, () => piece);
	const made = Readable.from(pieces).map((one: Buffer) => cipher.update(one));
	await pipeline(made, createWriteStream(file));
}

/** A workflow that reads the file into n8n's binary store and, perhaps, uploads it. */
async function workflow(environment: UploadStage, file: string, upload?: Part) {
	const fileSelector = join(environment.n8n.filesFolder, file);
	return await createChain(environment, 'Benchmark', [
		manualStart,
		{
			name: 'Read File',
			type: 'n8n-nodes-base.readWriteFile',
			typeVersion: 1.1,
			parameters: { fileSelector, options: {} },
		},
		...(upload ? [upload] : []),
	]);
}

const uploadNode: Part = {
	...portal({
		resource: 'aiContent',
		operation: 'upload',
		proposalId: byId(String(proposalId)),
	}),
	name: 'Upload',
};

const httpRequestNode = ({ url }: UploadStage): Part => ({
	name: 'Upload',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url: `${url}${uploadPath}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'portalIoApi',
		sendBody: true,
		contentType: 'multipart-form-data',
		bodyParameters: {
			parameters: [
				{ parameterType: 'formData', name: 'name', value: 'Walk' },
				{ parameterType: 'formBinaryData', name: 'Walk.wav', inputDataFieldName: 'data' },
			],
		},
		options: {},
	},
});

/**
 * Runs a workflow once: seconds that its upload took, and peak memory of n8n's process in MiB. Each
 * time in a new process, since what one execution has taken from the system stays with it for the next;
 * and after a smaller upload, so that n8n has loaded and compiled whatever it does only once.
 */
async function measureUpload(
	{ n8n, store }: UploadStage,
	run: { id: string },
	small: { id: string },
) {
	await n8n.restart({ N8N_STORAGE_PATH: store.path });
	await n8n.runManually(small, 'Start');
	await untilIdle(n8n.pid);
	const peak = watchMemory(n8n.pid);
	const execution = await n8n.runManually(run, 'Start');
	if (execution.status !== 'success') throw new Error(JSON.stringify(execution.error));
	const uploaded = execution.runs.Upload?.[0] as object as { executionTime: number } | undefined;
	const figures = { upload: (uploaded?.executionTime ?? 0) / 1000, peak: peak() };
	await n8n.rest('POST', '/executions/delete', { ids: [String(execution.id)] });
	return figures;
}

/** Writes the body that the node sends into a file, and gives a way to have curl send it. */
async function prepareCurl(environment: UploadStage, file: string, bytes: number) {
	const sizes: number[] = planChunks(bytes);
	const form = multipart(
		{ name: 'Walk.wav', proposalId: String(proposalId), totalChunks: String(sizes.length) },
		sizes.map((size, index) => ({ name: `Walk.wav.part${index + 1}`, bytes: size })),
	);
	const bodyFile = join(environment.store.path, 'body');
	const content = createReadStream(file, { highWaterMark: MiB });
	await pipeline(form.frame(content), createWriteStream(bodyFile));
	return async (): Promise<number> => {
		const { url, headers } = await sign(environment.account, {
			method: 'POST',
			url: `${uploadPath}?isMultiChunkUpload=true`,
			headers: { 'Content-Type': form.contentType },
			body: 'the body does not count',
		});
		const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
		const { stdout } = await execa('curl', [
			...['-sS', '-X', 'POST', '-T', bodyFile, '-H', 'Expect:', ...fields],
			...['-w', '\n%{time_total} %{http_code}', url],
		]);
		const [, time, status] = /\n([\d.]+) (\d+)$/.exec(stdout)!;
		if (status !== '200') throw new Error(stdout);
		return Number(time);
	};
}
