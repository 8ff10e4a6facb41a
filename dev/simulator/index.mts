import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAiWork } from './ai/work.mts';
import { Clock } from './clock.mts';
import { createControl, type Control } from './control.mts';
import { Database } from './database.mts';
import { Faults, Gates } from './faults.mts';
import { RequestLog } from './requestLog.mts';
import { insertSeed } from './seed.mts';
import { buildApplication, type ServerParts } from './server.mts';
import type { Settings } from './settings.mts';
import { createDeliveries } from './delivery.mts';
import type { Context } from './context.mts';

export { seed } from './seed.mts';
export type { Control, Upload } from './control.mts';
export type { Fault, Gate } from './faults.mts';
export type { RecordedRequest } from './requestLog.mts';
export type { Settings } from './settings.mts';

export interface Simulator {
	/** The base URL, `http://127.0.0.1:<port>`, without a trailing slash. */
	url: string;
	port: number;
	control: Control;
	/** Stops it, once: open connections are closed. */
	stop(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;

const defaults: Settings = {
	port: 0,
	routes: 'all',
	optionalFields: 'present',
	listedContacts: 'short',
	names: (field) => field.slice(field.indexOf('.') + 1),
	moreFields: {},
	missing: 'refused',
	hasMetadata: false,
	aiStepSeconds: 30,
	uploadLimits: { single: 25 * MEGABYTE, total: 1024 * MEGABYTE, minChunk: 5 * MEGABYTE },
	log: () => {},
	latencyMs: 0,
	additionalEvents: [],
	webhookRetrySeconds: [1, 5, 30, 120, 720].map((minutes) => minutes * 60),
	webhookTimeoutMs: 10_000,
};

/**
 * Starts a simulated Portal.io on 127.0.0.1, on a free port unless one is given, with seed data.
 * Several can run in one process. Rejects when the port is taken.
 */
export async function startSimulator(options: Partial<Settings> = {}): Promise<Simulator> {
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	const settings: Settings = { ...defaults, ...Object.fromEntries(given) };
	const clock = new Clock();
	const today = clock.iso().slice(0, 10);
	const database = new Database((empty) => insertSeed(empty, today));
	const context: Context = {
		database,
		clock,
		settings,
		beginAi: (table, row) => ai.begin(table, row),
		publish(event) {
			deliveries.queue(event);
			// Transactions are synchronous: by then the current one is committed or rolled back.
			setImmediate(() => deliveries.wake());
		},
	};
	const deliveries = createDeliveries(context);
	const ai = createAiWork(context);
	const parts: ServerParts = {
		context,
		requestLog: new RequestLog(),
		faults: new Faults(),
		gates: new Gates(),
		violations: [],
	};
	// Without joinDuplicateHeaders: authentication has to see repeated headers.
	const server = createServer(buildApplication(parts));
	try {
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject).listen(settings.port, '127.0.0.1', resolve);
		});
	} catch (error) {
		database.close();
		throw error;
	}
	deliveries.wake();
	ai.wake();
	const { port } = server.address() as AddressInfo;
	let stopping: Promise<void> | undefined;
	const stop = async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		clock.stop();
		await Promise.all([closed, deliveries.stop()]);
		database.close();
	};
	return {
		url: `http://127.0.0.1:${port}`,
		port,
		control: createControl({ ...parts, deliveries, ai }),
		stop: () => (stopping ??= stop()),
	};
}
