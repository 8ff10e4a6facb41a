/** A recording through the upload operation, beside n8n's HTTP Request node with the same file. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from '../simulator/index.mts';
import { byId, createChain, manualStart, portal, type Part } from '../testbed/workflowBuilder.mts';
import { httpRequest, type BenchEnvironment, type Pair } from './environment.mts';
import type { Client } from './measure.mts';

/** A file of so many MiB. The seconds are those of the step that sends it. */
export async function upload(environment: BenchEnvironment): Promise<Pair> {
	const { n8n, simulator } = environment;
	const proposalId = seed.proposals.empty;
	const node = portal({
		resource: 'aiContent',
		operation: 'upload',
		proposalId: byId(String(proposalId)),
	});
	const http = httpRequest({
		method: 'POST',
		url: `${simulator.url}/public/api/proposals/${proposalId}/ai/content`,
		sendBody: true,
		contentType: 'multipart-form-data',
		bodyParameters: {
			parameters: [
				{ parameterType: 'formData', name: 'name', value: 'Walk' },
				{ parameterType: 'formBinaryData', name: 'Walk.wav', inputDataFieldName: 'data' },
			],
		},
	});
	const client =
		(part: Part): Client =>
		async (mebibytes, measured) => {
			const file = join(n8n.filesFolder, `${mebibytes}.wav`);
			await writeFile(file, pieces(mebibytes));
			const readFile: Part = {
				name: 'Read File',
				type: 'n8n-nodes-base.readWriteFile',
				typeVersion: 1.1,
				parameters: { fileSelector: file, options: {} },
			};
			const parts = [manualStart, readFile, { ...part, name: 'Upload' }];
			const workflow = await createChain(environment, 'Benchmark', parts);
			let seconds = 0;
			const figures = await measured(async () => {
				const { status, error, runs } = await n8n.runManually(workflow, manualStart.name);
				if (status !== 'success') throw new Error(JSON.stringify(error));
				const [run] = runs.Upload as object as [{ executionTime: number }];
				seconds = run.executionTime / 1000;
			});
			return { ...figures, seconds };
		};
	return { name: 'upload', ours: client(node), theirs: client(http), isAlone: true };
}

/** Pieces of a mebibyte each, nowhere the same twice. */
function* pieces(count: number): Generator<Buffer> {
	for (let index = 0; index < count; index++) yield randomBytes(2 ** 20);
}
