/**
 * `npm run bench`: what this package takes of n8n, beside n8n's own nodes that do the same, in turns, since a
 * machine's own speed drifts. Needs Linux (it reads /proc) and 5 GB of disk; takes about ten minutes.
 *
 * - `--quick`: fewer of each, in two to three minutes, beside the figures of the page
 * - `--only reads,refreshes,parts,deliveries,polls,upload`: some of it
 * - `--report`: writes docs/dev/benchmarks.md
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import {
	buildBenchEnvironment,
	compare,
	type BenchEnvironment,
	type Pair,
} from './environment.mts';
import type { Comparison, Figures } from './measure.mts';
import { partsList, reads, refreshes } from './requests.mts';
import { deliveries, LAZY, polls } from './triggers.mts';
import { upload } from './upload.mts';

/** What is compared, and how many of it in how many rounds: as a whole, and quickly. */
interface Part {
	prepare(environment: BenchEnvironment): Promise<Pair>;
	whole: [count: number, rounds: number];
	quick: [count: number, rounds: number];
	/** Once more with these settings, as a whole. */
	again?: Record<string, string>;
}

const PARTS: Record<string, Part> = {
	reads: { prepare: reads, whole: [1000, 3], quick: [300, 1] },
	refreshes: { prepare: refreshes, whole: [200, 3], quick: [100, 1] },
	parts: { prepare: partsList, whole: [500, 1], quick: [100, 1] },
	deliveries: { prepare: deliveries, whole: [1000, 5], quick: [300, 1], again: LAZY },
	polls: { prepare: polls, whole: [10, 3], quick: [5, 1], again: LAZY },
	upload: { prepare: upload, whole: [1024, 3], quick: [100, 1] },
};

const { values: options } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		only: { type: 'string' },
		report: { type: 'boolean', default: false },
	},
});
const names = options.only?.split(',') ?? Object.keys(PARTS);
const unknown = names.find((name) => PARTS[name] === undefined);
if (unknown) throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}, not ${unknown}`);

const page = new URL('../../docs/dev/benchmarks.md', import.meta.url);
const before = await readFile(page, 'utf8').catch(() => '');
const rows: string[] = [];
const environment = await buildBenchEnvironment();
const version = await environment.n8n.rest<{ versionCli: string }>('GET', '/settings');
try {
	for (const name of names) {
		const { prepare, whole, quick, again } = PARTS[name]!;
		const pairs = [await prepare(environment)];
		if (again && !options.quick)
			pairs.push({ ...pairs[0]!, name: `${pairs[0]!.name}, lazy`, settings: again });
		for (const pair of pairs) {
			const row = rowOf(await compare(environment, pair, options.quick ? quick : whole));
			rows.push(row);
			console.log(`${row}${earlier(pair.name)}`);
		}
	}
} finally {
	await environment.stop();
}
if (options.report) await writeFile(page, report());
process.exit();

/** The line of the page for the same, to look at beside it. */
function earlier(name: string): string {
	const line = before.split('\n').find((one) => one.startsWith(`| ${name} |`));
	return line ? `\n${line} (on the page)` : '';
}

function rowOf({ name, count, ours, theirs, requests }: Comparison): string {
	const each = ({ processor }: Figures) => ((1000 * processor) / count).toFixed(2);
	const speed = theirs.seconds / ours.seconds;
	const cells = [
		name,
		count,
		requests.join(' / '),
		`${each(ours)} / ${each(theirs)}`,
		(ours.processor / theirs.processor).toFixed(2),
		speed.toFixed(2),
		`${ours.peak.toFixed(0)} / ${theirs.peak.toFixed(0)}`,
	];
	return `| ${cells.join(' | ')} |`;
}

function report(): string {
	const [processor] = cpus();
	const memory = (totalmem() / 1024 ** 3).toFixed(0);
	return `# Benchmarks

Written by \`npm run bench -- --report\` on ${new Date().toISOString().slice(0, 10)}, on a virtual machine with ${cpus().length} × ${processor!.model}, ${memory} GiB,
Linux ${release()}, Node.js ${process.version}, n8n ${version.versionCli}. This package and n8n's own nodes take turns, against a simulator on the same machine, which
shares the processors with n8n: rely on the ratios, not on the absolute figures.

| | count | requests | processor time each, ms | ratio | speed | peak memory, MiB |
|---|--:|--:|--:|--:|--:|--:|
${rows.join('\n')}

Of two figures, the first is that of this package. *Ratio* is its processor time in units of the other, less being better, and *speed* how many times as fast it is.
All is that of n8n's whole process.

- *Reads*, *cost refreshes*, *parts list*: beside n8n's HTTP Request node with the same credential, which sends all requests at once. Portal.io takes 20 ms for a read, and 100 ms for a refresh.
  The parts list goes into 20 new areas, and the models are looked up; the HTTP Request node is given the IDs.
- *Deliveries*: beside n8n's Webhook node. Events with a signature each, ten in parallel; both respond once n8n has stored the execution.
- *Polls* that find nothing, once a second, with what n8n does meanwhile: beside a *Schedule Trigger* with an HTTP Request node.
- *Lazy*: with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`. Without it, n8n creates a sandbox for expressions for every execution, and another one for every delivery and poll of a node that is
  not its own ([details](n8n-internals.md#speed)).
- *Upload*: a file of so many MiB, beside the HTTP Request node. n8n is restarted for each round; the seconds are those of the step.
`;
}
