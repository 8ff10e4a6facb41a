/**
 * Implements `npm run compatibility`, which installs the package in another version of n8n than the demo's, and runs
 * the main job.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkMainJob } from '../testbed/mainJob.mts';
import { buildEnvironment, MAIN_JOB, type Environment } from '../testbed/environment.mts';
import { installVersion } from '../testbed/n8n/install.mts';
import { logTail, run } from '../testbed/processGroup.mts';
import { reportStep as step } from '../testbed/progress.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';

const usage = `Usage: npm run compatibility -- <version of n8n> [options]

  <version of n8n>                 for example 2.41.1, or 2 for the newest version 2
  --node <version>                 Node.js version that runs it, for example 22 (default: this package's)
  --help                           show this text
`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		help: { type: 'boolean', default: false },
		node: { type: 'string' },
	},
});
const [version] = positionals;
if (values.help || version === undefined) {
	console.error(usage);
	process.exit(values.help ? 0 : 2);
}

const folder = await mkdtemp(join(tmpdir(), 'portal-io-compatibility-'));
const runFolder = await makeRunFolder();
let environment: Environment | undefined;
try {
	const installation = await install(version);
	environment = await buildEnvironment({
		folder: runFolder.path,
		step,
		installation,
		examples: MAIN_JOB,
		scheduleSeconds: 5,
	});
	await checkMainJob(environment, (sentence) => console.log(`  ✓ ${sentence}`));
	const { versionCli } = await environment.n8n.rest<{ versionCli: string }>('GET', '/settings');
	console.log(`\nThe main job works in n8n ${versionCli}.`);
} catch (error) {
	process.exitCode = 1;
	console.error(`\nError: ${(error as Error).message}`);
	if (environment) console.error(`\nLast lines of n8n's log:\n${logTail(environment.n8n.logs())}`);
} finally {
	await environment?.stop();
	await runFolder.discard();
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();

async function install(wanted: string) {
	const installation = await installVersion(wanted, { folder, step, node: values.node });
	const used = await run(installation.node, ['--version'], { cwd: folder });
	console.log(`  Node ${used.trim()}`);
	return installation;
}
