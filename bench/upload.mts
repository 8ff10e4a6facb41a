/**
 * `node bench/upload.mts [MiB]`: a recording of 1 GB through the upload node in a real n8n, beside curl
 * sending the same body to the same simulator, and n8n's own HTTP Request node sending the same file.
 *
 * Ratios of one run only, since the machine's own speed drifts. Needs Linux (it reads /proc), curl
 * (Debian: `apt-get install curl`), the built package, the demo's n8n, and 10 GB of disk.
 */
import { execFile } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { createReadStream, createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { installN8n } from '../demo/install.mts';
import { installPackage } from '../demo/installPackage.mts';
import {
	startN8n,
	type StoredCredential as N8nCredential,
	type WorkflowNode,
} from '../demo/n8n.mts';
import { makeRunFolder } from '../demo/runs.mts';
import { credentialData } from '../demo/stage.mts';
import { seed, startSimulator } from '../simulator/index.mts';
import { sign, StoredCredential } from '../test/wire/harness.mts';

const load = createRequire(import.meta.url);
const { multipart } = load('../dist/service/multipart.js');
const { planChunks } = load('../dist/service/chunks.js');

const MiB = 1024 * 1024;
const ROUNDS = 3;
const bytes = Number(process.argv[2] ?? 1024) * MiB;
const proposalId = seed.proposals.empty;
const uploadPath = `/public/api/proposals/${proposalId}/ai/content`;

await installN8n();
const folder = await makeRunFolder();
const simulator = await startSimulator({
	// The HTTP Request node can send a file in one piece only.
	uploadLimits: { single: 1024 * MiB, total: 1024 * MiB, minChunk: 5 * MiB },
});
await installPackage(folder.path);
const n8n = await startN8n({ folder: folder.path });
try {
	await compare();
} finally {
	await n8n.stop();
	await simulator.stop();
	await folder.discard();
}
process.exit();

async function compare() {
	const file = join(n8n.filesFolder, 'Walk.wav');
	const piece = Buffer.alloc(MiB);
	const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16, 2));
	const made = Readable.from(Array.from({ length: bytes / MiB }, () => piece)).map((one: Buffer) =>
		cipher.update(one),
	);
	await pipeline(made, createWriteStream(file));
	const credential = await n8n.createCredential(
		'Portal.io',
		'portalIoApi',
		credentialData(simulator),
	);
	await writeFile(join(n8n.filesFolder, 'small.wav'), piece);
	const curl = await prepareCurl(file);
	const runs = {
		'without upload': await workflow('Walk.wav', credential),
		'upload node': await workflow('Walk.wav', credential, uploadNode()),
		'HTTP Request node': await workflow('Walk.wav', credential, httpRequestNode()),
	};
	const small = await workflow('small.wav', credential, uploadNode());

	const seconds: Record<string, number[]> = { curl: [] };
	const peaks: Record<string, number[]> = {};
	for (let round = 0; round <= ROUNDS; round++) {
		for (const [name, run] of Object.entries(runs)) {
			const { upload, peak } = await measure(run, small);
			// The first round warms everything up.
			if (round === 0) continue;
			(seconds[name] ??= []).push(upload);
			(peaks[name] ??= []).push(peak);
		}
		const time = await curl();
		if (round > 0) seconds.curl!.push(time);
	}

	const show = (values: number[], digits: number) =>
		`${median(values).toFixed(digits)} (${values.map((value) => value.toFixed(digits)).join(', ')})`;
	const against = (name: string, other: string) =>
		show(
			seconds[name]!.map((value, round) => seconds[other]![round]! / value),
			2,
		);
	const above = (name: string) =>
		show(
			peaks[name]!.map((value, round) => value - peaks['without upload']![round]!),
			0,
		);
	console.log(`${bytes / MiB} MiB, medians of ${ROUNDS} rounds, each round in brackets`);
	console.log('throughput of the upload node / of curl:', against('upload node', 'curl'));
	console.log(
		'throughput of the HTTP Request node / of curl:',
		against('HTTP Request node', 'curl'),
	);
	console.log(
		'peak memory of the same execution without upload, MiB:',
		show(peaks['without upload']!, 0),
	);
	console.log('peak memory with the upload node above that, MiB:', above('upload node'));
	console.log(
		'peak memory with the HTTP Request node above that, MiB:',
		above('HTTP Request node'),
	);
}

