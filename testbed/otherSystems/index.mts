/**
 * The other systems of the example workflows (accounting, CRM, chat), each played by a small server
 * on this machine to which n8n's own nodes are led.
 */
import { GoogleSheets } from './googleSheets.mts';
import { HubSpot } from './hubSpot.mts';
import { startProxy } from './proxy.mts';
import { QuickBooks } from './quickBooks.mts';
import { Slack } from './slack.mts';
import type { OtherSystem, SystemCredential } from './system.mts';
import { Xero } from './xero.mts';

/** One of each. A new system is one more line. */
const createSystems = () => ({
	googleSheets: new GoogleSheets(),
	hubSpot: new HubSpot(),
	quickBooks: new QuickBooks(),
	slack: new Slack(),
	xero: new Xero(),
});

/** The stand-ins, each with what its tests ask it. */
export type Systems = ReturnType<typeof createSystems>;

/** All stand-ins, running. */
export interface OtherSystems {
	systems: Systems;
	/** What an n8n needs to be led to them. */
	settings: Record<string, string>;
	/** What to create in that n8n. */
	credentials: SystemCredential[];
	/** What workflows have to be told, by the name of the field in their `Settings` step. */
	fields: Record<string, string>;
	/** Puts all of them back to how they start. */
	reset(): void;
	stop(): Promise<void>;
}

/**
 * Starts them all.
 *
 * @param folder where the certificate goes that n8n trusts
 * @param passesOthers whether n8n reaches all other hosts; otherwise they are refused
 */
export async function startOtherSystems(
	folder: string,
	passesOthers = false,
): Promise<OtherSystems> {
	const systems = createSystems();
	const all: OtherSystem[] = Object.values(systems);
	await Promise.all(all.map((system) => system.start()));
	const routes = new Map(
		all.flatMap(({ hosts, url }) => hosts.map((host): [string, string] => [host, url])),
	);
	const proxy = await startProxy({ folder, routes, passesOthers });
	return {
		systems,
		settings: proxy.settings,
		credentials: all.flatMap(({ credentials }) => credentials),
		fields: Object.assign({}, ...all.map(({ settings }) => settings)),
		reset: () => all.forEach((system) => system.reset()),
		async stop() {
			await proxy.stop();
			await Promise.all(all.map((system) => system.stop()));
		},
	};
}
