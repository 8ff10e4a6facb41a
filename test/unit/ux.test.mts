/**
 * n8n's UX guidelines, over everything that the editor shows: the lint sees the literals of one file, and
 * our descriptions are put together.
 */
import { globSync, readFileSync } from 'node:fs';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { PortalIoApi } from '../../credentials/PortalIoApi.credentials.ts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

/** One thing that has a label: a field, a choice of it, or a way to fill it in. */
interface Shown {
	/** Where it is, for a failing test. */
	where: string;
	displayName: string;
	description?: string;
	/** Undefined for choices. */
	field?: INodeProperties;
}

/** A field with everything in it, choices included. */
function all(field: INodeProperties, path: string): Shown[] {
	const { displayName, description, options = [], modes = [] } = field;
	const { resource, operation } = field.displayOptions?.show ?? {};
	const where = [path, resource, operation, field.name].filter(Boolean).join(' ');
	return [
		{ where, displayName, description, field },
		...modes.map((mode) => ({ where: `${where} ${mode.name}`, displayName: mode.displayName })),
		...options.flatMap((option): Shown[] => {
			if ('values' in option) {
				return [
					{ where: `${where} ${option.name}`, displayName: option.displayName },
					...option.values.flatMap((one) => all(one, `${where} ${option.name}`)),
				];
			}
			if ('type' in option) return all(option, where);
			const { name, value, description: text } = option;
			return [{ where: `${where} = ${String(value)}`, displayName: name, description: text }];
		}),
	];
}

const nodes: INodeTypeDescription[] = [
	new PortalIo().description,
	new PortalIoTrigger().description,
	new PortalIoPollingTrigger().description,
];
const credential = new PortalIoApi();
const shown = [
	...nodes.flatMap(({ displayName, properties }) =>
		properties.flatMap((one) => all(one, displayName)),
	),
	...credential.properties.flatMap((one) => all(one, credential.displayName)),
];
const fields = shown.flatMap(({ where, field }) => (field ? [[where, field] as const] : []));

const CHOOSE_FROM_LIST =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/** What keeps its small letter in a title. */
const SMALL = /^(a|an|and|at|by|for|from|in|of|on|or|the|to|with)$/;

