import { execute, sign, StoredCredential } from '../testbed/nodeRunner.mts';
import { ask, INTERVAL_MS, readMetadata, routeOf } from './ask.mts';
import { tryOperations } from './effects.mts';
import type { Result } from './report.mts';

export interface Run {
	baseUrl: string;
	/** The keys as the credential of this package has them. */
	keys: Record<string, string>;
	/** Whether operations of this package run on a proposal of the probe's own. */
	isTrying?: boolean;
	/** Between two requests that ask. */
	intervalMs?: number;
}

export async function runProbe(options: Run): Promise<Result> {
	const { baseUrl, keys, isTrying = false, intervalMs = INTERVAL_MS } = options;
	const credential = new StoredCredential({ environment: 'custom', baseUrl, ...keys });
	let requests = 0;
	credential.onRequest = () => requests++;
	credential.onExchange = () => requests++;
	const { types, pages } = await readMetadata(baseUrl);
	requests += pages.length;
	const signCounted = async (request: object) => {
		const signed = await sign(credential, request);
		requests++;
		return signed;
	};
	const findings = (await ask(baseUrl, signCounted, intervalMs)).map((finding) => {
		const { method, path } = finding.endpoint;
		const members = types.get(finding.requestType) ?? types.get(routeOf(method, path));
		return { ...finding, members };
	});
	const run = async (name: string, parameters: object) => {
		const [resource, operation] = name.split('.') as [string, string];
		const output = await execute({
			credential,
			parameters: { resource, operation, ...parameters },
		});
		return output.map(({ json }) => json);
	};
	const effects = isTrying ? await tryOperations(run) : [];
	return { baseUrl, findings, pages, effects, requests };
}
