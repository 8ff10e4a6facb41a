import { sign, StoredCredential } from '../testbed/nodeRunner.mts';
import { ask, readMetadata } from './ask.mts';
import { tryOperations } from './effects.mts';

interface Run {
	baseUrl: string;
	/** The keys as the credential of this package has them. */
	keys: Record<string, string>;
	/** Whether operations of this package run on a proposal of the probe's own. */
	isTrying?: boolean;
	/** Between two requests that ask. */
	intervalMs?: number;
}

export type Result = Awaited<ReturnType<typeof runProbe>>;

export async function runProbe({ baseUrl, keys, isTrying, intervalMs }: Run) {
	const credential = new StoredCredential({ environment: 'custom', baseUrl, ...keys });
	const { types, pages } = await readMetadata(baseUrl);
	const service = { baseUrl, types, sign: (request: object) => sign(credential, request) };
	const findings = await ask(service, intervalMs);
	const effects = isTrying ? await tryOperations(credential) : [];
	return { baseUrl, findings, pages, effects };
}
