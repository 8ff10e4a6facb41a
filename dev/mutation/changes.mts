/** What a change of Stryker does to a line, by which it is listed and shown. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Mutant } from '@stryker-mutator/api/core';
import { parse } from 'yaml';
import { root } from '../testbed/paths.mts';

/** A change that makes no difference: its line as it is, as it becomes, and why. */
export interface Equivalent {
	was: string;
	becomes: string;
	why: string;
}

/** Those of the list, by file. */
export const equivalents: Record<string, Equivalent[]> =
	parse(readFileSync(join(import.meta.dirname, 'equivalents.yaml'), 'utf8')) ?? {};

export type Change = Pick<Mutant, 'fileName' | 'location' | 'replacement'>;

const sources = new Map<string, string[]>();
function linesOf(fileName: string): string[] {
	const lines = sources.get(fileName) ?? readFileSync(fileName, 'utf8').split('\n');
	sources.set(fileName, lines);
	return lines;
}

/** The file of a change, and its first line as it is and as it becomes. */
export function describe({ fileName, location: { start, end }, replacement }: Change) {
	const lines = linesOf(fileName);
	const line = lines[start.line]!;
	const changed = line.slice(0, start.column) + replacement + lines[end.line]!.slice(end.column);
	return {
		file: relative(root, fileName),
		line: line.trim(),
		changed: changed.trim().replaceAll(/\s+/g, ' '),
	};
}

/** The entry of the list for a change that makes no difference. */
export function entryOf(change: Change): Equivalent | undefined {
	const { file, line, changed } = describe(change);
	return equivalents[file]?.find(({ was, becomes }) => was === line && becomes === changed);
}
