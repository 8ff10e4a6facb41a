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

const deliveriesNote = `1,000 events, each signed for itself, ten at a time; both answer once n8n has stored the execution. By default n8n makes a sandbox for
expressions for every execution and another for a delivery; with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\` it makes one *when needed*. That, and not
the check of the signature, is most of the difference ([details](n8n-internals.md#speed)).`;

const uploadNote = `One file through the whole of n8n, beside curl sending the same body: the same simulator, in a process of its own. What is sent lies in
memory for all of them, so that no disk is measured. Each round has an n8n that was just started. The file is read a mebibyte at a time:
with smaller reads the node is slower, 1.26 times the HTTP Request node at 256 KiB and 1.39 times at 512 KiB.`;

/** A part of the benchmark: measures, notes the figures in `results`, gives a section in Markdown. */
type Part = (stage: BenchStage) => Promise<string>;

const parts: Record<string, Part> = {
	async signing(stage) {
		const values = await benchSigning(stage);
		results.signingVsHash = median(values);
		return `### Signing\n\nSigning a request takes ${show(values)} times as long as the one HMAC-SHA256 in it.`;
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
		return `### Memory of 10,000 inputs\n\nThe results alone take ${alone.toFixed(0)} MiB. Above them, no more than ${most.toFixed(1)} MiB were held at any time.`;
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

What \`npm run bench -- --report\` wrote on ${date}, on a virtual machine with ${cpus().length} × ${processor!.model}, ${memory} GiB,
Linux ${release()}, Node.js ${process.version}, n8n ${stage.n8nVersion}; rounds: ${rounds}. All ways take turns in one run, against the same
simulator on the same machine, which answers at once or after the latency that is added. n8n and the simulator share the processors: so
believe the ratios, and not the absolute figures.

- *Peak memory* is that of n8n's process, started anew before each way and warmed up by one run of 1,000 reads. The bare client is a process
  of its own.
- *Processor time* is that of all threads of n8n's process for the whole execution, its ${'`'}Webhook${'`'} and ${'`'}Split Out${'`'} nodes included; in the
  ratios that part, measured by itself, is taken off.
- The *HTTP Request node* sends all requests at once, page after page in a list. *By hand* (an expression, n8n's Crypto node, the HTTP Request
  node) is given the user key and the number of pages, which it cannot find out by itself, and renews and repeats nothing.
- The *list*: the simulator takes some 80 ms for a page of 500, whoever asks, so more of it than of the clients is measured there.
- The *floor*, speed 1, is Node's own HTTP client with ten connections and requests that were signed beforehand.

${text}
`;
}
