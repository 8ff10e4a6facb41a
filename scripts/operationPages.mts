/**
 * The operations reference, written from the declarations: the table of the README and a page for
 * each resource. Nothing here is kept by hand but the values of the examples.
 */
import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from '../nodes/PortalIo/shared/operation.ts';
import { exampleValues, shownInCollections } from './exampleValues.mts';

/** The resources by parameter value, as the node knows them. */
export type Registry = Record<string, Resource>;

const isAssumed = ({ mark }: Operation) => mark === 'assumed';
/** The heading of an operation as GitHub makes an anchor of it. */
export const anchorOf = ({ name }: Operation) => name.toLowerCase().replaceAll(' ', '-');

/** The table of the README, each operation linked to its page. */
export function operationTable(registry: Registry): string {
	const rows = Object.entries(registry).flatMap(([resource, { name, operations }]) =>
		Object.values(operations).map((operation) => {
			const page = `docs/operations/${resource}.md#${anchorOf(operation)}`;
			const mark = isAssumed(operation) ? 'assumed' : '';
			return `| ${name} | [${operation.name}](${page}) | ${operation.description} | ${mark} |`;
		}),
	);
	return ['| resource | operation | what it does | |', '|---|---|---|---|', ...rows].join('\n');
}

/** The pages by file name in `docs/operations/`. */
export function operationPages(registry: Registry): Record<string, string> {
	const resources = Object.entries(registry);
	const index = [
		'# Operations',
		'',
		'Every operation of the *Portal.io* node, with its fields and an example. Written from the node itself by `npm run docs`.',
		'',
		'An example can be copied and pasted onto the canvas of n8n; its IDs are made up. Wherever an ID is asked for, the editor offers a list, and takes the ID itself or an expression. *Request Options* (*Inputs at a Time*, *Max Tries*) are there in all of them: see [bulk work](../bulk.md).',
		'',
		'| resource | operations |',
		'|---|---|',
		...resources.map(([resource, { name, operations }]) => {
			const links = Object.values(operations).map(
				(operation) => `[${operation.name}](${resource}.md#${anchorOf(operation)})`,
			);
			return `| [${name}](${resource}.md) | ${links.join(', ')} |`;
		}),
		'',
		'What *assumed* means, and what to do when an assumption is wrong, stands in [what is assumed](../assumptions.md).',
		'',
	].join('\n');
	const pages = resources.map(([resource, { name, operations }]) => [
		`${resource}.md`,
		[
			`# ${name}`,
			'',
			'[All operations](README.md)',
			'',
			...Object.entries(operations).flatMap(([operation, declaration]) =>
				operationSection(resource, operation, declaration),
			),
		].join('\n'),
	]);
	return { 'README.md': index, ...Object.fromEntries(pages) };
}

function operationSection(resource: string, operation: string, declaration: Operation): string[] {
	const { name, description, fields } = declaration;
	const sentence = description.endsWith('.') ? description : `${description}.`;
	const labels = new Map(fields.map((field) => [field.name, field.displayName]));
	const rows = fields.flatMap((field) => fieldRows(field, '', labels));
	const table =
		rows.length === 0
			? ['No fields.']
			: ['| field | takes | default | what |', '|---|---|---|---|', ...rows];
	return [
		`## ${name}`,
		'',
		sentence,
		'',
		...(isAssumed(declaration)
			? [
					'Portal.io does not document what this request holds: it is [assumed](../assumptions.md), and *Options* correct it.',
					'',
				]
			: []),
		...table,
		'',
		...example(resource, operation, declaration),
		'',
	];
}

/** A field, and below a collection the fields that can be added to it. */
function fieldRows(field: INodeProperties, prefix: string, labels: Map<string, string>): string[] {
	const { displayName, type, hint = '', description = hint, required, displayOptions } = field;
	const label = `${prefix}${displayName}`;
	const shown = Object.entries(displayOptions?.show ?? {}).map(
		([name, values]) => `*${labels.get(name)}* is ${values?.map(inWords).join(' or ')}`,
	);
	const condition = shown.length > 0 ? `if ${shown.join(' and ')}` : '';
	if (type === 'collection' || type === 'fixedCollection') {
		return innerFields(field).flatMap((one) => fieldRows(one, `${label}: `, labels));
	}
	const what = [cell(description), condition].filter(Boolean).join('; ');
	return [
		`| ${required ? `**${label}**` : label} | ${takes(field)} | ${defaultOf(field)} | ${what} |`,
	];
}