describe('what the editor shows', () => {
	it('writes labels in Title Case', () => {
		for (const { where, displayName, field } of shown) {
			if (field?.type === 'notice') continue;
			const [first, ...words] = displayName
				.replace(/[()/]/g, ' ')
				.trim()
				.split(/[\s-]+/);
			const wrong = [first, ...words.filter((word) => !SMALL.test(word))].filter(
				(word) => !/^[A-Z0-9]/.test(word!),
			);
			expect(wrong, `${where}: '${displayName}'`).toEqual([]);
		}
	});

	it('writes descriptions in sentence case, with a full stop only after several sentences', () => {
		for (const { where, displayName, description } of shown) {
			if (description === undefined || /^https:/.test(description)) continue;
			expect(description, where).toMatch(/^[A-Z]/);
			expect(description, where).not.toBe(displayName);
			expect(description.endsWith('.'), `${where}: ${description}`).toBe(
				/[.?!] [A-Z]/.test(description),
			);
			// n8n's own wording, which its lint asks for.
			const ours = description.replace(CHOOSE_FROM_LIST, '');
			expect(ours, where).not.toMatch(/\b(id|url|api|Id|Url|Api)\b|\s\s|`|<|>/);
		}
	});

	it('writes actions in sentence case', () => {
		for (const [where, { name, options = [] }] of fields) {
			if (name !== 'operation') continue;
			for (const option of options) {
				const { action } = option as INodePropertyOptions;
				expect(action!.replace(/ (AI|MSRP)\b/g, ''), where).toMatch(/^[A-Z][^A-Z]*$/);
			}
		}
	});

	it('begins the operations of a resource with one that reads many, if there is one', () => {
		const operations = fields.filter(([, { name }]) => name === 'operation');
		expect(operations).toHaveLength(Object.keys(registry).length);
		for (const [where, { options, default: value }] of operations) {
			const values = (options as INodePropertyOptions[]).map((one) => one.value);
			expect(value, where).toBe(
				values.find((one) => /^(getMany|search)$/.test(String(one))) ?? values[0],
			);
		}
	});

	it('names no field twice where both are shown', () => {
		for (const { displayName, properties } of nodes) {
			const names = properties.map(({ name, displayOptions }) =>
				[name, displayOptions?.show?.resource, displayOptions?.show?.operation].join(' '),
			);
			expect(new Set(names).size, displayName).toBe(names.length);
		}
	});

	it.each(fields)('fills in %s so that it runs', (where, field) => {
		const { type, default: value, options = [], placeholder, description } = field;
		expect(value, where).not.toBeUndefined();
		// A price or quantity that was not entered must not be sent: it has no number as its default.
		const isUnset = type === 'number' && value === '';
		const isPlain = ['boolean', 'number', 'string'].includes(type);
		if (isPlain && !isUnset) expect(typeof value).toBe(type);
		if (type === 'boolean') expect(description).toMatch(/^Whether /);
		if (type === 'options') {
			expect(options.map((one) => 'value' in one && one.value)).toContain(value);
		}
		if (type === 'multiOptions') expect(Array.isArray(value)).toBe(true);
		if (type === 'collection' || type === 'fixedCollection') {
			expect(value).toEqual({});
			expect(placeholder).toMatch(/^Add [a-z]+$/);
		} else if (placeholder !== undefined) {
			expect(placeholder).toMatch(/^e\.g\. /);
		}
	});

	it('sorts the choices and the optional fields by their labels', () => {
		for (const [where, { type, options = [], name }] of fields) {
			// Ascending comes before descending, and resources and events stand as dealers need them.
			if (!['options', 'multiOptions', 'collection'].includes(type) || options.length < 5) continue;
			if (name === 'resource' || name === 'event') continue;
			// What another field shows stands behind that one.
			const isShownByOther = (one: object) => 'displayOptions' in one;
			const labels = options
				.filter((one) => !isShownByOther(one))
				.map((one) => ('displayName' in one ? one.displayName : one.name));
			expect(labels, `${where} ${name}`).toEqual(
				labels.toSorted((one, other) => one.localeCompare(other)),
			);
		}
	});

	it('begins with the events of proposals, and with the option that creates a missing area', () => {
		const [, webhook, polling] = nodes;
		for (const one of [webhook, polling])
			expect(one!.properties[0]!.options![0]).toMatchObject({ name: 'Proposal Status Changed' });
		const placing = fields.filter(([, { options = [] }]) =>
			options.some(({ name }) => name === 'createMissingArea'),
		);
		expect(placing.map(([, { options }]) => options![0]!.name)).toEqual(
			placing.map(() => 'createMissingArea'),
		);
		expect(placing).toHaveLength(2);
	});

	it('offers the location of a new proposal before its contact is added', () => {
		const ofNew = fields.filter(
			([where, { name }]) => name === 'locationId' && /Fields/.test(where),
		);
		expect(ofNew.map(([, { displayOptions }]) => displayOptions)).toEqual([undefined, undefined]);
	});

	it('gives fields of collections defaults that take effect when they are added', () => {
		for (const [where, { type, options = [] }] of fields)
			for (const one of type === 'collection' ? (options as INodeProperties[]) : [])
				if (one.type === 'boolean') expect(one.default, `${where} ${one.name}`).toBe(true);
	});

	it('writes hints of 120 characters at most, and no choice twice', () => {
		for (const [where, { hint = '', type, options = [] }] of fields) {
			expect(hint.length, where).toBeLessThanOrEqual(120);
			if (!['options', 'multiOptions'].includes(type)) continue;
			const values = options.map((option) => 'value' in option && option.value);
			expect(new Set(values).size, where).toBe(values.length);
		}
	});

	it('lets n8n empty no field when another one changes', () => {
		for (const [where, { type, typeOptions }] of fields)
			if (type === 'resourceLocator')
				expect(typeOptions?.loadOptionsDependsOn, where).toBeUndefined();
	});

	it("tells n8n's assistant how to give a proposal and an area option, in modes that they have", () => {
		const hint = new PortalIo().description.builderHint!.searchHint!;
		const named = [...hint.matchAll(/mode '(\w+)' of (\w+)/g)];
		expect(named.map(([, , name]) => name)).toEqual(['proposalId', 'areaOptionId']);
		for (const [where, { name, modes = [] }] of fields)
			for (const [, mode, of] of named)
				if (name === of)
					expect(
						modes.map((one) => one.name),
						where,
					).toContain(mode);
	});

	it("tells n8n's assistant of each trigger when the other one fits", () => {
		const [, webhook, polling] = nodes as Required<INodeTypeDescription>[];
		expect(webhook!.builderHint.searchHint).toContain(polling!.displayName);
		expect(polling!.builderHint.searchHint).toContain(webhook!.displayName);
	});

	it('takes no expression where the fields below depend on the choice', () => {
		const choosing = fields.filter(([, { name }]) =>
			['resource', 'operation', 'event'].includes(name),
		);
		expect(choosing.length).toBe(2 + Object.keys(registry).length);
		for (const [where, { noDataExpression }] of choosing)
			expect(noDataExpression, where).toBe(true);
	});
});

it('names in errors and hints only fields, choices and nodes that exist', () => {
	const names = new Set([
		...shown.map(({ displayName }) => displayName),
		...nodes.map(({ displayName }) => displayName),
		credential.displayName,
		// n8n's own, in its HTTP Request node and in every credential.
		...['Authentication', 'Predefined Credential Type', 'Credential Type', 'Allowed Domains'],
		...['Ignore SSL Issues', 'SSL Certificates'],
	]);
	const named = globSync('{client,credentials,nodes}/**/*.ts').flatMap((file) => {
		const code = readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
		const texts = code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
		return texts.flatMap((text) => [...text.matchAll(/'([A-Z][^'$]{1,50})'/g)]);
	});
	expect(named.length).toBeGreaterThan(40);
	const unknown = named.map(([, name]) => name!).filter((name) => !names.has(name));
	expect(unknown.filter((name) => !/^N8N_/.test(name))).toEqual([]);
});
