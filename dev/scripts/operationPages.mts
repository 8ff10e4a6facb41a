/**
 * The operations reference, written from the declarations: the lines of the README, the table of all
 * operations and a page for each resource.
 */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { JsonType } from '../../nodes/shared/shape.ts';
import type { Recorded } from './recordedCall.mts';
import { certaintyOf, certaintyOfAll, certaintySentence } from './certainty.mts';
import { endpointOf } from './contract.mts';
import { innerFields, type Declared } from './declared.mts';
import { notes } from './partsList.mts';

/** The lines of the README: a resource with its operations. */
export function resourceTable(operations: Declared[]): string {
	const rows = byResource(operations).map(([resource, declared]) => {
		const names = declared.map(({ declaration }) => declaration.name).join(', ');
		const page = `docs/operations/${resource}.md`;
		return `| [${declared[0]!.resourceName}](${page}) | ${declared.length} | ${names} |`;
	});
	return [
		`${operations.length} operations on ${rows.length} resources, each with its fields, its output and an example: [the table](docs/operations/README.md).`,
		'',
		'| resource | | operations |',
		'|---|---|---|',
		...rows,
		...certaintyOfAll(operations),
	].join('\n');
}

/** The pages by file name in `docs/operations/`. */
export function operationPages(
	operations: Declared[],
	requestOptions: INodeProperties,
): Record<string, string> {
	const pages = byResource(operations).map(([resource, declared]) => [
		`${resource}.md`,
		[
			`# ${declared[0]!.resourceName}`,
			'',
			'[All operations](README.md)',
			'',
			...declared.flatMap(operationSection),
		].join('\n'),
	]);
	return { 'README.md': index(operations, requestOptions), ...Object.fromEntries(pages) };
}

const byResource = (operations: Declared[]) =>
	Object.entries(Object.groupBy(operations, ({ resource }) => resource)) as [string, Declared[]][];

function index(operations: Declared[], requestOptions: INodeProperties): string {
	const everywhere = innerFields(requestOptions).map(({ displayName }) => `*${displayName}*`);
	const rows = operations.map((declared) => {
		const { resource, resourceName, page, declaration } = declared;
		const mark = certaintyOf(declared);
		return `| [${resourceName}](${resource}.md) | [${declaration.name}](${page}) | ${declaration.description} | ${mark} |`;
	});
	return [
		'# Operations',
		'',
		'Every operation of the *Portal.io* node. Written from the node itself by `npm run docs`.',
		'',
		`An example can be copied and pasted onto the canvas of n8n; its IDs are made up. Wherever an ID is needed, the editor offers a list, and takes the ID itself or an expression. Every operation has *${requestOptions.displayName}* (${everywhere.join(', ')}): see [bulk work](../bulk.md). An operation that retrieves a list has *Return All* and *Limit* (50 unless *Return All* is on). In the output, a field without a type is text. Where it says *Without Simplify*, the operation has the switch *Simplify*, which is on by default. A tool of an AI agent has *Output* in its place: *Simplified*, *Raw* or *Selected Fields*.`,
		'',
		'| resource | operation | what it does | |',
		'|---|---|---|---|',
		...rows,
		'',
		'[What is assumed](../assumptions.md) says what *assumed* means, and what to do when an assumption is wrong; what is *confirmed*, [the probe](../probe.md) has seen Portal.io take. A field of a collection has no value until it is added.',
		'',
	].join('\n');
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);

function operationSection(declared: Declared): string[] {
	const { name, description, fields } = declared.declaration;
	const rows = fields.filter(isInTable).flatMap((field) => fieldRows(field, '', fields));
	const table =
		rows.length === 0
			? ['No fields.']
			: ['| field | takes | default | what |', '|---|---|---|---|', ...rows];
	return [
		`## ${name}`,
		'',
		sentence(description),
		'',
		...fields
			.filter(({ type }) => type === 'notice')
			.flatMap(({ displayName }) => [sentence(displayName), '']),
		...certaintySentence(declared),
		...table,
		'',
		...(notes[`${declared.resource}.${declared.operation}`] ?? []),
		outputSentence(declared),
		'',
		...requestOrder(declared),
		...exampleNode(declared),
		'',
		...exampleRequests(declared),
		'',
	];
}

/** What many operations have alike is told once: in the index, or on the page of assumptions. */
const TOLD_ELSEWHERE = [
	'simplify',
	'returnAll',
	'limit',
	'bodyFormat',
	'extraFields',
	'checkResult',
];

/** What AI agents have in place of a field is told in one place, and a notice is no field. */
const isInTable = ({ name, type, displayOptions }: INodeProperties) =>
	type !== 'notice' && !TOLD_ELSEWHERE.includes(name) && !('@tool' in (displayOptions?.show ?? {}));

/**
 * A field, and below a collection the fields that can be added to it. What is added starts with its
 * default then; until it is added, it has no value.
 */