/** A workflow that reads the file into n8n's binary store and, perhaps, uploads it. */
async function workflow(file: string, credential: N8nCredential, upload?: Partial<WorkflowNode>) {
	const parts: Partial<WorkflowNode>[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{
			name: 'Read File',
			type: 'n8n-nodes-base.readWriteFile',
			typeVersion: 1.1,
			parameters: { fileSelector: join(n8n.filesFolder, file), options: {} },
		},
	];
	if (upload) {
		const { id, name: called, type } = credential;
		parts.push({ name: 'Upload', ...upload, credentials: { [type]: { id, name: called } } });
	}
	const nodes = parts.map((part, index) => ({
		id: String(index),
		position: [index * 220, 0],
		...part,
	})) as WorkflowNode[];
	const links = nodes
		.slice(1)
		.map((node, index) => [
			nodes[index]!.name,
			{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
		]);
	return await n8n.createWorkflow({ name: file, nodes, connections: Object.fromEntries(links) });
}

function uploadNode(): Partial<WorkflowNode> {
	return {
		type: 'n8n-nodes-portal-io.portalIo',
		typeVersion: 1,
		parameters: {
			resource: 'aiContent',
			operation: 'upload',
			proposalId: { __rl: true, mode: 'id', value: String(proposalId) },
		},
	};
}

function httpRequestNode(): Partial<WorkflowNode> {
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${simulator.url}${uploadPath}`,
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
	};
}

/**
 * Runs a workflow once: seconds that its upload took, and peak memory of n8n's process in MiB. Each
 * time in a new process, since what one execution has taken from the system stays with it for the next;
 * and after a small upload, so that n8n has loaded whatever it loads only once.
 */
async function measure(run: { id: string }, small: { id: string }) {
	await n8n.restart();
	await n8n.runManually(small, 'Start');
	const status = `/proc/${n8nProcess()}/status`;
	let peak = 0;
	const sampling = setInterval(() => {
		const [, now] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))!;
		peak = Math.max(peak, Number(now) / 1024);
	}, 10);
	const execution = await n8n.runManually(run, 'Start');
	clearInterval(sampling);
	if (execution.status !== 'success') throw new Error(JSON.stringify(execution.error));
	const uploaded = execution.runs.Upload?.[0] as object as { executionTime: number } | undefined;
	await n8n.rest('POST', '/executions/delete', { ids: [String(execution.id)] });
	return { upload: (uploaded?.executionTime ?? 0) / 1000, peak };
}

/** The process of n8n among those that this one has started. */
function n8nProcess(): number {
	const children = readdirSync('/proc/self/task').flatMap((task) =>
		readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
	);
	const isN8n = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/bin/n8n');
	return Number(children.find(isN8n));
}

/** Writes the body that the node sends into a file, and gives a way to have curl send it. */
async function prepareCurl(file: string): Promise<() => Promise<number>> {
	const sizes: number[] = planChunks(bytes);
	const form = multipart(
		{ name: 'Walk.wav', proposalId: String(proposalId), totalChunks: String(sizes.length) },
		sizes.map((size, index) => ({ name: `Walk.wav.part${index + 1}`, bytes: size })),
	);
	const bodyFile = join(folder.path, 'body');
	await pipeline(
		form.frame(createReadStream(file, { highWaterMark: MiB })),
		createWriteStream(bodyFile),
	);
	const credential = new StoredCredential(credentialData(simulator));
	return async () => {
		const { url, headers } = await sign(credential, {
			method: 'POST',
			url: `${uploadPath}?isMultiChunkUpload=true`,
			headers: { 'Content-Type': form.contentType },
			body: 'the body does not count',
		});
		const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
		// Not the synchronous way: the simulator that answers runs in this process.
		const { stdout: output } = await promisify(execFile)('curl', [
			'-sS',
			'-X',
			'POST',
			'-T',
			bodyFile,
			'-H',
			'Expect:',
			...fields,
			'-w',
			'\n%{time_total} %{http_code}',
			url,
		]);
		const [, time, status] = /\n([\d.]+) (\d+)$/.exec(output)!;
		if (status !== '200') throw new Error(output);
		return Number(time);
	};
}

function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
