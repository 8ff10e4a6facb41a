/**
 * `npm run docs`: writes what comes from the declarations into the README, `docs/dev/faults.md`,
 * `docs/operations/` and the output schemas of the nodes, so that nobody has to maintain it by hand.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { JsonType } from '../../nodes/shared/shape.ts';
import { declaredOperations, typesOf, type Declarations, type Declared } from './declared.mts';
import { operationPages, resourceList } from './operationPages.mts';

/** The JSON Schema of each output, which n8n's editor offers before a node was run. */
const schemaFolders = {
	node: 'nodes/PortalIo/__schema__/v1.0.0/',
	trigger: 'nodes/PortalIoTrigger/__schema__/v2.0.0/',
	pollingTrigger: 'nodes/PortalIoPollingTrigger/__schema__/v1.0.0/',
};

export const OWNED_FOLDERS = ['docs/operations/', ...Object.values(schemaFolders)];

/** Returns the files by their paths; `read` gives those in which one block is replaced. */
export async function writtenFiles(
	declarations: Declarations,
	read: (file: string) => string,
): Promise<Map<string, string>> {
	const { outputShape, pollEvents } = declarations;
	const { node, trigger, pollingTrigger } = schemaFolders;
	const operations = await declaredOperations(declarations);
	const pages = operationPages(operations, declarations.requestOptions);
	return new Map([
		['README.md', withBlock(read('README.md'), 'operations', resourceList(operations))],
		['docs/dev/faults.md', withBlock(read('docs/dev/faults.md'), 'kinds', kindList(operations))],
		...Object.entries(pages).map(([file, page]) => [`docs/operations/${file}`, page] as const),
		...operations.map(
			({ resource, operation, output }) =>
				[`${node}${resource}/${operation}.json`, schemaText(output)] as const,
		),
		[`${trigger}output.json`, schemaText(typesOf(outputShape))],
		// n8n asks for one schema whatever the event: the one of the default event.
		[`${pollingTrigger}output.json`, schemaText(typesOf(pollEvents.proposalStatusChanged!.shape))],
	]);
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

function withBlock(page: string, name: string, text: string): string {
	const block = new RegExp(`(<!-- ${name}:[^]*?-->\\n)[^]*?(<!-- ${name} end -->)`);
	return page.replace(block, (_all, start, end) => `${start}${text}\n${end}`);
}

const KINDS = ['reads', 'sets a value', 'deletes', 'creates', 'uploads'] as const;

/** The operations by what matters when something fails: a line for each kind. */
function kindList(operations: Declared[]): string {
	const byKind = Object.groupBy(operations, kindOf);
	return KINDS.map((kind) => {
		const names = (byKind[kind] ?? []).map(
			({ resource, operation }) => `\`${resource}.${operation}\``,
		);
		return `- **${kind}** (${names.length}): ${names.join(', ')}`;
	}).join('\n');
}

function kindOf({ exampleSteps }: Declared): (typeof KINDS)[number] {
	const { method, isRepeatable, isUpload } = exampleSteps[0]!;
	if (isUpload) return 'uploads';
	if (method === 'GET') return 'reads';
	if (method === 'DELETE') return 'deletes';
	return isRepeatable === true ? 'sets a value' : 'creates';
}

if (import.meta.main) {
	const root = new URL('../..', import.meta.url).pathname;
	const load = createRequire(import.meta.url);
	const declarations = {
		...load('../../dist/nodes/PortalIo/resources/index.js'),
		...load('../../dist/nodes/PortalIo/operation/operation.js'),
		...load('../../dist/nodes/PortalIo/operation/output.js'),
		...load('../../dist/nodes/PortalIo/run/run.js'),
		...load('../../dist/nodes/PortalIoTrigger/events.js'),
		...load('../../dist/nodes/PortalIoPollingTrigger/events.js'),
	};
	const files = await writtenFiles(declarations, (file) => readFileSync(join(root, file), 'utf8'));
	for (const folder of OWNED_FOLDERS) rmSync(join(root, folder), { recursive: true, force: true });
	for (const [file, text] of files) {
		// The build that this was made from gets its schemas too.
		for (const target of file.startsWith('nodes/') ? [file, join('dist', file)] : [file]) {
			mkdirSync(dirname(join(root, target)), { recursive: true });
			writeFileSync(join(root, target), text);
		}
	}
}
