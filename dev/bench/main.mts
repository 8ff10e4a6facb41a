/**
 * `npm run bench`: ratios, measured side by side in one run, since a machine's own speed drifts. Needs
 * Linux (it reads /proc), curl and 6 GB of memory or disk, and takes about ten minutes on a quiet machine.
 *
 * - `--quick`: what a change of a hot path could make worse, in about a minute, beside the page's figures
 * - `--only signing,requests,memory,deliveries,daily,upload`: a part of it
 * - `--report`: writes docs/benchmarks.md; with `--only`, what it has of the other parts stays
 */
import { execa } from 'execa';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchDailyWork } from './dailyWork.mts';
import { benchDeliveries } from './deliveries.mts';
import { median, type PartResults } from './figures.mts';
import type { InputsMemory } from './inputs.mts';
import { benchRequests } from './requests.mts';
import { benchSigning } from './signing.mts';
import { buildBenchEnvironment, type BenchEnvironment } from './environment.mts';
import { benchUpload } from './upload.mts';

const { values: options } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		only: { type: 'string' },
		report: { type: 'boolean', default: false },
	},
});
const say = (line: string) => console.error(line);
const page = new URL('../../docs/benchmarks.md', import.meta.url);

/** A part of the benchmark: its section of the page and its figures. */
type Part = (environment: BenchEnvironment) => Promise<PartResults>;

const whole: Record<string, Part> = {
	async signing(environment) {
		const values = await benchSigning(environment);
		return {
			section: `Signing a request takes ${median(values).toFixed(0)} times as long as the HMAC-SHA256 in it.`,
			ratios: { 'signing: time / HMAC-SHA256': median(values) },
		};
	},
	requests: (environment) =>
		benchRequests(environment, say, { count: 1000, rounds: 3, isWhole: true }),
	async memory() {
		const script = new URL('inputs.mts', import.meta.url).pathname;
		const { stdout } = await execa('node', ['--expose-gc', script]);
		const { results, most, mostWithRetry, timeWithRetry } = JSON.parse(stdout) as InputsMemory;
		return {
			section: `The results of 10,000 items take ${results.toFixed(0)} MiB. At no time did the node hold more than ${most.toFixed(1)} MiB in addition to them; with *Retry On Fail*, ${mostWithRetry.toFixed(1)} MiB, in ${timeWithRetry.toFixed(2)} times the processor time.`,
			ratios: { 'memory: MiB above the results of 10,000 items': most },
		};
	},
	deliveries: (environment) =>
		benchDeliveries(environment, say, { measured: 1000, between: 8000, withDefault: true }),
	daily: (environment) => benchDailyWork(environment, say),
	upload: (environment) => benchUpload(environment, say, { rounds: 3, mebibytes: 1024 }),
};
const quick: Record<string, Part> = {
	requests: (environment) =>
		benchRequests(environment, say, { count: 300, rounds: 1, isWhole: false }),
	deliveries: (environment) => benchDeliveries(environment, say, { measured: 300, between: 1500 }),
	upload: (environment) => benchUpload(environment, say, { rounds: 1, mebibytes: 100 }),
};

const parts = options.quick ? quick : whole;
const names = options.only?.split(',') ?? Object.keys(parts);
const unknown = names.find((name) => parts[name] === undefined);
if (unknown !== undefined) {
	throw new Error(`--only takes ${Object.keys(parts).join(', ')}, and not '${unknown}'`);
}
const before = await readFile(page, 'utf8').catch(() => '');
const sections: Record<string, string> = {};
const ratios: Record<string, number> = {};
const environment = await buildBenchEnvironment();
try {
	for (const name of names) {
		const results = await parts[name]!(environment);
		sections[name] = results.section;
		Object.assign(ratios, results.ratios);
	}
} finally {
	await environment.stop();
}
/** The figures of the page. */
const earlier = Object.fromEntries(
	[...before.matchAll(/^\| ([^|]+) \| (-?[\d.]+) \|$/gm)].map(([, name, value]) => [name!, value!]),
);
const figures = Object.entries(ratios).map(([name, value]) => {
	return { name, now: value.toFixed(2), page: earlier[name] ?? '' };
});
if (!options.quick) console.log(Object.values(sections).join('\n\n'));
console.table(figures);
if (options.report) await writeFile(page, report());
process.exit();

function report(): string {
	const now = Object.fromEntries(figures.map(({ name, now }) => [name, now]));
	const rows = Object.entries({ ...(options.only && earlier), ...now });
	const parts = Object.keys(whole).map((name) => {
		const title = `## ${name[0]!.toUpperCase()}${name.slice(1)}`;
		const [, old] = before.split(`${title}\n\n`);
		return `${title}\n\n${sections[name] ?? old?.split('\n\n## ')[0]!.trim()}`;
	});
	const [processor] = cpus();
	const date = new Date().toISOString().slice(0, 10);
	const memory = (totalmem() / 1024 ** 3).toFixed(0);
	return `# Benchmarks

Written by \`npm run bench -- --report\` on ${date}, on a virtual machine with ${cpus().length} × ${processor!.model}, ${memory} GiB,
Linux ${release()}, Node.js ${process.version}, n8n ${environment.n8nVersion}. All clients take turns in one run, against the same simulator on the same
machine, which shares the processors with n8n: rely on the ratios, not on the absolute figures. *Peak memory* is that of n8n's process.

| figure | measured |
|---|--:|
${rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}

${parts.join('\n\n')}
`;
}
