/** Leads n8n's requests to other systems to their stand-ins, as n8n's nodes have fixed addresses. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateCACertificate, getLocal } from 'mockttp';

/** What to lead where. */
export interface ProxyOptions {
	/** The folder for the certificate of the authority that n8n is to trust. */
	folder: string;
	/** The address of the stand-in of each host name. */
	routes: Map<string, string>;
	/** Whether all other hosts are reached as without the proxy; otherwise they are refused. */
	passesOthers?: boolean;
}

/** A running proxy. */
export interface Proxy {
	/** What an n8n needs to go through it. */
	settings: Record<string, string>;
	stop(): Promise<void>;
}

/**
 * Starts a proxy that takes HTTPS connections apart, with an authority made up for this run. Unless
 * it passes others on, nothing that comes to it leaves the machine.
 */
export async function startProxy({ folder, routes, passesOthers }: ProxyOptions): Promise<Proxy> {
	const authority = await generateCACertificate({ subject: { commonName: 'Portal.io testbed' } });
	const file = join(folder, 'other-systems-ca.pem');
	await writeFile(file, authority.cert);
	const played = [...routes.keys()].map((hostname) => ({ hostname }));
	const proxy = getLocal({
		https: { ...authority, ...(passesOthers && { tlsInterceptOnly: played }) },
		recordTraffic: false,
	});
	await proxy.start({ startPort: 20_000, endPort: 60_000 });
	for (const [host, url] of routes) {
		await proxy
			.forAnyRequest()
			.forHostname(host)
			.always()
			.thenPassThrough({
				transformRequest: {
					setProtocol: 'http',
					// A stand-in that plays several hosts tells them apart by the header.
					replaceHost: { targetHost: new URL(url).host, updateHostHeader: false },
				},
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
