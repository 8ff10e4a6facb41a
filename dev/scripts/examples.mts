/** Reads each operation's example calls from `operations.yaml`. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Values of fields as the node stores them, except that a record is its ID. */
export type Parameters = Record<string, unknown>;

/**
 * Requests in order. A key is the method and path, for example `POST /public/proposals`, and its value contains the
 * other parts.
 */
type Requests = Array<Record<string, object>>;

interface Example {
	example: Parameters;
	sends: Requests;
	/** First output item at the simulator, for one operation of each resource. */
	returns?: Record<string, unknown>;
	/** *Tool Description* for AI agents, for operations that change something. */
	forAgents?: string;
	/** Other values, and the requests that they send. */
	alsoSends?: Array<{ given: Parameters; sends: Requests }>;
	/** Labels of the fields that each request of an update sets. */
	labels?: { given: Parameters; sets: string[][] };
	/** Values that send no request, and the beginning of the error message. */
	refuses?: Array<[given: Parameters, message: string]>;
}

const text = readFileSync(new URL('operations.yaml', import.meta.url), 'utf8');
const examples: Record<string, Example> = parse(text);

export const exampleNames = Object.keys(examples);

/** @throws if an operation has no example, because the docs and tests need one */
export function findExample(name: string): Example {
	const example = examples[name];
	if (example === undefined) throw new Error(`Add to dev/scripts/operations.yaml ${name}`);
	return example;
}
