/** Writes the README's list of operations, their index, and a page for each resource. */
import { Eta } from 'eta';
import { existsSync, readFileSync } from 'node:fs';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { endpointOf } from '../simulator/contract.mts';
import { innerFields, type Declared } from './declared.mts';
import { exampleNode, exampleOutput, exampleRequests } from './operationExamples.mts';
import { writeOutput, outputSection } from './outputTables.mts';

export function resourceList(operations: Declared[]): string {
	const lists = byResource(operations).map(([resource, declared]) => {
		const rows = declared.map(({ declaration: { name, description, unconfirmed } }) => {
			const mark = unconfirmed === undefined ? '' : ' *(not confirmed)*';
			return `|${name}${mark}|${purpose(description)}|`;
		});
		const { resourceName } = declared[0]!;
		const title = `**[${resourceName}](${PAGES}docs/operations/${resource}.md)**`;
		return `${title}\n\n|Operation|Description|\n|---|---|\n${rows.join('\n')}`;
	});
	const unconfirmed = operations.filter(isUnconfirmed);
	const unchecked = unconfirmed.filter(
		({ declaration }) => declaration.unconfirmed === 'unchecked',
	);
	const names = unchecked.map(({ declaration }) => `*${declaration.name}*`).join(', ');
	return paragraphs(
		`${operations.length} operations on ${lists.length} resources:`,
		...lists,
		unconfirmed.length > 0 &&
			`*Not confirmed*: these ${unconfirmed.length} operations might not work until Portal.io publishes their field names. All${names && ` except ${names}`} verify their result, and fail if the proposal does not show the change. You can [help confirm them](${PAGES}docs/assumptions.md) in a browser, without keys.`,
	);
}

/** URL of the repository's files. The README uses it, because npm doesn't resolve relative links to other folders. */
const PAGES = 'https://github.com/n8n-nodes-portal-io/n8n-nodes-portal-io/blob/main/';

const isUnconfirmed = ({ declaration }: Declared): boolean => declaration.unconfirmed !== undefined;

/** Returns the beginning of a description, up to its first period, colon, or `, which`. */
const purpose = (description: string): string => description.split(/[.:]( |$)|, which /)[0]!;

const paragraphs = (...all: (string | false)[]) => all.filter(Boolean).join('\n\n');

export function operationPages(
	operations: Declared[],
	requestOptions: INodeProperties,
): Record<string, string> {
	const pages = byResource(operations).map(
		([resource, declared]) => [`${resource}.md`, resourcePage(declared, operations)] as const,
	);
	return { 'README.md': index(operations, requestOptions), ...Object.fromEntries(pages) };
}

const eta = new Eta({ views: import.meta.dirname, autoEscape: false });

const byResource = (operations: Declared[]) =>
	Object.entries(Object.groupBy(operations, ({ resource }) => resource)) as [string, Declared[]][];

function index(operations: Declared[], requestOptions: INodeProperties): string {
	const everywhere = innerFields(requestOptions).map(({ displayName }) => `*${displayName}*`);
	const rows = byResource(operations).map(([resource, declared]) => {
		const links = declared.map((one) => {
			return `[${one.declaration.name}](${one.page})${isUnconfirmed(one) ? ' (not confirmed)' : ''}`;
		});
		return `- [${declared[0]!.resourceName}](${resource}.md): ${links.join(', ')}`;
	});
	return eta.render('./operations', {
		displayName: requestOptions.displayName,
		everywhere: everywhere.join(', '),
		rows: rows.join('\n'),
	});
}

/** Writes a resource's operations. Fields that several operations share appear once, above the operations. */
function resourcePage(declared: Declared[], all: Declared[]): string {
	const lines = repeated(declared.flatMap(fieldLines));
	const [{ resource, resourceName }] = declared as [Declared];
	return `${paragraphs(
		`# ${resourceName}`,
		'[All operations](README.md)',
		lines.length > 0 && `In several operations:\n\n${grouped(lines)}`,
		...declared.map((one) => operationSection(one, lines, writeOutput(one, declared, all))),
		outputSection(declared),
		pageText(resource),
	)}\n`;
}

const repeated = (texts: string[]) =>
	[...new Set(texts)].filter((text) => texts.indexOf(text) !== texts.lastIndexOf(text));

/** Writes lines about fields. Groups the fields of a collection below its name. */
const grouped = (lines: string[]): string =>
	lines
		.flatMap((line, index) => {
			const [text, group] = splitLine(line);
			if (group === undefined) return [`- ${text}`];
			const [, previous] = splitLine(lines[index - 1] ?? '');
			return [...(group === previous ? [] : [`- *${group}*:`]), `  - ${text}`];
		})
		.join('\n');

/** Returns the handwritten text about a resource or operation; empty if there is none. */
function pageText(name: string): string {
	const file = new URL(`pages/${name}.md`, import.meta.url);
	return existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : '';
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);

const UNCONFIRMED =
	'Portal.io has not published the field names of this operation, so it [might not work yet](../assumptions.md#changes-of-items).';
const RESULTS = {
	checked: 'The step verifies its result, and fails if the proposal does not show the change.',
	unchecked: 'The step cannot verify its result, so it might succeed without any change.',
};

function operationSection(declared: Declared, common: string[], output: string): string {
	const { resource, operation, forAgents, declaration } = declared;
	const { name, description, fields, unconfirmed } = declaration;
	const notices = fields.filter(({ type }) => type === 'notice');
	return paragraphs(
		`## ${name}`,
		sentence(description),
		...notices.map(({ displayName }) => sentence(displayName)),
		unconfirmed !== undefined && `${UNCONFIRMED} ${RESULTS[unconfirmed]}`,
		fieldList(fieldLines(declared), common),
		pageText(`${resource}.${operation}`),
		output,
		requestOrder(declared),
		forAgents !== '' && `**Tool Description** for AI agents: ${forAgents}`,
		exampleNode(declared),
		exampleRequests(declared),
		exampleOutput(declared),
	);
}

