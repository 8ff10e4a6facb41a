import { sign, StoredCredential } from '../testbed/nodeRunner.mts';
import { ask, readMetadata } from './ask.mts';
import { tryOperations } from './effects.mts';

interface Run {
	baseUrl: string;
	/** Keys as in the package's credential. */
	keys: Record<string, string>;
	/** Whether to run the package's operations on a proposal that the probe creates. */
	isTrying?: boolean;
	/** Pause between two requests with questions, in milliseconds. */
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
