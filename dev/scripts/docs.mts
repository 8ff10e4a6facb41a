/** Generates blocks in pages, `docs/operations/`, and output schemas from the declarations. */
import { readFileSync } from 'node:fs';
import type { INodePropertyOptions } from 'n8n-workflow';
import { requestOptions } from '../../nodes/PortalIo/fields/requestOptions.ts';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { outputShape } from '../../nodes/PortalIoTrigger/eventParameters.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';
import type { JsonType } from '../../nodes/shared/simplify.ts';
import { declaredOperations, readTypes } from './declared.mts';
import { operationPages, resourceList } from './operationPages.mts';

/** Folders of the JSON Schemas, which n8n's editor uses before a node has run. */
const schemaFolders = {
	node: 'nodes/PortalIo/__schema__/v1.0.0/',
	trigger: 'nodes/PortalIoTrigger/__schema__/v2.0.0/',
	pollingTrigger: 'nodes/PortalIoPollingTrigger/__schema__/v1.0.0/',
};

export const OWNED_FOLDERS = ['docs/operations/', ...Object.values(schemaFolders)];

/** Returns the generated files, each as its path relative to `root` and its text. */
export async function writtenFiles(root: URL): Promise<[file: string, text: string][]> {
	const { node, trigger, pollingTrigger } = schemaFolders;
	const operations = await declaredOperations();
	const pages = operationPages(operations, requestOptions);
	/** Replaces the text between two comments in a page. */
	const replaceBlocks = (file: string, blocks: Record<string, string>): [string, string] => {
		let page = readFileSync(new URL(file, root), 'utf8');
		for (const [name, text] of Object.entries(blocks)) {
			const block = new RegExp(`(<!-- ${name}:[^]*?-->\\n)[^]*?(<!-- ${name} end -->)`);
			page = page.replace(block, (_all, start, end) => `${start}${text}\n${end}`);
		}
		return [file, page];
	};
	return [
		replaceBlocks('README.md', {
			operations: resourceList(operations),
			triggers: triggerTable(),
		}),
		replaceBlocks('docs/triggers.md', { pollOutputs: pollOutputs() }),
		...Object.entries(pages).map(
			([file, page]) => [`docs/operations/${file}`, page] as [string, string],
		),
		...operations.map(({ resource, operation, output }): [string, string] => [
			`${node}${resource}/${operation}.json`,
			schemaText(output),
		]),
		[`${trigger}output.json`, schemaText(readTypes(outputShape))],
		// n8n requests the same schema for every event, so write that of the default event.
		[
			`${pollingTrigger}output.json`,
			schemaText(readTypes(pollEvents.proposalStatusChanged!.shape)),
		],
	];
}

/** Returns the README's table of events by trigger. */
function triggerTable(): string {
	const [webhook] = new PortalIoTrigger().description.properties;
	const webhookEvents = (webhook!.options as INodePropertyOptions[]).map(({ name }) => name);
	const polled = Object.values(pollEvents).map(({ name }) => name);
	const rows = [...new Set([...webhookEvents, ...polled])].map((name) => [
		name,
		webhookEvents.includes(name) ? 'yes' : '',
		polled.includes(name) ? 'yes' : '',
	]);
	const table = [
		['Event', 'Portal.io Trigger', 'Portal.io Polling Trigger'],
		['---', '---', '---'],
		...rows,
		[
			'**Starts the workflow**',
			'when Portal.io sends the event',
			'at the next poll, within a minute by default',
		],
		['**Needs**', 'a public https URL for n8n', 'nothing'],
	];
	return table.map((cells) => `|${cells.join('|')}|`).join('\n');
}

/** Returns a Markdown list of the fields in each polling event's simplified output. */
const pollOutputs = (): string =>
	Object.values(pollEvents)
		.map(({ name, shape }) => {
			const fields = Object.keys(shape).map((field) => `\`${field}\``);
			return `- **${name}**: ${fields.join(', ')}`;
		})
		.join('\n');

function schemaText(types: Record<string, JsonType>): string {
	const properties = Object.entries(types).map(
		([name, type]) => `\t\t${JSON.stringify(name)}: ${typeText(name, type)}`,
	);
	return `{\n\t"type": "object",\n\t"properties": {\n${properties.join(',\n')}\n\t},\n\t"version": 1\n}\n`;
}

/**
 * Writes a field's type in JSON Schema. Allows null for any value except IDs and values that the node adds. Lists and
 * objects have a single type, because the editor does not use the first of several types for them.
 */
function typeText(name: string, type: JsonType): string {
	if (type === 'array' && name.endsWith('Ids')) {
		return '{ "type": "array", "items": { "type": "integer" } }';
	}
	if (type === 'integer?') return '{ "type": ["integer", "null"] }';
	const isCertain =
		type === 'array' || type === 'object' || /^(id|.*Id|success|deleted)$/.test(name);
	return isCertain ? `{ "type": "${type}" }` : `{ "type": ["${type}", "null"] }`;
}
