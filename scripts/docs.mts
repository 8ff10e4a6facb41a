/**
 * `npm run docs`: writes into the README what comes from the declarations, so that nobody has to
 * keep it up by hand. `test/unit/readme.test.mts` fails when it was forgotten.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Resource } from '../nodes/PortalIo/actions/operation.ts';

const root = new URL('../', import.meta.url);
const load = createRequire(import.meta.url);
const { registry } = load('../dist/nodes/PortalIo/actions/registry.js') as {
	registry: Record<string, Resource>;
};

const rows = Object.values(registry).flatMap(({ name, operations }) =>
	Object.values(operations).map(
		(operation) =>
			`| ${name} | ${operation.name} | ${operation.description} | ${operation.mark === 'assumed' ? 'assumed' : ''} |`,
	),
);
const table = ['| resource | operation | what it does | |', '|---|---|---|---|', ...rows].join(
	'\n',
);
const file = new URL('README.md', root);
const readme = readFileSync(file, 'utf8');
const block = /(<!-- operations:[^]*?-->\n)[^]*?(\n<!-- operations end -->)/;
writeFileSync(
	file,
	readme.replace(block, (_all, start, end) => start + table + end),
);
