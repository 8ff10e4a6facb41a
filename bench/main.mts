/**
 * `npm run bench`: ratios, measured side by side in one run, since a machine's own speed drifts. Needs
 * Linux (it reads /proc), curl and 6 GB of memory or disk, and takes about half an hour on a quiet machine.
 *
 * - `--rounds N` (3): how often everything is measured; the medians are what counts
 * - `--only signing,requests,memory,deliveries,upload`: a part of it
 * - `--megabytes N` (1024): the file to upload
 * - `--json FILE`: writes the figures
 * - `--report`: writes docs/benchmarks.md
 */
import { execa } from 'execa';
import { writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchDeliveries } from './deliveries.mts';
import { median, show } from './figures.mts';
import type { InputsMemory } from './inputs.mts';
import { benchRequests } from './requests.mts';
import { benchSigning } from './signing.mts';
import { setBenchStage, type BenchStage } from './stage.mts';
import { benchUpload } from './upload.mts';

const { values: options } = parseArgs({
	options: {
		rounds: { type: 'string', default: '3' },
		only: { type: 'string', default: 'signing,requests,memory,deliveries,upload' },
		megabytes: { type: 'string', default: '1024' },
		json: { type: 'string' },
		report: { type: 'boolean', default: false },
	},
});
const rounds = Number(options.rounds);
const say = (line: string) => console.error(line);
const results: Record<string, number> = {};

const deliveriesNote = `1,000 events, each with its own signature, ten in parallel. Both nodes respond once n8n has stored the execution. By default, n8n creates a
sandbox for expressions for every execution and another one for every delivery; with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`, it creates one only
*when needed*. This makes most of the difference, not the check of the signature ([details](n8n-internals.md#speed)).`;

const uploadNote = `One file sent through n8n, compared with curl sending the same body to the same simulator, which is a separate process. The file is in memory for
all of them, so that no disk is measured. n8n is restarted for each round. The node reads the file 1 MiB at a time. With smaller reads it is
slower: 1.26 times the HTTP Request node at 256 KiB, and 1.39 times at 512 KiB.`;

/** A part of the benchmark: measures, notes the figures in `results`, gives a section in Markdown. */
type Part = (stage: BenchStage) => Promise<string>;

const parts: Record<string, Part> = {
	async signing(stage) {
		const values = await benchSigning(stage);
		results.signingVsHash = median(values);
		return `### Signing\n\nSigning a request takes ${show(values)} times as long as the HMAC-SHA256 in it.`;
	},
	async requests(stage) {
		const { table, ...figures } = await benchRequests(stage, rounds, say);
		Object.assign(results, figures);
		return `### Requests\n\n${table}`;
	},
	async memory() {
		const script = new URL('inputs.mts', import.meta.url).pathname;
		const { stdout } = await execa('node', ['--expose-gc', script]);
		const { results: alone, most } = JSON.parse(stdout) as InputsMemory;
		results.inputsMemoryMB = most;
		return `### Memory of 10,000 items\n\nThe results take ${alone.toFixed(0)} MiB. At no time did the node hold more than ${most.toFixed(1)} MiB in addition to them.`;
	},
	async deliveries(stage) {
		const { table, ...figures } = await benchDeliveries(stage, rounds, say);
		Object.assign(results, figures);
		return `### Deliveries\n\n${deliveriesNote}\n\n${table}`;
	},
	async upload(stage) {
		// At least five: a round may take twice as long.
		const least = Math.max(5, rounds);
		const { table, ...figures } = await benchUpload(stage, least, Number(options.megabytes), say);
		Object.assign(results, figures);
		return `### Upload\n\n${uploadNote}\n\n${table}`;
	},
};

const chosen = options.only.split(',').map((name) => {
	const part = parts[name];
	if (part) return part;
	throw new Error(`--only takes ${Object.keys(parts).join(', ')}, and not '${name}'`);
});
const stage = await setBenchStage();
const sections: string[] = [];
try {
	// The account outside n8n gets its user key.
	await stage.prepare();
	for (const part of chosen) sections.push(await part(stage));
} finally {
	await stage.stop();
}
const text = sections.join('\n\n');
console.log(`${text}\n\n${JSON.stringify(results, undefined, 2)}`);
if (options.json) await writeFile(options.json, `${JSON.stringify(results, undefined, 2)}\n`);
if (options.report) await writeFile(new URL('../docs/benchmarks.md', import.meta.url), report());
process.exit();

function report(): string {
	const [processor] = cpus();
	const date = new Date().toISOString().slice(0, 10);
	const memory = (totalmem() / 1024 ** 3).toFixed(0);
	return `# Benchmarks

Written by \`npm run bench -- --report\` on ${date}, on a virtual machine with ${cpus().length} × ${processor!.model}, ${memory} GiB,
Linux ${release()}, Node.js ${process.version}, n8n ${stage.n8nVersion}; rounds: ${rounds}. All clients take turns in one run, against the same
simulator on the same machine, which responds immediately or after an added latency. n8n and the simulator share the processors, so
rely on the ratios, not on the absolute figures.

- *Peak memory* is that of n8n's process, which is restarted before each measurement and warmed up with one run of 1,000 reads. The bare client
  is a separate process.
- *Processor time* is that of all threads of n8n's process for the whole execution, including its ${'`'}Webhook${'`'} and ${'`'}Split Out${'`'} nodes. The ratios
  leave out that part, which is measured separately.
- The *HTTP Request node* sends all requests at once, and the pages of a list one after the other. *By hand* (an expression, n8n's Crypto node, the
  HTTP Request node) gets the user key and the number of pages, which it cannot find out by itself. It does not renew keys or retry.
- The *list* measures the simulator more than the clients: a page of 500 takes it about 80 ms.
- The *floor*, speed 1, is Node.js's own HTTP client with ten connections and requests that are signed in advance.

${text}
`;
}
