/**
 * n8n spread over several processes, as it is over several machines: a main with the editor, a
 * webhook processor, and workers. Each has a folder of its own, with the package in it; what they
 * share is PostgreSQL, Redis, the encryption key, and the folder in which workflows write files.
 */
import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackage } from '../n8n/installPackage.mts';
import { startN8nProcess } from '../n8n/process.mts';
import type { N8nProcess, N8nProcessOptions, N8nRole } from '../n8n/process.mts';
import { freePort } from '../ports.mts';
import type { Step } from '../progress.mts';
import { startPostgres, startRedis } from './servers.mts';

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const workerNames = ['worker-1', 'worker-2'];

/** Starts them all, with the editor at the port. */
export async function startCluster(options: N8nProcessOptions & { step: Step }) {
	const { folder, step, signal, filesFolder = join(folder, 'files') } = options;
	const servers: { stop(): Promise<void> }[] = [];
	const n8nProcesses: N8nProcess[] = [];
	const stop = async () => {
		for (const all of [n8nProcesses, servers]) await Promise.all(all.map((one) => one.stop()));
	};
	try {
		const postgres = await step('Start PostgreSQL', () => startPostgres(signal));
		servers.push(postgres);
		const redis = await step('Start Redis', () => startRedis(folder, signal));
		servers.push(redis);
		await step('Install the package for each process of n8n', async () => {
			await installPackage(join(folder, 'main'), signal);
			const installed = join(folder, 'main', '.n8n');
			for (const name of ['webhook', ...workerNames])
				await cp(installed, join(folder, name, '.n8n'), { recursive: true });
		});
		const ports = { main: options.port ?? (await freePort()), webhook: await freePort() };
		const settings = {
			...postgres.settings,
			...redis.settings,
			...sharedSettings(ports),
			...options.settings,
		};
		const start = async (name: string, role: N8nRole, port?: number) => {
			const common = { folder: join(folder, name), filesFolder, settings, signal };
			const started = await startN8nProcess({ ...common, role, port });
			n8nProcesses.push(started);
			return started;
		};
		// The first alone: it makes the tables.
		const main = await step('Start n8n: main process', () => start('main', 'start', ports.main));
		const [webhook, ...workers] = await step('Start n8n: webhook processor and workers', () =>
			Promise.all([
				start('webhook', 'webhook', ports.webhook),
				...workerNames.map((name) => start(name, 'worker')),
			]),
		);
		return {
			pid: main.pid,
			url: main.url,
			webhookUrl: webhook.url,
			filesFolder,
			workers,
			query: postgres.query,
			logs: () => n8nProcesses.map((one) => one.logs()).join('\n'),
			// A worker may end: that is what there are several for.
			ended: Promise.race([main.ended, webhook.ended]),
			isRunning: () => main.isRunning() && webhook.isRunning(),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

function sharedSettings(ports: { main: number; webhook: number }): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		// Without the same key, a worker could not read the credentials that the main stored.
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		N8N_WEBHOOK_URL: `http://127.0.0.1:${ports.webhook}/`,
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${ports.main}/`,
		// Deliveries are taken by the webhook processor and by nobody else.
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// With two, n8n's default, deliveries that come all at once wait in vain for a connection.
		DB_POSTGRESDB_POOL_SIZE: '10',
	};
}
