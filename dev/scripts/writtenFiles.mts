/** All files that `npm run docs` writes. */
import type * as changes from '../../nodes/PortalIoPollingTrigger/items.ts';
import type * as events from '../../nodes/PortalIoTrigger/events.ts';
import { declaredOperations, type Declarations, type Declared } from './declared.mts';
import { operationPages, resourceList } from './operationPages.mts';
import { outputSchemas, schemaFolders } from './outputSchemas.mts';

export const OWNED_FOLDERS = ['docs/operations/', ...Object.values(schemaFolders)];

export type TriggerShapes = Pick<typeof events, 'outputShape'> &
	Pick<typeof changes, 'outputShapes'>;

/**
 * @param read a present file, in which one block is replaced
 * @returns the files by their paths in the clone
 */
export async function writtenFiles(
	declarations: Declarations & TriggerShapes,
	read: (file: string) => string,
): Promise<Map<string, string>> {
	const { typesOf } = declarations;
	const operations = await declaredOperations(declarations);
	const pages = operationPages(operations, declarations.requestOptions);
	return new Map([
		['README.md', withBlock(read('README.md'), 'operations', resourceList(operations))],
		['docs/dev/faults.md', withBlock(read('docs/dev/faults.md'), 'kinds', kindList(operations))],
		...Object.entries(pages).map(([file, page]) => [`docs/operations/${file}`, page] as const),
		...outputSchemas(operations, {
			trigger: typesOf(declarations.outputShape),
			// n8n asks for one schema whatever the event: the one of the default event.
			pollingTrigger: typesOf(declarations.outputShapes.proposalStatusChanged),
		}),
	]);
}

/** A page with a text between the two comments that name it. */
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
