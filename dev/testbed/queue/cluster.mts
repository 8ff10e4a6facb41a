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
import type { N8nProcess, N8nProcessOptions } from '../n8n/process.mts';
import { freePort } from '../ports.mts';
import type { Step } from '../progress.mts';
import { startPostgres, startRedis } from './servers.mts';
import type { Postgres, Server } from './servers.mts';

/** n8n's processes and what they share, running. To the outside, they are one n8n. */
export interface Cluster extends N8nProcess {
	/** Where deliveries are taken. */
	webhookUrl: string;
	workers: Worker[];
	postgres: Postgres;
}

/** A worker, which can be killed and started again. */
export interface Worker {
	name: string;
	/** SIGKILL: the worker can finish nothing and tell nobody. */
	kill(): Promise<void>;
	/** Starts it again, in the folder that it left behind. */
	restart(): Promise<void>;
	logs(): string;
	stop(): Promise<void>;
}

/** What to start, and where. */
export interface ClusterOptions {
	folder: string;
	/** Where the workflows write files; within the folder when it is left out. */
	filesFolder?: string;
	step: Step;
	signal?: AbortSignal;
	/** The editor's port; any free one when left out. */
	port?: number;
	/** What all processes of n8n are told beyond what they have to agree on. */
	settings?: Record<string, string>;
}

const workerNames = ['worker-1', 'worker-2'];

/** Starts it all. n8n has to be installed and the package built. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
	const { folder, step, signal } = options;
	const servers: Server[] = [];
	const n8nProcesses: { logs(): string; stop(): Promise<void> }[] = [];
	const stop = async () => {
		await stopAll(n8nProcesses);
		await stopAll(servers);
	};
	try {
		const postgres = await step('Start PostgreSQL', () => startPostgres(signal));
		servers.push(postgres);
		const redis = await step('Start Redis', () => startRedis(folder, signal));
		servers.push(redis);
		await step('Install the package for each process of n8n', () =>
			installForAll(folder, ['main', 'webhook', ...workerNames], signal),
		);
		const ports = { main: options.port ?? (await freePort()), webhook: await freePort() };
		const settings = {
			...postgres.settings,
			...redis.settings,
			...sharedSettings(ports),
			...options.settings,
		};
		const processOptions = (name: string): N8nProcessOptions => ({
			folder: join(folder, name),
			filesFolder: options.filesFolder ?? join(folder, 'files'),
			settings,
			signal,
		});
		// The first alone: it makes the tables.
		const main = await step('Start n8n: main process', () =>
			startN8nProcess({ ...processOptions('main'), port: ports.main }),
		);
		n8nProcesses.push(main);
		const startWebhook = async () => {
			const role = { port: ports.webhook, role: 'webhook' } as const;
			const webhook = await startN8nProcess({ ...processOptions('webhook'), ...role });
			n8nProcesses.push(webhook);
			return webhook;
		};
		const start = async (name: string) => {
			const worker = await startWorker(name, { ...processOptions(name), role: 'worker' });
			n8nProcesses.push(worker);
			return worker;
		};
		const [webhook, workers] = await step('Start n8n: webhook processor and workers', async () => {
			const starting = [startWebhook(), Promise.all(workerNames.map(start))] as const;
			// Each to its end: where one fails, the others are stopped below.
			await Promise.allSettled(starting);
			return await Promise.all(starting);
		});
		return {
			pid: main.pid,
			url: main.url,
			webhookUrl: webhook.url,
			filesFolder: main.filesFolder,
			workers,
			postgres,
			logs: () => n8nProcesses.map((one) => one.logs()).join('\n'),
			// A worker may end: that is what there are several for.
			ended: Promise.race([main.ended, webhook.ended]),
			isRunning: () => main.isRunning() && webhook.isRunning(),
			stop,
			async kill() {
				await Promise.all([main, webhook, ...workers].map((one) => one.kill()));
				await stop();
			},
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** What all processes have to agree on. */
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

async function installForAll(folder: string, names: string[], signal?: AbortSignal) {
	const [first, ...others] = names.map((name) => join(folder, name));
	await installPackage(first!, signal);
	for (const other of others) {
		await cp(join(first!, '.n8n'), join(other, '.n8n'), { recursive: true });
	}
}

async function startWorker(name: string, options: N8nProcessOptions): Promise<Worker> {
	let current = await startN8nProcess(options);
	return {
		name,
		logs: () => current.logs(),
		kill: () => current.kill(),
		stop: () => current.stop(),
		async restart() {
			current = await startN8nProcess(options);
		},
	};
}

async function stopAll(all: { stop(): Promise<void> }[]) {
	await Promise.all(all.map((one) => one.stop()));
}
