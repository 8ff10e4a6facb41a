/**
 * Does the main job in another n8n than the demo's:
 *
 *   npm run compatibility -- 2.0.3 --node 22 --override @langchain/langgraph-checkpoint=1.0.0
 *
 * That n8n is installed with npm in a temporary folder (some minutes, 2 GB), the package as its
 * community package; then the same happens as in `npm run demo -- --check`.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkMainJob } from '../testbed/acceptedProposal/check.mts';
import { logTail, run } from '../testbed/processGroup.mts';
import { compileSqlite } from '../testbed/n8n/install.mts';
import { commandIn, type Installation } from '../testbed/n8n/process.mts';
import { startProgress } from '../testbed/progress.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';
import { buildEnvironment, type Environment } from '../testbed/environment.mts';
import { fitToOlder } from './olderN8n.mts';

const usage = `Usage: npm run compatibility -- <version of n8n> [options]

  --node <version>                 the Node that runs it, e.g. 22 (the one of this package)
  --before <date>                  packages as of that day (the day after this n8n was published)
  --override <package>=<version>   for what an older n8n leaves open and newer packages have broken
  --help                           show this text
`;

/**
 * linkedom: newer ones need a package that the registry may lack. xlsx: n8n 2.0 names a file on the
 * maker's own server; this is the same code in the registry, which n8n itself took later.
 */
const always = { linkedom: '0.18.12', xlsx: 'npm:@e965/xlsx@0.20.3' };

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		before: { type: 'string' },
		help: { type: 'boolean', default: false },
		node: { type: 'string' },
		override: { type: 'string', multiple: true, default: [] },
	},
});
const [version] = positionals;
if (values.help || !version) {
	console.error(usage);
	process.exit(values.help ? 0 : 2);
}

const step = startProgress();
const folder = await mkdtemp(join(tmpdir(), 'portal-io-compatibility-'));
const runFolder = await makeRunFolder();
let environment: Environment | undefined;
try {
	const installation = await install(version);
	const found = await run(installation.node, [installation.command, '--version'], { cwd: folder });
	const node = await run(installation.node, ['--version'], { cwd: folder });
	console.log(`  n8n ${found.trim()} under Node ${node.trim()}`);
	environment = await buildEnvironment({
		folder: runFolder.path,
		step,
		installation,
		fit: fitToOlder,
		scheduleSeconds: 5,
	});
	await checkMainJob(environment, (sentence) => console.log(`  ✓ ${sentence}`), {
		mayStoreMemory: true,
	});
	console.log(`\nThe main job works in n8n ${found.trim()} under Node ${node.trim()}.`);
} catch (error) {
	process.exitCode = 1;
	console.error(`\nThis went wrong: ${(error as Error).message}`);
	if (environment) console.error(`\nThe end of n8n's log:\n${logTail(environment.n8n.logs())}`);
} finally {
	await environment?.stop();
	await runFolder.discard();
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();

/** Installs that n8n and the Node for it. */
async function install(n8n: string): Promise<Installation> {
	const node = values.node ? await installNode(values.node) : process.execPath;
	const asked = values.override.map((one) => one.split('='));
	const overrides = { ...always, ...Object.fromEntries(asked) };
	await writeFile(
		join(folder, 'package.json'),
		JSON.stringify({ private: true, dependencies: { n8n }, overrides }),
	);
	const before = `--before=${values.before ?? (await dayAfter(n8n))}`;
	// As for the demo: of all install scripts n8n needs only the one that compiles SQLite.
	await step(`Install n8n ${n8n}`, () => npm(folder, before, '--ignore-scripts'));
	await step('Compile SQLite', () => compileSqlite(folder, { node }));
	return { command: commandIn(folder), node, settings: settings() };
}

/**
 * The day after an n8n was published, as an ISO date: later releases of its dependencies may not fit
 * it, or need packages that the registry does not have yet.
 */
async function dayAfter(n8n: string): Promise<string> {
	const times = await run('npm', ['view', 'n8n', 'time', '--json'], { cwd: folder });
	const published = (JSON.parse(times) as Record<string, string>)[n8n];
	if (published === undefined) throw new Error(`npm knows no n8n ${n8n}`);
	return new Date(Date.parse(published) + 24 * 3600_000).toISOString().slice(0, 10);
}

/** n8n does not start when it is told to leave out a module that it does not have. */
function settings(): Record<string, string> {
	const modules = join(folder, 'node_modules', 'n8n', 'dist', 'modules');
	return existsSync(join(modules, 'mcp-registry')) ? {} : { N8N_DISABLED_MODULES: 'mcp' };
}

/** Installs a Node from npm, whose package `node` brings the program, and answers where it is. */
async function installNode(wanted: string): Promise<string> {
	const place = join(folder, 'node');
	await mkdir(place, { recursive: true });
	const dependencies = { node: wanted };
	await writeFile(join(place, 'package.json'), JSON.stringify({ private: true, dependencies }));
	await step(`Install Node ${wanted}`, () => npm(place));
	return join(place, 'node_modules', 'node', 'bin', 'node');
}

async function npm(cwd: string, ...options: string[]): Promise<void> {
	const common = ['install', '--omit=dev', '--legacy-peer-deps', '--no-audit', '--no-fund'];
	await run('npm', [...common, ...options], { cwd });
}
