/** Reads the contract. */
import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import type { Json } from './json.mts';

export const contractFile = new URL('openapi.yaml', import.meta.url);

const text = readFileSync(contractFile, 'utf8');

/** The contract. Each call returns an object of its own, because the validator changes what it gets. */
export const readContract = (): Json =>
	// through JSON: the aliases of the YAML become separate objects
	JSON.parse(JSON.stringify(parse(text, { merge: true, maxAliasCount: -1 })));
