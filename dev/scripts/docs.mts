/** What comes from the declarations: blocks of pages, `docs/operations/` and the output schemas. */
import { readFileSync } from 'node:fs';
import { requestOptions } from '../../nodes/PortalIo/fields/requestOptions.ts';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/events.ts';
import { outputShape } from '../../nodes/PortalIoTrigger/events.ts';
import type { JsonType } from '../../nodes/shared/simplify.ts';
import { declaredOperations, typesOf, type Declared } from './declared.mts';
import { operationPages, resourceList } from './operationPages.mts';
import { kindOf, kindTitles } from './recordedCall.mts';

/** The JSON Schema of each output, which n8n's editor offers before a node was run. */
const schemaFolders = {
	node: 'nodes/PortalIo/__schema__/v1.0.0/',
	trigger: 'nodes/PortalIoTrigger/__schema__/v2.0.0/',
	pollingTrigger: 'nodes/PortalIoPollingTrigger/__schema__/v1.0.0/',
};

export const OWNED_FOLDERS = ['docs/operations/', ...Object.values(schemaFolders)];

/** Returns the files by their paths from `root`. */
export async function writtenFiles(root: URL): Promise<[file: string, text: string][]> {
	const { node, trigger, pollingTrigger } = schemaFolders;
	const operations = await declaredOperations();
	const pages = operationPages(operations, requestOptions);
	const withBlock = (file: string, name: string, text: string): [string, string] => {
		const block = new RegExp(`(<!-- ${name}:[^]*?-->\\n)[^]*?(<!-- ${name} end -->)`);
		const page = readFileSync(new URL(file, root), 'utf8');
		return [file, page.replace(block, (_all, start, end) => `${start}${text}\n${end}`)];
	};
	return [
		withBlock('README.md', 'operations', resourceList(operations)),
		withBlock('docs/dev/faults.md', 'kinds', kindList(operations)),
		...Object.entries(pages).map(
			([file, page]) => [`docs/operations/${file}`, page] as [string, string],
		),
		...operations.map(({ resource, operation, output }): [string, string] => [
			`${node}${resource}/${operation}.json`,
			schemaText(output),
		]),
		[`${trigger}output.json`, schemaText(typesOf(outputShape))],
		// n8n asks for one schema whatever the event: the one of the default event.
		[`${pollingTrigger}output.json`, schemaText(typesOf(pollEvents.proposalStatusChanged!.shape))],
	];
}

function schemaText(types: Record<string, JsonType>): string {
	const properties = Object.entries(types).map(
		([name, type]) => `\t\t${JSON.stringify(name)}: ${typeText(name, type)}`,
	);
	return `{\n\t"type": "object",\n\t"properties": {\n${properties.join(',\n')}\n\t},\n\t"version": 1\n}\n`;
}

/**
 * A record may lack any value except its IDs and what the node itself adds. The editor takes the first
 * of several types; of lists and objects only a single type.
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

/** The operations by what matters when something fails: a line for each kind. */
function kindList(operations: Declared[]): string {
	const lines = Object.entries(kindTitles).map(([kind, title]) => {
		const those = operations.filter(({ exampleSteps }) => kindOf(exampleSteps[0]!) === kind);
		const names = those.map(({ resource, operation }) => `\`${resource}.${operation}\``);
		return `- **${title}** (${names.length}): ${names.join(', ')}`;
	});
	return lines.join('\n');
}
