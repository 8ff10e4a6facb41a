/** `npm run compatibility`: does the main job in another n8n than the demo's, with the package installed. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkMainJob } from '../testbed/mainJob.mts';
import { buildEnvironment, MAIN_JOB, type Environment } from '../testbed/environment.mts';
import { sqliteQuery } from '../testbed/n8n/database.mts';
import { installVersion } from '../testbed/n8n/install.mts';
import { withOwner } from '../testbed/n8n/n8n.mts';
import { answers, defaultFilesFolder } from '../testbed/n8n/process.mts';
import { root } from '../testbed/paths.mts';
import { logTail, run } from '../testbed/processGroup.mts';
import { reportStep as step } from '../testbed/progress.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';
import { until } from '../testbed/until.mts';

/** Of an n8n in a container, and where that has the folder of the run. */
const [ADDRESS, DATA] = ['http://127.0.0.1:5678', '/data'];

const usage = `Usage: npm run compatibility -- <version of n8n> [options]
       npm run compatibility -- --image <image>

  <version of n8n>                 e.g. 2.41.1, or 2 for the newest that begins with it
  --node <version>                 the Node that runs it, e.g. 22 (the one of this package)
  --image <image>                  a container, which you start with the command that this prints
  --help                           show this text
`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		help: { type: 'boolean', default: false },
		image: { type: 'string' },
		node: { type: 'string' },
	},
});
const [version] = positionals;
if (values.help || (version === undefined) === (values.image === undefined)) {
	console.error(usage);
	process.exit(values.help ? 0 : 2);
}

const folder = await mkdtemp(join(tmpdir(), 'portal-io-compatibility-'));
const runFolder = await makeRunFolder();
let environment: Environment | undefined;
try {
	const installation = version === undefined ? undefined : await install(version);
	environment = await buildEnvironment({
		folder: runFolder.path,
		step,
		installation,
		...(values.image !== undefined && { connect: (settings) => connect(values.image!, settings) }),
		examples: MAIN_JOB,
		scheduleSeconds: 5,
	});
	await checkMainJob(environment, (sentence) => console.log(`  ✓ ${sentence}`));
	const { versionCli } = await environment.n8n.rest<{ versionCli: string }>('GET', '/settings');
	console.log(`\nThe main job works in n8n ${versionCli}.`);
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

async function install(wanted: string) {
	const installation = await installVersion(wanted, { folder, step, node: values.node });
	const used = await run(installation.node, ['--version'], { cwd: folder });
	console.log(`  Node ${used.trim()}`);
	return installation;
}

/** An n8n in a container that a person starts: n8n 3 exists in no other form. Waits ten minutes for it. */
async function connect(image: string, settings: Record<string, string>) {
	console.log(`\nStart the container in another terminal, on Linux:\n`);
	console.log(`  ${startCommand(image, settings)}\n`);
	console.log('With Podman: podman in place of docker, and --userns keep-id in place of --user.\n');
	const filesFolder = join(runFolder.path, defaultFilesFolder);
	await mkdir(filesFolder, { recursive: true });
	const isReady = async () => (await answers(`${ADDRESS}/healthz/readiness`)) || undefined;
	await until(`an n8n at ${ADDRESS}`, isReady, 600_000);
	// It keeps running at the end.
	const running = {
		...{ url: ADDRESS, filesFolder, pid: undefined, logs: () => '', isRunning: () => true },
		ended: new Promise<void>(() => {}),
		stop: async () => {},
	};
	return await withOwner({ folder: runFolder.path }, running, sqliteQuery(runFolder.path));
}

/** The command that starts an n8n in Docker with the user folder of the run. */
function startCommand(image: string, settings: Record<string, string>): string {
	const variables = {
		N8N_USER_FOLDER: DATA,
		N8N_RESTRICT_FILE_ACCESS_TO: `${DATA}/${defaultFilesFolder}`,
		N8N_WEBHOOK_URL: `${ADDRESS}/`,
		// The simulated Portal.io is on this machine.
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
		...settings,
	};
	return [
		`docker run --rm --network host --user "$(id -u):$(id -g)" --workdir ${DATA}`,
		`--volume ${runFolder.path}:${DATA}`,
		`--env-file ${join(root, 'dev/testbed/n8n/n8n.env')}`,
		...Object.entries(variables).map(
			([name, value]) => `--env ${name}=${value.replace(runFolder.path, DATA)}`,
		),
		image,
	].join(' \\\n    ');
}
