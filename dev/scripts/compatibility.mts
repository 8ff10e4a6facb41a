/**
 * Does the main job in another n8n than the demo's:
 *
 *   npm run compatibility -- 2.0.3 --node 22 --override @langchain/langgraph-checkpoint=1.0.0
 *
 * That n8n is installed with npm in a temporary folder (some minutes, 2 GB), the package as its
 * community package; then the same happens as in `npm run demo -- --check`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkMainJob } from '../testbed/acceptedProposal/check.mts';
import { logTail, run } from '../testbed/processGroup.mts';
import { installVersion } from '../testbed/n8n/install.mts';
import { startProgress } from '../testbed/progress.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';
import { buildEnvironment, type Environment } from '../testbed/environment.mts';
import { fitToOlder } from './olderN8n.mts';

const usage = `Usage: npm run compatibility -- <version of n8n> [options]

  --node <version>                 the Node that runs it, e.g. 22 (the one of this package)
  --before <date>                  packages as of that time (24 hours after this n8n was published)
  --override <package>=<version>   for what an older n8n leaves open and newer packages have broken
  --help                           show this text
`;

// n8n 2.0 names a file on the maker's own server; this is the same code in the registry.
const always = ['xlsx=npm:@e965/xlsx@0.20.3'];

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
	const overrides = [...always, ...values.override].map(
		(one) => one.split('=') as [string, string],
	);
	const installation = await installVersion(version, {
		folder,
		step,
		node: values.node,
		before: values.before,
		overrides: Object.fromEntries(overrides),
	});
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
