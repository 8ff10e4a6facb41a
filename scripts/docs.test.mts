/** What of the documentation is written from the declarations, and that it was written again. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as requestOptions from '../nodes/PortalIo/requestOptions.ts';
import * as resources from '../nodes/PortalIo/resources/index.ts';
import * as operations from '../nodes/PortalIo/shared/operation.ts';
import * as outputs from '../nodes/PortalIo/shared/output.ts';
import * as changes from '../nodes/PortalIoPollingTrigger/outputs.ts';
import * as events from '../nodes/PortalIoTrigger/output.ts';
import { declaredOperations } from './declared.mts';
import { firstDifference } from './difference.mts';
import { endpointPage } from './endpoints.mts';
import { OWNED_FOLDERS, writtenFiles } from './writtenFiles.mts';

const root = new URL('../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { registry } = resources;
const declarations = {
	...{ ...resources, ...operations, ...outputs, ...requestOptions },
	...{ ...events, ...changes },
};
const declared = Object.entries(registry).flatMap(([resource, { name, operations: all }]) =>
	Object.entries(all).map(([value, operation]) => ({ resource, name, value, operation })),
);
/** The part of a page below the heading of an operation. */
function sectionOf(resource: string, heading: string): string {
	const file = `docs/operations/${resource}.md`;
	const section = read(file)
		.split(/^## /m)
		.find((one) => one.startsWith(`${heading}\n`));
	if (section === undefined) throw new Error(`${file} has no '${heading}': run \`npm run docs\``);
	return section;
}

describe('what `npm run docs` writes', () => {
	const files = writtenFiles(declarations, read);

	it.each([...files.keys()])('%s is up to date', (file) => {
		const written = existsSync(join(root, file)) ? read(file) : '';
		const difference = firstDifference(written, files.get(file)!);
		expect(difference, `${file}: run \`npm run docs\``).toBeUndefined();
	});

	it('is all that its folders hold', () => {
		const present = OWNED_FOLDERS.flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => /\.\w+$/.test(file))
				.map((file) => join(folder, file)),
		);
		const others = present.filter((file) => !files.has(file));
		expect(others, 'are not of any operation: `npm run docs` removes them').toEqual([]);
	});
});

it('the README has a line for each resource, with the number of its operations', () => {
	const page = read('README.md');
	const rows = Object.entries(registry).map(([resource, { name, operations: all }]) => {
		const names = Object.values(all).map((operation) => operation.name);
		return `| [${name}](docs/operations/${resource}.md) | ${names.length} | ${names.join(', ')} |`;
	});
	const count = `${declared.length} operations on ${rows.length} resources`;
	const missing = [count, ...rows].filter((text) => !page.includes(text));
	expect(missing, 'run `npm run docs`').toEqual([]);
});

it('the table of operations has every operation, in the order of the editor', () => {
	const rows = [
		...read('docs/operations/README.md').matchAll(/^\| \[([^\]]+)\].*? \| \[([^\]]+)\]/gm),
	];
	const written = rows.map(([, resource, operation]) => `${resource}: ${operation}`).join('\n');
	const expected = declared.map(({ name, operation }) => `${name}: ${operation.name}`).join('\n');
	expect(firstDifference(written, expected), 'run `npm run docs`').toBeUndefined();
});

