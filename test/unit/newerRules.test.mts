/**
 * The rules of n8n's lint for community nodes that the installed plugin does not have, over what n8n
 * loads: the lint itself sees literals of one file only, and our descriptions are put together.
 *
 * Named after the rules; docs/n8n-internals.md#lint says where each comes from.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { PortalIoApi } from '../../credentials/PortalIoApi.credentials.ts';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const sources = ['credentials', 'nodes', 'client'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file)),
);

const nodes: INodeTypeDescription[] = [
	new PortalIo().description,
	new PortalIoTrigger().description,
	new PortalIoPollingTrigger().description,
];
const credential = new PortalIoApi();
const fileOf = ({ name }: INodeTypeDescription) => {
	const title = name.charAt(0).toUpperCase() + name.slice(1);
	return `nodes/${title}/${title}.node`;
};

/** A field, with everything that it contains. */
function withFieldsInside(field: INodeProperties): INodeProperties[] {
	const inside = (field.options ?? []).flatMap((option) =>
		'values' in option ? option.values : 'type' in option ? [option] : [],
	);
	return [field, ...inside.flatMap(withFieldsInside)];
}

/** Where a field of the top level is shown: `item.add items` of the node, `events` of a trigger. */
function placeOf({ name, displayOptions }: INodeProperties): string {
	const { resource, operation } = displayOptions?.show ?? {};
	return resource && operation ? `${resource[0]}.${operation[0]} ${name}` : name;
}

const fields = [...nodes, credential].flatMap(({ displayName, properties }) =>
	properties.flatMap((one) =>
		withFieldsInside(one).map((field) => ({
			where: [displayName, placeOf(one), ...(field === one ? [] : [field.name])].join(' '),
			field,
		})),
	),
);

const plainOptions = ({ options = [] }: INodeProperties) =>
	options.flatMap((one) => ('value' in one ? [{ name: one.name, value: one.value }] : []));

/** Optional fields that stand outside of a collection, and why. */
const IN_SIGHT: Record<string, string> = {
	returnAll: "n8n's own pattern for lists",
	limit: "n8n's own pattern for lists",
	simplify: "n8n's own pattern for large responses",
	event: 'decides which other fields are shown',
	itemType: 'decides what the list below offers',
	specifyItems: 'decides which other fields are shown',
	'aiOutline.get getBy': 'decides which other fields are shown',
	'catalog.search searchText': 'what people come for; without it the whole catalog',
	'item.refreshCosts itemIds': 'what the operation works on; without it all items',
	'proposal.create name': 'what people look for first',
	'webhookSubscription.create description': 'the only one of its kind: a collection would hide it',
	statuses: 'narrows the event that was chosen above',
	paymentStatuses: 'narrows the event that was chosen above',
};

describe('the fields', () => {
	it('hint-max-length: have hints of 120 characters at most', () => {
		for (const { where, field } of fields)
			expect(field.hint?.length ?? 0, where).toBeLessThanOrEqual(120);
	});

	it('non-required-fields-in-collection: are required, or in a collection, or have a reason', () => {
		const isOptional = ({ type, name, required }: INodeProperties) =>
			required !== true &&
			!['collection', 'fixedCollection', 'notice', 'callout', 'hidden'].includes(type) &&
			!['resource', 'operation'].includes(name);
		const unexpected = nodes.flatMap(({ properties }) =>
			properties
				.filter(isOptional)
				.filter((field) => !(field.name in IN_SIGHT || placeOf(field) in IN_SIGHT))
				.map(placeOf),
		);
		const advice =
			'into a collection, or with a reason into IN_SIGHT in test/unit/newerRules.test.mts';
		expect(unexpected, advice).toEqual([]);
	});

	it('open-ended-node-fields: ask for JSON only where it is required', () => {
		for (const { properties } of nodes)
			for (const field of properties)
				if (field.type === 'json') expect(field.required, placeOf(field)).toBe(true);
	});

	it('require-param-default: all have a default', () => {
		for (const { where, field } of fields) expect(field, where).toHaveProperty('default');
	});

	it('options-sorted-alphabetically: offer their choices by name', () => {
		for (const { where, field } of fields.filter(({ field: { type } }) => type === 'options')) {
			// Production first: nearly everybody has it.
			if (where.endsWith('API environment')) continue;
			const names = plainOptions(field).map(({ name }) => name);
			const sorted = names.toSorted((one, other) =>
				one.localeCompare(other, 'en', { sensitivity: 'base' }),
			);
			expect(names, where).toEqual(sorted);
		}
	});

	it('no-duplicate-param-options, no-asterisk-in-option-names', () => {
		for (const { where, field } of fields) {
			if (!['options', 'multiOptions'].includes(field.type)) continue;
			const options = plainOptions(field);
			for (const key of ['name', 'value'] as const)
				expect(new Set(options.map((one) => one[key])).size, where).toBe(options.length);
			for (const { name } of options) expect(name, where).not.toContain('*');
		}
	});

	it('resource-operation-pattern: each operation says what it does', () => {
		const operations = nodes[0]!.properties.filter(({ name }) => name === 'operation');
		expect(operations.length).toBeGreaterThan(1);
		for (const option of operations.flatMap(({ options = [] }) => options))
			expect(option).toMatchObject({ action: expect.stringMatching(/^[A-Z]/) });
	});
});

