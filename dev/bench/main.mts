/**
 * Implements `npm run bench`, which measures the cost of this package in n8n, compared with n8n's own nodes.
 * Both run alternately, because a machine's speed varies. Requires Linux, because it reads /proc, and 5 GB of disk.
 * Takes about ten minutes. Prints each result above the previous one in docs/dev/benchmarks.md.
 *
 * - `--quick`: performs fewer runs, in two to three minutes
 * - `--only reads,refreshes,parts,deliveries,polls,upload`: runs only these comparisons
 * - `--report`: writes docs/dev/benchmarks.md
 */
import { Eta } from 'eta';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import {
	buildBenchEnvironment,
	compare,
	type BenchEnvironment,
	type Comparison,
	type Figures,
	type Pair,
} from './compare.mts';
import { deliveries, partsList, polls, reads, refreshes, upload } from './pairs.mts';

interface Part {
	prepare(environment: BenchEnvironment): Promise<Pair>;
	whole: [count: number, rounds: number];
	quick: [count: number, rounds: number];
	/** Whether to measure again with an expression sandbox that n8n creates only for executions with expressions. */
	isLazyToo?: true;
}

const PARTS: Record<string, Part> = {
	reads: { prepare: reads, whole: [1000, 3], quick: [300, 1] },
	refreshes: { prepare: refreshes, whole: [200, 3], quick: [100, 1] },
	parts: { prepare: partsList, whole: [500, 1], quick: [100, 1] },
	deliveries: { prepare: deliveries, whole: [1000, 5], quick: [300, 1], isLazyToo: true },
	polls: { prepare: polls, whole: [10, 3], quick: [5, 1], isLazyToo: true },
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
const linesBefore = (await readFile(page, 'utf8')).split('\n');
const rows: string[] = [];
const perSecond: Record<string, number> = {};
const environment = await buildBenchEnvironment();
const version = await environment.n8n.rest<{ versionCli: string }>('GET', '/settings');
try {
	for (const name of names) {
		const { prepare, whole, quick, isLazyToo } = PARTS[name]!;
		const pair = await prepare(environment);
		const settings = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
		const lazy = { ...pair, name: `${pair.name}, lazy`, settings };
		for (const one of isLazyToo && !options.quick ? [pair, lazy] : [pair]) {
			const comparison = await compare(environment, one, options.quick ? quick : whole);
			perSecond[one.name] = Math.round(comparison.count / comparison.ours.seconds);
			const row = formatRow(comparison);
			rows.push(row);
			console.log(row);
			const before = linesBefore.find((line) => line.startsWith(`| ${one.name} |`));
			if (before) console.log(`${before} (on the page)`);
		}
	}
} finally {
	await environment.stop();
}
if (options.report) await writeFile(page, report());
process.exit();

function formatRow({ name, count, ours, theirs, requests }: Comparison): string {
	const each = ({ processor }: Figures) => ((1000 * processor) / count).toFixed(2);
	const cells = [
		name,
		count,
		requests.join(' / '),
		`${each(ours)} / ${each(theirs)}`,
		(ours.processor / theirs.processor).toFixed(2),
		(theirs.seconds / ours.seconds).toFixed(2),
		`${ours.peak.toFixed(0)} / ${theirs.peak.toFixed(0)}`,
	];
	return `| ${cells.join(' | ')} |`;
}

function report(): string {
	const eta = new Eta({ views: import.meta.dirname, autoEscape: false });
	return eta.render('./page', {
		rows,
		perSecond,
		n8n: version.versionCli,
		node: process.version,
		linux: release(),
		date: new Date().toISOString().slice(0, 10),
		processors: `${cpus().length} × ${cpus()[0]!.model}`,
		memory: (totalmem() / 1024 ** 3).toFixed(0),
	});
}