/** Writes an operation's fields. Writes only the names of shared fields. */
function fieldList(lines: string[], common: string[]): string {
	if (lines.length === 0) return 'No fields.';
	const own = lines.filter((line) => !common.includes(line));
	const names = lines.filter((line) => common.includes(line)).map(extractName);
	const end = own.length > 0 ? ', and:' : '.';
	return paragraphs(names.length > 0 && `Fields: ${names.join(', ')}${end}`, grouped(own));
}

function extractName(line: string): string {
	const [text, group] = splitLine(line);
	const name = text.split(/ \(|: /)[0]!;
	return group === undefined ? name : `${name} (*${group}*)`;
}

/** Fields that the index or the page of assumptions explains once for all operations. */
const EXPLAINED_ELSEWHERE = ['output', 'fields', 'returnAll', 'limit', 'checkResult'];

const isListed = ({ name, type }: INodeProperties) =>
	type !== 'notice' && !EXPLAINED_ELSEWHERE.includes(name);

/** Separator between a collection's name and a field in it. */
const SEPARATOR = '\t';

const splitLine = (line: string) => line.split(SEPARATOR).reverse() as [string, string?];

const fieldLines = ({ declaration: { fields } }: Declared): string[] =>
	fields.filter(isListed).flatMap((field) => {
		if (field.type !== 'collection' && field.type !== 'fixedCollection') {
			return [fieldLine(field, fields)];
		}
		const inner = innerFields(field).filter(isListed);
		const isAdded = field.type === 'collection';
		const all = [...inner, ...fields];
		return inner.map((one) => `${field.displayName}${SEPARATOR}${fieldLine(one, all, isAdded)}`);
	});

/**
 * Describes a field. Omits the default of a field that is added to a collection, because the field has no value until
 * then.
 */
function fieldLine(field: INodeProperties, all: INodeProperties[], isAdded = false): string {
	const { displayName, type, hint = '', required, displayOptions } = field;
	// Omit the hint of a resource locator, because the hint is about clicking.
	const { description = type === 'resourceLocator' ? '' : hint } = field;
	const conditions = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => {
		const other = all.find((one) => one.name === name.replace(/^\//, ''));
		return `*${other?.displayName}* is ${values?.map((value) => describeValue(value, other)).join(' or ')}`;
	});
	const condition = conditions.length > 0 ? `if ${conditions.join(' and ')}` : '';
	const defaultText = isAdded ? '' : describeDefault(field);
	const details = [takes(field), defaultText && `${defaultText} by default`, condition];
	const name = required ? `**${displayName}**` : displayName;
	const [brief, what] = [details.filter(Boolean).join('; '), plain(description)];
	return `${name}${brief && ` (${brief})`}${what && `: ${what}`}`;
}

function takes({ type, options = [], modes = [], typeOptions }: INodeProperties): string {
	const choices = options.map((option) => ('name' in option ? option.name : '')).join(', ');
	const ways = modes.map(({ displayName }) => displayName.replace('By ', ''));
	const shortNames: Record<string, string> = {
		resourceLocator: ways
			.filter((way) => way !== 'From List')
			.join(', ')
			.replace('Number', 'number'),
		options: choices,
		multiOptions: typeOptions?.loadOptionsMethod ? 'IDs' : `several of ${choices}`,
		dateTime: 'date',
		boolean: '',
		string: '',
	};
	return shortNames[type] ?? type;
}

function describeDefault(field: INodeProperties): string {
	const { type, default: value } = field;
	if (['resourceLocator', 'json'].includes(type) || value === '' || value === undefined) return '';
	const words = [value].flat().map((one) => describeValue(one, field));
	return words.join(', ');
}

function describeValue(value: unknown, field: INodeProperties | undefined): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const options = (field?.options ?? []) as INodePropertyOptions[];
	return options.find((one) => one.value === value)?.name ?? String(value);
}

/** Returns the editor's text without n8n's standard sentence at the end. */
const plain = (text: string) =>
	text.replace(/\.? ?Choose from the list, or specify IDs using an <a .*?<\/a>\.?$/, '');

const UPDATE =
	"Other fields keep their values. If a request fails, the rest is not sent, and the error says how far it got, such as `Set: 'Quantity'. Failed: 'Sell Price'. Not sent: 'Cost'.` You can safely run the step again, because each request sets a value.";

/** Writes the order of an operation's requests if the operation sends one request for each field or group of fields. */
function requestOrder({ completeSteps, operation }: Declared): string {
	if (completeSteps.filter(({ sets = [] }) => sets.length > 0).length < 2) return '';
	const rows = completeSteps.map(({ method, path, sets = [] }, index) => {
		const labels = sets.map((label) => `*${label}*`).join(', ');
		const request = `\`${method} ${endpointOf(method, path).path}\``;
		return `${index + 1}. ${labels === '' ? '' : `${labels}: `}${request}`;
	});
	const title = 'Sends one request for each of these fields that has a value, in this order:';
	return paragraphs(title, rows.join('\n'), operation === 'update' && UPDATE);
}
