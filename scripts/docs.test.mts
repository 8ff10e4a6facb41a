/** What of the documentation is written from the declarations, and that it was written again. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { registry } from '../nodes/PortalIo/resources/index.ts';
import { endpointTable } from './endpointTable.mts';
import { operationPages, operationTable } from './operationPages.mts';

const root = new URL('../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

it('the README lists every operation, in the order of the editor', () => {
	const table = /<!-- operations:[^]*?-->\n([^]*?)\n<!-- operations end -->/.exec(
		read('README.md'),
	)?.[1];
	expect(table, 'run `npm run docs`').toBe(operationTable(registry));
	const rows = table!.split('\n').slice(2);
	const declared = Object.values(registry).flatMap(({ name, operations }) =>
		Object.values(operations).map((operation) => `| ${name} | [${operation.name}]`),
	);
	expect(read('README.md')).toContain(`with ${declared.length} operations`);
	expect(rows.map((row) => row.split('](')[0] + ']')).toEqual(declared);
});

it('docs/portal-api.md lists the request of every operation with its mark', () => {
	const table = /<!-- endpoints:[^]*?-->\n([^]*?)\n<!-- endpoints end -->/.exec(
		read('docs/portal-api.md'),
	)?.[1];
	expect(table, 'run `npm run docs`').toBe(endpointTable(registry));
	expect(table).toContain(
		'| [Area Option: Update Client Description](operations/areaOption.md#update-client-description) | `POST /public/proposals/{proposalId}/area/{areaId}/option/{optionId}/clientdescription` | `/public/proposals/{proposalId}/area-options/{optionId}/clientdescription` | form | spec |',
	);
	expect(table).not.toMatch(/\/\d/);
});

it('the pages of the operations are as the declarations write them', () => {
	const pages = operationPages(registry);
	expect(readdirSync(new URL('docs/operations/', root)).sort()).toEqual(Object.keys(pages).sort());
	for (const [file, page] of Object.entries(pages)) {
		expect(read(`docs/operations/${file}`), `${file}: run \`npm run docs\``).toBe(page);
	}
});

it('the pages name every field of every operation, and fill in what is required', () => {
	const pages = operationPages(registry);
	for (const [resource, { operations }] of Object.entries(registry)) {
		for (const [value, { name, fields }] of Object.entries(operations)) {
			const section = pages[`${resource}.md`]!.split(/^## /m).find((one) =>
				one.startsWith(`${name}\n`),
			)!;
			for (const { displayName, type } of fields) {
				if (type.endsWith('ollection')) expect(section).toContain(`| ${displayName}: `);
				else
					expect(section).toMatch(
						new RegExp(`\\| \\**${displayName.replace(/[()]/g, '.')}\\** \\|`),
					);
			}
			const [, json] = /```json\n([^]*?)\n```/.exec(section)!;
			const [node] = JSON.parse(json!).nodes;
			expect(node.parameters).toMatchObject({ resource, operation: value });
			for (const { required, name: field, displayOptions } of fields) {
				if (required && !displayOptions) expect(node.parameters).toHaveProperty(field);
			}
		}
	}
});
