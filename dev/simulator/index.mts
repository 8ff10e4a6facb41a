import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAiWork } from './ai/work.mts';
import { Clock } from './clock.mts';
import { createControl, type Control, type Upload } from './control.mts';
import { Database } from './database.mts';
import { Faults, type Fault } from './faults.mts';
import { insertSeed, seed } from './seed.mts';
import { buildApplication, type ServerParts } from './server.mts';
import { defaults, type Settings } from './settings.mts';
import { createDeliveries } from './delivery.mts';
import type { Context } from './context.mts';

export { seed };
export type { Control, Fault, Settings, Upload };
export type { RecordedRequest } from './requestLog.mts';

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/**
 * Starts a simulated Portal.io with seed data on 127.0.0.1, by default on a free port. Several can run in one
 * process. Rejects if the port is in use.
 */
export async function startSimulator(options: Partial<Settings> = {}) {
	const entries = Object.entries(options).filter(([, value]) => value !== undefined);
	const settings: Settings = { ...defaults, ...Object.fromEntries(entries) };
	const clock = new Clock();
	const today = clock.iso().slice(0, 10);
	const database = new Database((empty) => insertSeed(empty, today));
	const state = { database, clock, settings };
	const deliveries = createDeliveries(state);
	const { publish } = deliveries;
	const ai = createAiWork({ ...state, publish });
	const context: Context = { ...state, publish, beginAi: ai.begin };
	const parts: ServerParts = { context, requests: [], faults: new Faults(), violations: [] };
	// Don't set joinDuplicateHeaders, because authentication must see repeated headers.
	const server = createServer(buildApplication(parts));
	server.listen(settings.port, '127.0.0.1');
	await once(server, 'listening');
	deliveries.wake();
	ai.wake();
	const { port } = server.address() as AddressInfo;
	return {
		/** Base URL without a trailing slash. */
		url: `http://127.0.0.1:${port}`,
		port,
		control: createControl({ ...parts, deliveries, ai }),
		/** Stops the simulator and closes open connections. */
		async stop(): Promise<void> {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			clock.stop();
			await Promise.all([closed, deliveries.stop()]);
		},
	};
}
