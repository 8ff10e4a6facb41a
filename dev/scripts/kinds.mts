/** The operations by what matters when something fails, for `docs/dev/faults.md`. */
import type { Declared } from './declared.mts';

const KINDS = ['reads', 'sets a value', 'deletes', 'creates', 'uploads'] as const;

export function kindList(operations: Declared[]): string {
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
