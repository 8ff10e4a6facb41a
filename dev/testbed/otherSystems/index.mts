/**
 * The other systems of the example workflows (accounting, CRM, chat, mail), each played by a few
 * documents in memory. n8n's nodes have fixed addresses, so a proxy answers in place of the services.
 */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generateCACertificate, getLocal, type CompletedRequest } from 'mockttp';
import { Email } from './email.mts';
import { GoogleSheets } from './googleSheets.mts';
import { HubSpot } from './hubSpot.mts';
import { recordsPage } from './page.mts';
import { QuickBooks } from './quickBooks.mts';
import { Slack } from './slack.mts';
import { WebService, type Fields, type OtherSystem, type SystemCredential } from './system.mts';
import { Xero } from './xero.mts';

/** One of each. A new system is one more line. */
const createSystems = () => ({
	email: new Email(),
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
	/** Where a person sees what a system holds. */
	pageOf(system: OtherSystem): string;
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
	const services = all.filter((system) => system instanceof WebService);
	await systems.email.start();
	const proxy = await startProxy(folder, services, passesOthers);
	const pages = await startPages(all);
	return {
		systems,
		settings: proxy.settings,
		credentials: all.flatMap(({ credentials }) => credentials),
		fields: Object.assign({}, ...all.map(({ settings }) => settings)),
		pageOf: ({ name }) => `${pages.url}/${encodeURIComponent(name)}`,
		reset: () => all.forEach((system) => system.reset()),
		async stop() {
			await Promise.all([proxy.stop(), pages.stop(), systems.email.stop()]);
		},
	};
}

/**
 * Starts a proxy that takes HTTPS connections apart, with an authority made up for this run. Unless
 * it passes others on, nothing that comes to it leaves the machine.
 */
async function startProxy(folder: string, services: WebService[], passesOthers: boolean) {
	const authority = await generateCACertificate({ subject: { commonName: 'Portal.io testbed' } });
	const file = join(folder, 'other-systems-ca.pem');
	await writeFile(file, authority.cert);
	const hosts = services.flatMap((service) => service.hosts.map((host) => ({ host, service })));
	const played = hosts.map(({ host }) => ({ hostname: host }));
	const proxy = getLocal({
		https: { ...authority, ...(passesOthers && { tlsInterceptOnly: played }) },
		recordTraffic: false,
	});
	await proxy.start({ startPort: 20_000, endPort: 60_000 });
	for (const { host, service } of hosts) {
		await proxy
			.forAnyRequest()
			.forHostname(host)
			.always()
			.thenCallback(async (request) => {
				const { status, body } = service.answer(await read(request));
				return { statusCode: status, json: body };
			});
	}
	await proxy.forUnmatchedRequest().thenCallback(({ url }) => ({
		statusCode: 502,
		body: `${new URL(url).host} is not played here, and nothing may leave this machine.\n`,
	}));
	return {
		settings: {
			HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
			NODE_EXTRA_CA_CERTS: file,
			NO_PROXY: '127.0.0.1,localhost',
		},
		stop: () => proxy.stop(),
	};
}

async function read({ method, url, headers, body }: CompletedRequest) {
	const { pathname: path, searchParams: query } = new URL(url);
	const json = await body.getJson().catch(() => undefined);
	return { method, path, query, headers, body: (json ?? {}) as Fields };
}

async function startPages(systems: OtherSystem[]) {
	const server = createServer(({ url = '' }, response) => {
		const found = systems.find(({ name }) => decodeURIComponent(url) === `/${name}`);
		response.writeHead(found ? 200 : 404, { 'Content-Type': 'text/html' });
		response.end(found && recordsPage(found.name, found.records()));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async stop() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
