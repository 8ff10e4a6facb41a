/** The calls of each operation, from `operations.yaml`. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Values of fields as the node stores them, a record as its ID. */
export type Parameters = Record<string, unknown>;

/** Requests in order: as `POST /public/proposals`, each with the rest of it. */
type Requests = Array<Record<string, object>>;

interface Example {
	example: Parameters;
	sends: Requests;
	/** Its first output item at the simulator. One operation of each resource has it. */
	returns?: Record<string, unknown>;
	/** The *Tool Description* for AI agents, of an operation that changes something. */
	forAgents?: string;
	/** What other values send. */
	alsoSends?: Array<{ given: Parameters; sends: Requests }>;
	/** The labels of the fields that each request of an update sets. */
	labels?: { given: Parameters; sets: string[][] };
	/** Values that no request is made from, and the beginning of the error. */
	refuses?: Array<[given: Parameters, message: string]>;
}

const text = readFileSync(new URL('operations.yaml', import.meta.url), 'utf8');
const examples: Record<string, Example> = parse(text);

export const exampleNames = Object.keys(examples);

/** @throws for an operation without an example: the documentation and the tests need it */
export function exampleOf(name: string): Example {
	const found = examples[name];
	if (found === undefined) throw new Error(`Add to dev/scripts/operations.yaml ${name}`);
	return found;
}
