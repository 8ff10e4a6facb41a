/** Checks all text in the editor together against n8n's UX guidelines. Lint rules check each file separately. */
import { globSync, readFileSync } from 'node:fs';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { declaredOperations } from '../../dev/scripts/declared.mts';
import { endpointOf } from '../../dev/simulator/contract.mts';
import { PortalIoApi } from '../../credentials/PortalIoApi.credentials.ts';
import { loadOptions } from '../../nodes/PortalIo/editor/lists.ts';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

interface Shown {
	where: string;
	displayName: string;
	description?: string;
	field?: INodeProperties;
}

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

const choicesOf = (options: INodeProperties['options'] = []) => options as INodePropertyOptions[];

/** Words that are lowercase in Title Case. */
const SMALL = /^(a|an|and|at|by|for|from|in|of|on|or|the|to|with)$/;

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

it('writes descriptions in sentence case', () => {
	for (const { where, displayName, description } of shown) {
		if (description === undefined || description.startsWith('https:')) continue;
		expect(description, where).toMatch(/^[A-Z]/);
		expect(description, where).not.toBe(displayName);
		expect(description.endsWith('.'), `${where}: ${description}`).toBe(
			/[.?!] [A-Z]/.test(description),
		);
		// Remove n8n's own wording, which its lint rules require.
		const ours = description.replace(CHOOSE_FROM_LIST, '');
		expect(ours, where).not.toMatch(/\b(id|url|api|Id|Url|Api)\b|\s\s|`|<|>/);
	}
});

/** All text that the editor shows for a field or choice. */
const texts = shown.flatMap(({ where, displayName, description, field }) => {
	const actions = choicesOf(field?.options).flatMap(({ action }) => action ?? []);
	return [displayName, description, field?.hint, ...actions].flatMap((text) =>
		text === undefined ? [] : [{ where, text: text.replace(CHOOSE_FROM_LIST, '') }],
	);
});

it.each([
	['separates the last entry of a list with a comma', /\w, (?!with\b)\w+ (and|or) \w/],
	[
		'avoids words that sound translated',
		/\b(may|takes|at once|refused?|answers?|exchange|whatever|anew)\b/i,
	],
	['uses address only for houses and mailboxes', /(?<!email |billing )\baddress/i],
])('%s', (_rule, pattern) => {
	expect(texts.filter(({ text }) => pattern.test(text))).toEqual([]);
});

it('describes resources with nouns', () => {
	const [resources] = new PortalIo().description.properties;
	for (const { description } of choicesOf(resources!.options))
		expect(description).toMatch(/^(An?|The) /);
});

const RULES: Record<string, (field: INodeProperties) => boolean> = {
	'writes actions in sentence case': ({ name, options }) =>
		name !== 'operation' ||
		choicesOf(options).every(({ action }) => /^[A-Z]([^A-Z]| AI\b)*$/.test(action!)),
	'preselects an operation that reads many records': ({ name, options, default: value }) => {
		const values = choicesOf(options).map((one) => String(one.value));
		const many = values.find((one) => /^(getMany|search)$/.test(one));
		return name !== 'operation' || value === (many ?? values[0]);
	},
	'writes actions without articles': ({ name, options }) =>
		name !== 'operation' ||
		choicesOf(options).every(({ action }) => !/\b(an?|the)\b/.test(action!)),
	'ends hints and notices with a period only after several sentences': (field) => {
		const text = field.type === 'notice' ? field.displayName : (field.hint ?? '');
		return text.endsWith('.') === /[.?!] [A-Z]/.test(text);
	},
	'gives every field a default': ({ default: value }) => value !== undefined,
	// Also accept an empty default for a number, so no price or quantity is sent that nobody entered.
	'gives every field a default of its type': ({ type, default: value }) =>
		!/^(boolean|number|string)$/.test(type) ||
		typeof value === type ||
		(type === 'number' && value === ''),
	'gives every choice a default among its values': ({ type, options, default: value }) =>
		type !== 'options' || choicesOf(options).some((one) => one.value === value),
	'gives every multiple choice a list as its default': ({ type, default: value }) =>
		type !== 'multiOptions' || Array.isArray(value),
	'gives collections an empty default and a button with a noun': (field) =>
		!field.type.endsWith('ollection') ||
		/^\{\} Add [a-z]+$/.test(`${JSON.stringify(field.default)} ${field.placeholder}`),
	'writes placeholders as examples': ({ type, placeholder = 'e.g. ' }) =>
		type.endsWith('ollection') || placeholder.startsWith('e.g. '),
	'begins the descriptions of switches with Whether': ({ type, description = '' }) =>
		type !== 'boolean' || description.startsWith('Whether '),
	'turns on a switch that is added to a collection': ({ type, options = [] }) =>
		type !== 'collection' ||
		options.every((one) => !('type' in one) || one.type !== 'boolean' || one.default === true),
	'limits hints to 120 characters': ({ hint = '' }) => hint.length <= 120,
	'lists each choice once': ({ type, options = [] }) =>
		!type.endsWith('ptions') ||
		new Set(choicesOf(options).map(({ value }) => value)).size === options.length,
	// Skip resources and events, which are in order of use, and conditional fields, which follow the field that they
	// depend on.
	'sorts choices and optional fields by their labels': ({ name, type, options = [] }) => {
		const labels = options
			.filter((one) => !('displayOptions' in one))
			.map((one) => ('displayName' in one ? one.displayName : one.name));
		const isFree = options.length < 5 || type === 'fixedCollection';
		const sorted = labels.toSorted((one, other) => one.localeCompare(other));
		return isFree || /^(resource|event)$/.test(name) || labels.join() === sorted.join();
	},
	'never lets n8n empty a field when another one changes': ({ type, typeOptions }) =>
		type !== 'resourceLocator' || typeOptions?.loadOptionsDependsOn === undefined,
	// Require both the value and the mode. Otherwise, a list that failed to load in the wrong mode would keep its
	// error.
	'reads a list again when the mode of the proposal changes': ({ typeOptions }) => {
		const parameters = typeOptions?.loadOptionsDependsOn ?? [];
		return parameters.includes('proposalId.value') === parameters.includes('proposalId.mode');
	},
	'allows no expression in a field that the fields below depend on': ({ name, noDataExpression }) =>
		!/^(resource|operation|event)$/.test(name) || noDataExpression === true,
};

it.each(Object.entries(RULES))('%s', (_rule, isRight) => {
	expect(fields.filter(([, field]) => !isRight(field)).map(([where]) => where)).toEqual([]);
});

it('gives fields of one operation different names', () => {
	for (const { displayName, properties } of nodes) {
		const names = properties.map(({ name, displayOptions }) =>
			[name, displayOptions?.show?.resource, displayOptions?.show?.operation].join(' '),
		);
		expect(new Set(names).size, displayName).toBe(names.length);
	}
});

it('marks unconfirmed operations in the description and in a notice', async () => {
	const declared = await declaredOperations();
	const assumed = declared
		.filter(({ completeSteps }) =>
			completeSteps.some(({ method, path }) => endpointOf(method, path).mark === 'assumed'),
		)
		.map(({ resource, operation }) => `${resource} ${operation}`);
	const described = shown
		.filter(({ description = '' }) =>
			description.endsWith('. Might not work until Portal.io publishes the field names.'),
		)
		.map(({ where }) => where.replace(/^Portal\.io (\w+) operation = (\w+)$/, '$1 $2'));
	const notices = fields.filter(([, { name }]) => name === 'unconfirmedNotice');
	const checked = notices.filter(([, { displayName }]) =>
		displayName.endsWith(', so the step checks the result'),
	);
	// Add *Duplicate*, which sends the same requests as item operations.
	const unconfirmed = ['proposal duplicate', ...assumed];
	expect(described).toEqual(unconfirmed);
	expect(notices.map(([where]) => where)).toEqual(
		unconfirmed.map((name) => `Portal.io ${name} unconfirmedNotice`),
	);
	// *Refresh Costs* does not have *Check Result*.
	expect(notices.filter((notice) => !checked.includes(notice)).map(([where]) => where)).toEqual([
		'Portal.io item refreshCosts unconfirmedNotice',
	]);
});

it('lists the most used events and options first', () => {
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

it('shows the location field of a new proposal even before a contact is added', () => {
	const ofNew = fields.filter(([where, { name }]) => name === 'locationId' && /Fields/.test(where));
	expect(ofNew.map(([, { displayOptions }]) => displayOptions)).toEqual([undefined, undefined]);
});

it("refers n8n's assistant only to modes that exist", () => {
	const hint = new PortalIo().description.builderHint!.searchHint!;
	const named = [...hint.matchAll(/mode '(\w+)' of (\w+)/g)];
	expect(named.map(([, , name]) => name)).toEqual(['proposalId', 'areaOptionId']);
	for (const [, mode, of] of named) {
		const modes = fields.filter(([, { name }]) => name === of).map(([, field]) => field.modes);
		for (const one of modes) expect(one!.map(({ name }) => name)).toContain(mode);
	}
});

it("refers n8n's assistant from each trigger to the other", () => {
	const [, webhook, polling] = nodes as Required<INodeTypeDescription>[];
	expect(webhook!.builderHint.searchHint).toContain(polling!.displayName);
	expect(polling!.builderHint.searchHint).toContain(webhook!.displayName);
});

it.each([
	'recording',
	'quote',
	'quote accepted',
	'bid',
	'AV',
	'bill of materials',
	'BOM',
	'price list',
	'purchase list',
	'refresh',
	'refresh costs',
	'proposal',
])('is found in the nodes panel by "%s"', (word) => {
	const { alias } = JSON.parse(readFileSync('nodes/PortalIo/PortalIo.node.json', 'utf8')) as {
		alias: string[];
	};
	expect(alias.map((one) => one.toLowerCase())).toContain(word.toLowerCase());
});

it('finds the upload action by the search term "recording"', () => {
	const { options } = new PortalIo().description.properties.find(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes('aiContent'),
	)!;
	const found = choicesOf(options).filter(({ action }) => action!.includes('recording'));
	expect(found.map(({ value }) => value)).toEqual(['upload']);
});

it('refers in errors and hints only to existing fields, choices, and nodes', async () => {
	const step: Record<string, string> = { resource: 'item', operation: 'getMany' };
	const context = { getCurrentNodeParameter: (name: string) => step[name] };
	const itemFields = await loadOptions.getOutputFields.call(context as never);
	const names = new Set([
		...shown.map(({ displayName }) => displayName),
		...itemFields.map(({ name }) => name),
		...nodes.map(({ displayName }) => displayName),
		credential.displayName,
		// n8n's own labels, in its HTTP Request node, credentials, and step settings.
		'Authentication',
		'Predefined Credential Type',
		'Credential Type',
		'Allowed Domains',
		'Ignore SSL Issues',
		'SSL Certificates',
		'Retry On Fail',
		'On Error',
		'Continue (using error output)',
		// Switch above each field.
		'Expression',
		// Step of the user's workflow, as an example.
		'On form submission',
		// Area and option, as an example.
		'Den / 2',
	]);
	const named = globSync('{client,credentials,nodes}/**/*.ts').flatMap((file) => {
		const code = readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
		const texts = code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
		return texts.flatMap((text) => [...text.matchAll(/'([A-Z][^'$]{1,50})'/g)]);
	});
	expect(named.length).toBeGreaterThan(40);
	// Operations appear with their resource, such as `Item: Get Many`.
	const unknown = named.flatMap(([, name]) => name!.split(': ')).filter((name) => !names.has(name));
	expect(unknown.filter((name) => !name.startsWith('N8N_'))).toEqual([]);
});

it('preselects the sandbox, because Portal.io issues sandbox keys first', () => {
	const [environment] = credential.properties;
	expect(environment).toMatchObject({ name: 'environment', default: 'sandbox' });
});