describe('the nodes', () => {
	it.each(nodes.map((node) => [node.name, node] as const))(
		'%s: has fixed inputs and outputs, one credential and a plain name in a file of that name',
		(name, node) => {
			const { inputs, outputs, credentials = [], group } = node;
			expect(inputs).toEqual(group.includes('trigger') ? [] : ['main']);
			expect(outputs).toEqual(['main']);
			expect(credentials.length).toBe(1);
			expect(name).toMatch(/^[a-z][a-zA-Z0-9]*$/);
			expect(sources).toContain(`${fileOf(node)}.ts`);
		},
	);

	it("node-class-description-non-core-color: do not use n8n's own color", () => {
		for (const node of nodes) expect(JSON.stringify(node)).not.toMatch(/#ff6d5a/i);
	});

	it('cred-class-name-suffix and its neighbors: the credential is called alike everywhere', () => {
		expect(credential.name).toBe('portalIoApi');
		expect(PortalIoApi.name).toBe('PortalIoApi');
		expect(sources).toContain('credentials/PortalIoApi.credentials.ts');
	});
});

describe('the codex files', () => {
	/** The list of docs.n8n.io, without AI, which needs n8n's AI Node SDK. */
	const CATEGORIES = [
		'Analytics',
		'Communication',
		'Data & Storage',
		'Development',
		'Finance & Accounting',
		'Marketing & Content',
		'Miscellaneous',
		'Productivity',
		'Sales',
		'Utility',
	];

	it.each(nodes.map((node) => [node.name, `${fileOf(node)}.json`] as const))(
		'%s: has known categories, not AI, Logic or Flow, and no subcategories',
		(name, file) => {
			const codex = JSON.parse(read(file));
			expect(codex.node).toBe(`${manifest.name}.${name}`);
			expect(codex.categories.length).toBeGreaterThan(0);
			for (const category of codex.categories) expect(CATEGORIES).toContain(category);
			expect(codex).not.toHaveProperty('subcategories');
		},
	);

	it('are not overruled by a codex in a description, which n8n would read instead', () => {
		for (const node of nodes) expect(node).not.toHaveProperty('codex');
	});
});

describe('package.json', () => {
	it('no-monorepo, require-mit-license, require-community-node-keyword', () => {
		expect(manifest.repository).not.toHaveProperty('directory');
		expect(manifest.license).toBe('MIT');
		expect(manifest.keywords).toContain('n8n-community-node-package');
	});
});

describe('the source', () => {
	const parse = (file: string) =>
		ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
	const inside = (node: ts.Node): ts.Node[] => [node, ...node.getChildren().flatMap(inside)];

	/** Whether an expression is an object with a property, or a constant that is one. */
	function hasProperty(expression: ts.Expression | undefined, name: string): boolean {
		if (expression === undefined) return false;
		if (ts.isIdentifier(expression)) {
			const constants = inside(expression.getSourceFile()).filter(ts.isVariableDeclaration);
			const { initializer } = constants.find((one) => one.name.getText() === expression.text) ?? {};
			return hasProperty(initializer, name);
		}
		return (
			ts.isObjectLiteralExpression(expression) &&
			expression.properties.some((property) => property.name?.getText() === name)
		);
	}

	it('node-operation-error-itemindex: errors of an execution name their input', () => {
		// Lists are shown in the editor, where there is no input.
		const executed = sources.filter(
			(file) =>
				/^(nodes\/PortalIo|client)\//.test(file) && !/\/(listSearch|loadOptions)\//.test(file),
		);
		const errors = executed.flatMap((file) =>
			inside(parse(file))
				.filter(ts.isNewExpression)
				.filter((one) => /^Node(Operation|Api)Error$/.test(one.expression.getText())),
		);
		expect(errors.length).toBeGreaterThan(5);
		const without = errors.filter((one) => !hasProperty(one.arguments?.[2], 'itemIndex'));
		expect(without.map((one) => one.getText())).toEqual([]);
	});

	it('no-hardcoded-ids: no account of anybody is written into it', () => {
		const fixed =
			/\b(partner|affiliate|reseller|account|tenant|customer|client)[_-]?id\b['"\]]*\s*[:=]\s*['"`]/i;
		for (const file of sources) expect(fixed.test(read(file)), file).toBe(false);
	});
});

describe('the icons', () => {
	/** Contrast of two colors, as WCAG 2 defines it. */
	function contrast(one: string, other: string): number {
		const luminance = (color: string) => {
			const [red, green, blue] = [1, 3, 5]
				.map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
				.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
			return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
		};
		const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
		return (light! + 0.05) / (dark! + 0.05);
	}

	it('knows black on white and its own color on itself', () => {
		expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
		expect(contrast('#2b2b2b', '#2b2b2b')).toBe(1);
	});

	it("icon-contrast: stand out from n8n's light and dark background by 3:1", () => {
		const backgrounds = { light: '#ffffff', dark: '#2b2b2b' };
		const shown = [
			...nodes.map((node) => ({ icon: node.icon, from: `${fileOf(node)}.ts` })),
			{ icon: credential.icon, from: 'credentials/PortalIoApi.credentials.ts' },
		];
		for (const { icon, from } of shown) {
			for (const theme of ['light', 'dark'] as const) {
				const file = join(dirname(from), (icon as Record<typeof theme, string>)[theme].slice(5));
				const colors = [...read(file).matchAll(/(?:fill|stroke)="(#[0-9a-f]{6})"/g)];
				const ratios = colors.map(([, color]) => contrast(color!, backgrounds[theme]));
				expect(Math.max(...ratios), `${basename(file)} on ${theme}`).toBeGreaterThanOrEqual(3);
			}
		}
	});
});