function innerFields({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type === 'fixedCollection') {
		return options.flatMap((group) => ('values' in group ? group.values : []));
	}
	return [];
}

function takes(field: INodeProperties): string {
	const choices = () =>
		(field.options ?? []).map((option) => ('name' in option ? option.name : '')).join(', ');
	switch (field.type) {
		case 'resourceLocator': {
			const modes = (field.modes ?? []).map(({ displayName }) => displayName.replace('By ', ''));
			return modes.join(', ').replace('From List', 'list');
		}
		case 'options':
			return choices();
		case 'multiOptions':
			return `several of ${choices()}`;
		case 'boolean':
			return 'on or off';
		case 'dateTime':
			return 'date';
		case 'string':
			return 'text';
		default:
			return field.type;
	}
}

function defaultOf({ type, default: value, options }: INodeProperties): string {
	if (type === 'resourceLocator' || value === '' || value === undefined) return '';
	if (Array.isArray(value)) return value.join(', ');
	if (type === 'boolean') return inWords(value);
	if (type === 'options') {
		const chosen = (options ?? []).find((one) => 'value' in one && one.value === value);
		return String(chosen && 'name' in chosen ? chosen.name : value);
	}
	return String(value);
}

const inWords = (value: unknown) =>
	typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
const cell = (text: string) => text.replaceAll('|', '\\|');

/** The node with example values, and what it sends. */
function example(resource: string, operation: string, declaration: Operation): string[] {
	const parameters = exampleParameters(resource, operation, declaration);
	const node = { type: 'n8n-nodes-portal-io.portalIo', typeVersion: 1, position: [0, 0] };
	const head = JSON.stringify({ name: declaration.action, ...node }).slice(0, -1);
	const filledIn = JSON.stringify({ resource, operation, ...parameters }, null, 2).replace(
		/\{\s+"__rl": true,\s+"mode": "id",\s+"value": ("[^"]*")\s+\}/g,
		'{ "__rl": true, "mode": "id", "value": $1 }',
	);
	const { method, path, query, form, json } = declaration.request(
		declaration.read(parameters, 'UTC'),
	);
	const body =
		form && Object.keys(form).length > 0
			? `, form: \`${JSON.stringify(form)}\``
			: json
				? `, JSON: \`${JSON.stringify(json)}\``
				: '';
	const filled = Object.entries(query ?? {}).filter(
		([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
	);
	const search = filled
		.flatMap(([key, value]) =>
			[value].flat().map((one) => `${key}=${encodeURIComponent(String(one))}`),
		)
		.join('&');
	return [
		'```json',
		`{"nodes":[${head},"parameters":${filledIn}}],"connections":{}}`,
		'```',
		'',
		`It sends \`${method} ${path}${search === '' ? '' : `?${search}`}\`${body}${declaration.upload ? ', with the file as multipart' : ''}.`,
	];
}

/** The parameters of an example, as the node stores them. */
export function exampleParameters(resource: string, operation: string, { fields }: Operation) {
	const key = `${resource}.${operation}`;
	const valueOf = (field: INodeProperties): unknown => {
		const value = exampleValues[`${key}.${field.name}`] ?? exampleValues[field.name];
		if (value === undefined && field.type === 'options') return field.default;
		if (value === undefined) throw new Error(`No example value for ${key}.${field.name}`);
		return field.type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
	};
	const isShown = ({ displayOptions }: INodeProperties) =>
		Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
			values?.includes(fields.find((one) => one.name === name)?.default as string),
		);
	const parameters: Record<string, unknown> = {};
	for (const field of fields) {
		if (field.type === 'collection') {
			const chosen = innerFields(field).filter(({ name }) =>
				shownInCollections[key]?.includes(name),
			);
			if (chosen.length === 0) continue;
			parameters[field.name] = Object.fromEntries(chosen.map((one) => [one.name, valueOf(one)]));
		} else if (isShown(field) && !['returnAll', 'limit', 'simplify'].includes(field.name)) {
			parameters[field.name] = valueOf(field);
		}
	}
	return parameters;
}