describe('the page of endpoints', () => {
	const page = read('docs/operations/endpoints.md');
	const contract = parse(read('simulator/openapi.yaml')) as {
		paths: Record<string, Record<string, object>>;
	};
	const names = Object.entries(contract.paths).flatMap(([path, methods]) =>
		['get', 'post', 'put', 'patch', 'delete']
			.filter((method) => method in methods)
			.map((method) => `${method.toUpperCase()} ${path}`),
	);
	const cellOf = (name: string) =>
		page.split('\n').find((row) => row.startsWith(`| \`${name}\` |`));

	it.each(names)('says what reaches %s', (name) => {
		expect(cellOf(name)?.split(' | ')[1] ?? '', 'run `npm run docs`').toMatch(/^\[.+\]\(.+\.md/);
	});

	it.each([
		['POST /public/proposals/{ProposalId}/items/{ProposalItemId}/qty', 'Update', '*Quantity*'],
		['POST /public/proposals/{ProposalId}', 'Update', '*Name*, *Salesperson*'],
		['POST /public/proposals/{ProposalId}/location/{LocationId}', 'Create', '*Location*'],
		['GET /public/people/{PersonId}', 'Create', '*Reuse Existing Contact*'],
		['GET /public/ai/outline/{OutlineId}', 'Get', '*Get By: Outline*'],
		['GET /public/ai/content', 'Generate', '*Wait for Completion*'],
		['GET /public/proposals/{ProposalId}', 'Get Many', '*Include Full Proposal*'],
	])('names the field that reaches %s', (name, operation, field) => {
		const links = cellOf(name)!.split(' | ')[1]!.split('; ');
		expect(links.some((one) => one.includes(`: ${operation}](`) && one.endsWith(field))).toBe(true);
	});

	it.each([
		['[Portal.io Trigger]', 4],
		['[Portal.io Polling Trigger]', 3],
		['the credential', 1],
	])('names what %s sends', (sender, count) => {
		expect(page.split('\n').filter((row) => row.includes(sender))).toHaveLength(count);
	});

	it('marks second paths', () => {
		const alternates = page.split('\n').filter((row) => row.endsWith('| second path |'));
		expect(alternates.length).toBe(read('simulator/openapi.yaml').match(/\.alternate$/gm)!.length);
	});

	it('is not written with a request that the contract does not have', () => {
		const [first] = declaredOperations(declarations);
		const request = { method: 'GET', path: '/public/nothing' } as const;
		const unknown = { ...first!, steps: () => [{ sets: [], request }] };
		expect(() => endpointPage([unknown])).toThrow('The contract has no GET /public/nothing');
	});

	it('is not written without an operation of the contract', () => {
		const others = declaredOperations(declarations).filter(({ resource }) => resource !== 'user');
		expect(() => endpointPage(others)).toThrow('Nothing reaches GET /public/users');
	});
});

describe('the page of an operation', () => {
	it.each(declared)('names every field of $name: $operation.name', ({ resource, operation }) => {
		const section = sectionOf(resource, operation.name);
		for (const { displayName, type, displayOptions } of operation.fields) {
			if (type === 'notice' || displayOptions?.show?.['@tool']) continue;
			if (type.endsWith('ollection')) expect(section).toContain(`| ${displayName}: `);
			else
				expect(section).toMatch(new RegExp(`\\| \\**${displayName.replace(/[()]/g, '.')}\\** \\|`));
		}
	});

	it.each(declared)(
		'fills in what $name: $operation.name requires',
		({ resource, value, operation }) => {
			const [, json] = /```json\n([^]*?)\n```/.exec(sectionOf(resource, operation.name))!;
			const [node] = JSON.parse(json!).nodes;
			expect(node.parameters).toMatchObject({ resource, operation: value });
			for (const { required, name: field, displayOptions } of operation.fields) {
				if (required && !displayOptions) expect(node.parameters).toHaveProperty(field);
			}
			const { updateFields } = node.parameters;
			if (updateFields !== undefined) expect(Object.keys(updateFields)).toHaveLength(2);
		},
	);

	it('needs a value for each field, and says where to add it', () => {
		const { area } = registry;
		const { create } = area!.operations;
		const field = { name: 'hue', displayName: 'Hue', type: 'string', default: '' } as const;
		const fields = [...create!.fields, field];
		const changed = { area: { ...area!, operations: { create: { ...create!, fields } } } };
		expect(() => declaredOperations({ ...declarations, registry: changed })).toThrow(
			'Add to scripts/exampleValues.mts a value for area.create.hue',
		);
	});

	it('says what comes out', () => {
		expect(sectionOf('area', 'Create')).toContain(
			'**Output**: `id` (number), `proposalId` (number), `name` (text), `areaOptionId` (number). Without *Simplify*: the full response.',
		);
		expect(sectionOf('item', 'Delete')).toContain(
			'**Output**: `deleted` (true or false), `proposalId` (number), `itemIds` (list).\n',
		);
	});

	it('lists the requests of an update in order', () => {
		const prefix = 'POST /public/proposals/{ProposalId}/items/{ProposalItemId}';
		const section = sectionOf('item', 'Update');
		expect(section).toContain(`1. *Quantity*: \`${prefix}/qty\`\n2. *Sell Price*: `);
		expect(section).toContain(`10. *Image URL*: \`${prefix}/image\``);
		expect(section).toMatch(
			/The example sends:\n\n1\. `POST [^`]*\/qty`, form: `\{"Quantity":2\}`\n2\. `POST [^`]*\/sellprice`/,
		);
	});
});
