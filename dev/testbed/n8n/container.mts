/** An n8n in a container that a person starts: n8n 3 exists in no other form. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../until.mts';
import { answers, defaultFilesFolder } from './process.mts';
import { sqliteQuery } from './database.mts';
import { withOwner, type N8n } from './n8n.mts';

const address = 'http://127.0.0.1:5678';
const patienceMs = 600_000;

/** Where the container has the folder of the run. */
const DATA = '/data';

/** What an n8n in a container is told besides `n8n.env`. */
const common = {
	N8N_USER_FOLDER: DATA,
	N8N_RESTRICT_FILE_ACCESS_TO: `${DATA}/${defaultFilesFolder}`,
	N8N_WEBHOOK_URL: `${address}/`,
	// The simulated Portal.io is on this machine.
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
};

/** The command that starts an n8n in Docker with the user folder of the run. */
export function startCommand(
	image: string,
	folder: string,
	settings: Record<string, string>,
): string {
	const variables = Object.entries({ ...common, ...settings }).map(
		([name, value]) => `--env ${name}=${value.replace(folder, DATA)}`,
	);
	return [
		'docker run --rm --network host --user "$(id -u):$(id -g)" --workdir ' + DATA,
		`--volume ${folder}:${DATA}`,
		`--env-file ${join(import.meta.dirname, 'n8n.env')}`,
		...variables,
		image,
	].join(' \\\n    ');
}

/** Waits ten minutes for the container, and makes its owner. n8n keeps running at the end. */
export async function connectToContainer(folder: string): Promise<N8n> {
	const filesFolder = join(folder, defaultFilesFolder);
	await mkdir(filesFolder, { recursive: true });
	const isReady = async () => (await answers(`${address}/healthz/readiness`)) || undefined;
	await until(`an n8n at ${address}`, isReady, patienceMs);
	const running = {
		url: address,
		filesFolder,
		pid: undefined,
		logs: () => '',
		ended: new Promise<void>(() => {}),
		isRunning: () => true,
		stop: async () => {},
	};
	return await withOwner({ folder }, running, sqliteQuery(folder));
}
