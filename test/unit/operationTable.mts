/** Expectations for further values (operations.yaml); read once for thousands of mutation tests. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Values of fields as the node stores them. */
export type Given = Record<string, unknown>;

/** The requests, labels and refusals for parameters. */
export const table = parse(readFileSync(new URL('operations.yaml', import.meta.url), 'utf8')) as {
	sends: Record<string, { given: Given; sends: Record<string, object>[] }[]>;
	labels: Record<string, { given: Given; sets: string[][] }>;
	refuses: [name: string, given: Given, message: string][];
};