function fieldRows(
	field: INodeProperties,
	prefix: string,
	all: INodeProperties[],
	isAdded = false,
): string[] {
	const { displayName, type, hint = '', description = hint, required, displayOptions } = field;
	const label = `${prefix}${displayName}`;
	if (type === 'collection' || type === 'fixedCollection') {
		const inner = innerFields(field);
		return inner
			.filter(isInTable)
			.flatMap((one) => fieldRows(one, `${label}: `, inner, type === 'collection'));
	}
	const shown = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => {
		const other = all.find((one) => one.name === name);
		return `*${other?.displayName}* is ${values?.map((value) => inWords(value, other)).join(' or ')}`;
	});
	const condition = shown.length > 0 ? `if ${shown.join(' and ')}` : '';
	const what = [cell(condition === '' ? description : description.replace(/\.$/, '')), condition]
		.filter(Boolean)
		.join('; ');
	return [
		`| ${required ? `**${label}**` : label} | ${takes(field)} | ${isAdded ? '' : defaultOf(field)} | ${what} |`,
	];
}

function takes({ type, options = [], modes = [], typeOptions }: INodeProperties): string {
	const choices = options.map((option) => ('name' in option ? option.name : '')).join(', ');
	switch (type) {
		case 'resourceLocator': {
			const ways = modes.map(({ displayName }) => displayName.replace('By ', ''));
			return ways.join(', ').replace('From List', 'list').replace('Number', 'number');
		}
		case 'options':
			return choices;
		case 'multiOptions':
			return typeOptions?.loadOptionsMethod
				? 'several from a list, or IDs'
				: `several of ${choices}`;
		case 'boolean':
			return 'on or off';
		case 'dateTime':
			return 'date';
		case 'string':
			return 'text';
		default:
			return type;
	}
}

function defaultOf(field: INodeProperties): string {
	const { type, default: value } = field;
	if (type === 'resourceLocator' || value === '' || value === undefined) return '';
	return [value]
		.flat()
		.map((one) => inWords(one, field))
		.join(', ');
}

/** A value as the editor shows it. */
function inWords(value: unknown, field: INodeProperties | undefined): string {
	if (typeof value === 'object') return 'set';
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const options = (field?.options ?? []) as INodePropertyOptions[];
	return options.find((one) => one.value === value)?.name ?? String(value);
}

/** Text of the editor in a cell of a table, without what the column beside it says. */
const cell = (text: string) =>
	text
		.replace(/ ?Choose from the list, or specify IDs using an <a .*?<\/a>\.$/, '')
		.replaceAll('|', '\\|');

const TYPE_NAMES: Record<Exclude<JsonType, 'string'>, string> = {
	array: 'list',
	boolean: 'true or false',
	integer: 'number',
	'integer?': 'number',
	number: 'number',
	object: 'object',
};

function outputSentence({ output, declaration: { fields } }: Declared): string {
	const names = Object.entries(output).map(([name, type]) =>
		type === 'string' ? `\`${name}\`` : `\`${name}\` (${TYPE_NAMES[type]})`,
	);
	const canBeFull = fields.some(({ name }) => name === 'simplify');
	const full = canBeFull ? ' Without *Simplify*: the full response.' : '';
	return `**Output**: ${names.join(', ')}.${full}`;
}

/** The requests of an operation that has one for each field or group of fields. */
function requestOrder({ completeSteps }: Declared): string[] {
	if (completeSteps.filter(({ sets = [] }) => sets.length > 0).length < 2) return [];
	return [
		'A request for each of these fields that has a value, in this order:',
		'',
		...completeSteps.map(({ method, path, sets = [] }, index) => {
			const labels = sets.map((label) => `*${label}*`).join(', ');
			const request = `\`${method} ${endpointOf(method, path).path}\``;
			return `${index + 1}. ${labels === '' ? '' : `${labels}: `}${request}`;
		}),
		'',
	];
}

/** The node with example values, as n8n copies it. */
function exampleNode({ resource, operation, declaration, example }: Declared): string[] {
	const node = { type: 'n8n-nodes-portal-io.portalIo', typeVersion: 1, position: [0, 0] };
	const head = JSON.stringify({ name: declaration.action, ...node }).slice(0, -1);
	const parameters = JSON.stringify({ resource, operation, ...example }, null, 2)
		.replace(
			/\{\s+"__rl": true,\s+"mode": "id",\s+"value": ("[^"]*")\s+\}/g,
			'{ "__rl": true, "mode": "id", "value": $1 }',
		)
		.replace(/\[\s+([^[\]{}]+?)\s+\]/g, (_all, list: string) => `[${list.replace(/\n\s+/g, ' ')}]`);
	return ['```json', `{"nodes":[${head},"parameters":${parameters}}],"connections":{}}`, '```'];
}

function exampleRequests({ exampleSteps }: Declared): string[] {
	const requests = exampleSteps.map(requestText);
	if (requests.length > 1) {
		return ['The example sends:', '', ...requests.map((one, index) => `${index + 1}. ${one}`)];
	}
	const file = exampleSteps[0]!.isUpload ? ', with the file as multipart' : '';
	return [`The example sends ${requests[0]}${file}.`];
}

/** A request with its query and body. */
function requestText({ method, path, query = {}, form, json }: Recorded): string {
	const search = Object.entries(query)
		.flatMap(([key, value]) => [value].flat().map((one) => [key, one] as const))
		.filter(([, value]) => value !== undefined)
		.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
		.join('&');
	const body =
		form && Object.keys(form).length > 0
			? `, form: \`${JSON.stringify(form)}\``
			: json
				? `, JSON: \`${JSON.stringify(json)}\``
				: '';
	return `\`${method} ${path}${search === '' ? '' : `?${search}`}\`${body}`;
}
