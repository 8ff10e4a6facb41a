/**
 * Simulates the other systems in the example workflows (accounting, CRM, chat, and email) in memory. A proxy receives
 * the requests, because n8n's nodes have fixed URLs.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateCACertificate, getLocal } from 'mockttp';
import { createAsana } from './asana.mts';
import { startEmail } from './email.mts';
import { createGmail } from './gmail.mts';
import { createGoogleSheets } from './googleSheets.mts';
import { createHubSpot } from './hubSpot.mts';
import { findFile, renderPage } from './page.mts';
import { createQuickBooks } from './quickBooks.mts';
import { createSlack } from './slack.mts';
import type { OtherSystem } from './system.mts';
import { createXero } from './xero.mts';

/** Login for the examples' forms, and header for programs that call the examples' webhooks. */
export const formLogin = { user: 'cedar-and-coil', password: 'Forms-for-installers-2' };
export const callerHeader = { name: 'X-Lead-Key', value: 'leads-of-cedar-and-coil-3' };
const callers = [
	{
		name: 'Login for forms',
		type: 'httpBasicAuth',
		node: 'n8n-nodes-base.formTrigger',
		data: formLogin,
		parameters: undefined,
	},
	{
		name: 'Header for leads',
		type: 'httpHeaderAuth',
		node: 'n8n-nodes-base.webhook',
		data: callerHeader,
		parameters: undefined,
	},
];

export type OtherSystems = Awaited<ReturnType<typeof startOtherSystems>>;

/** Starts the systems behind a proxy with its own certificate, which is written to `folder`. */
export async function startOtherSystems(folder: string, passesOthers = false) {
	const services = {
		asana: createAsana(),
		gmail: createGmail(),
		googleSheets: createGoogleSheets(),
		hubSpot: createHubSpot(),
		quickBooks: createQuickBooks(),
		slack: createSlack(),
		xero: createXero(),
	};
	const email = await startEmail();
	const systems = { email, ...services };
	const all: OtherSystem[] = Object.values(systems);

	const authority = await generateCACertificate({ subject: { commonName: 'Portal.io testbed' } });
	const certificate = join(folder, 'other-systems-ca.pem');
	await writeFile(certificate, authority.cert);
	const served = Object.values(services).flatMap(({ hosts, respond: answer }) =>
		hosts.map((hostname) => ({ hostname, answer })),
	);
	const proxy = getLocal({
		https: {
			...authority,
			...(passesOthers && { tlsInterceptOnly: served.map(({ hostname }) => ({ hostname })) }),
		},
		recordTraffic: false,
	});
	await proxy.start({ startPort: 20_000, endPort: 60_000 });
	const url = `http://127.0.0.1:${proxy.port}`;
	const pageOf = ({ name }: OtherSystem) => `${url}/${encodeURIComponent(name)}`;

	for (const { hostname, answer } of served) {
		await proxy
			.forAnyRequest()
			.forHostname(hostname)
			.always()
			.thenCallback(async ({ method, url, headers, body }) => {
				const { pathname: path, searchParams: query } = new URL(url);
				const json = (await body.getJson().catch(() => undefined)) ?? {};
				const { status, body: sent, isLost } = answer({ method, path, query, headers, body: json });
				return isLost ? 'close' : { statusCode: status, json: sent };
			});
	}
	const pages = all.map((system) => ({ name: system.name, url: pageOf(system) }));
	for (const system of all) {
		const page = pageOf(system);
		await proxy
			.forGet(page)
			.always()
			.thenCallback(async () => ({
				headers: { 'Content-Type': 'text/html; charset=utf-8' },
				body: renderPage(system.name, page, await system.listRecords(), pages),
			}));
		await proxy
			.forGet(new RegExp(`/${encodeURIComponent(system.name)}/files/`))
			.always()
			.thenCallback(async ({ url: asked }) => {
				const file = findFile(await system.listRecords(), new URL(asked).pathname);
				if (file === undefined) return { statusCode: 404 };
				return { headers: { 'Content-Type': file.contentType }, body: file.content };
			});
	}
	await proxy.forUnmatchedRequest().thenCallback(({ url }) => ({
		statusCode: 502,
		body: `${new URL(url).host} is not simulated here, and no request may leave this machine.\n`,
	}));
	return {
		systems,
		settings: {
			HTTPS_PROXY: url,
			NODE_EXTRA_CA_CERTS: certificate,
			NO_PROXY: '127.0.0.1,localhost',
		},
		credentials: [
			...callers,
			...all.map(({ name, credential, parameters }) => ({
				name: `${name} (simulated)`,
				...credential,
				parameters,
			})),
		],
		/** Values for workflows' `Settings` steps, by field name. */
		fields: Object.assign({}, ...all.map(({ settings }) => settings)) as Record<string, string>,
		pageOf,
		reset: () => all.forEach((system) => system.reset()),
		stop: async () => void (await Promise.all([proxy.stop(), email.stop()])),
	};
}
