/** Writes the operations' outputs: one table per page, and each operation's differences. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { JsonType } from '../../nodes/shared/simplify.ts';
import type { Declared } from './declared.mts';

const text = readFileSync(new URL('outputFields.yaml', import.meta.url), 'utf8');
const meanings: Record<string, Record<string, string>> = parse(text);

const selectSimplified = ({ output }: Declared): string[] => Object.keys(output);
const fieldsOf = (one: Declared): string[] => [...selectSimplified(one), ...one.furtherFields];
const isConfirmation = ({ declaration: { output } }: Declared): boolean => 'confirms' in output;
const code = (names: string[]): string => names.map((name) => `\`${name}\``).join(', ');
const nameOf = ({ declaration: { name } }: Declared): string => `*${name}*`;

function describeOutput({ declaration: { output } }: Declared, name: string): string | undefined {
	return 'flat' in output ? output.descriptions?.[name] : undefined;
}

/** @throws if a field has no explanation */
function findMeaning(one: Declared, name: string): string {
	const { resource, operation } = one;
	const meaning =
		meanings[`${resource}.${operation}`]?.[name] ??
		meanings[resource]?.[name] ??
		describeOutput(one, name);
	if (meaning === undefined)
		throw new Error(`Add to dev/scripts/outputFields.yaml, below ${resource}: ${name}`);
	return meaning;
}

/** Returns the explanations in `outputFields.yaml` for fields that no operation outputs. */
export function unusedMeanings(operations: Declared[]): string[] {
	return Object.entries(meanings).flatMap(([owner, fields]) => {
		const those = operations.filter(({ resource, operation }) =>
			[resource, `${resource}.${operation}`].includes(owner),
		);
		const names = new Set(those.flatMap(fieldsOf));
		return Object.keys(fields)
			.filter((name) => !names.has(name))
			.map((name) => `${owner}: ${name}`);
	});
}

const table = (names: string[], bold: string[], rowOf: (name: string) => string): string =>
	[
		'| Field | Meaning |',
		'|---|---|',
		...names.map((name) => {
			const field = bold.includes(name) ? `**\`${name}\`**` : `\`${name}\``;
			return `| ${field} | ${rowOf(name)} |`;
		}),
	].join('\n');

/** Returns a page's operations that output the page's record. Others output another record or a confirmation. */
function recordOperations(declared: Declared[]): Declared[] {
	const groups = Object.groupBy(
		declared.filter((one) => !isConfirmation(one)),
		(one) => fieldsOf(one)[0]!,
	);
	return Object.values(groups).toSorted((one, other) => other!.length - one!.length)[0] ?? [];
}

/** Returns the fields that most operations have in *Simplified*; in a tie, those of a read. */
function commonFields(declared: Declared[]): string[] {
	const groups = Object.values(Object.groupBy(declared, (one) => selectSimplified(one).join()));
	const rank = (group: Declared[]) =>
		group.length + (group.some(({ declaration }) => declaration.kind === 'read') ? 0.5 : 0);
	const [most] = groups.toSorted((one, other) => rank(other!) - rank(one!));
	return selectSimplified(most![0]!);
}

/** Writes the section about the fields of the page's record; empty if no operation returns one. */
export function outputSection(declared: Declared[]): string {
	const those = recordOperations(declared);
	if (those.length === 0) return '';
	const simplified = commonFields(those);
	const names = [...new Set([...simplified, ...those.flatMap(fieldsOf)])];
	const ownerOf = (name: string) => those.find((one) => fieldsOf(one).includes(name))!;
	const hasChoice = names.length > simplified.length;
	const notes = names.flatMap((name) => {
		const having = those.filter((one) => fieldsOf(one).includes(name));
		const only = having.length < those.length && `Only in ${having.map(nameOf).join(', ')}`;
		const details = having.map((one) => {
			const detail = describeOutput(one, name);
			const meaning = findMeaning(ownerOf(name), name);
			if (detail === undefined || detail === meaning) return false;
			return `${detail.replace(`${meaning}. `, '').replace(/\.$/, '')} in ${nameOf(one)}`;
		});
		return [only, ...details].filter(Boolean).map((note) => ({ name, note }));
	});
	const byNote = Object.entries(Object.groupBy(notes, ({ note }) => String(note)));
	return [
		'## Output',
		hasChoice &&
			'The fields in bold are in *Simplified*. *Selected Fields* offers all, and *Raw* is the full response.',
		table(names, hasChoice ? simplified : [], (name) => findMeaning(ownerOf(name), name)),
		...byNote.map(([note, fields]) => `${note}: ${code(fields!.map(({ name }) => name))}`),
	]
		.filter(Boolean)
		.join('\n\n');
}

const TYPE_NAMES: Partial<Record<JsonType, string>> = { array: ' (list)', boolean: ' (true)' };

/**
 * Writes one operation's output: the fields of a confirmation, a link to the fields of this page's or another page's
 * record, or a table of the operation's own fields.
 */
export function writeOutput(one: Declared, declared: Declared[], all: Declared[]): string {
	if (isConfirmation(one)) {
		const fields = Object.entries(one.output).map(
			([name, type]) => `\`${name}\`${TYPE_NAMES[type] ?? ''}`,
		);
		return `**Output**: ${fields.join(', ')}.`;
	}
	const those = recordOperations(declared);
	if (those.includes(one))
		return `**Output**: [the fields below](#output).${difference(one, those)}`;
	const names = fieldsOf(one);
	const other = all
		.filter(({ resource }) => resource !== one.resource)
		.filter((another) => fieldsOf(another).every((name) => names.includes(name)))
		.find((another) => fieldsOf(another)[0] === names[0] && fieldsOf(another).length > 10);
	const shared = other === undefined ? [] : fieldsOf(other);
	const own = names.filter((name) => !shared.includes(name));
	const tableOfOwn = table(own, [], (name) => findMeaning(one, name));
	if (other === undefined) return `**Output** of this operation:\n\n${tableOfOwn}`;
	const from = `[the fields of *${other.resourceName}*](${other.resource}.md#output)`;
	const simplified = `*Simplified* has ${code(selectSimplified(one))}.`;
	return `**Output**: ${from}, and these fields. ${simplified}\n\n${tableOfOwn}`;
}

function difference(one: Declared, those: Declared[]): string {
	const common = commonFields(those);
	const simplified = selectSimplified(one);
	if (one.furtherFields.length === 0) return '';
	const additions = simplified.filter((name) => !common.includes(name));
	const missing = common.filter((name) => !simplified.includes(name));
	if (additions.length + missing.length === 0) return '';
	const instead = missing.length > 0 ? ` instead of ${code(missing)}` : '';
	return additions.length > 0
		? ` *Simplified* has ${code(additions)}${instead}.`
		: ` *Simplified* has no ${code(missing)}.`;
}
