/** The functions that docs/request-and-delivery.md names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../testbed/paths.mts';

export const page = readFileSync(join(root, 'docs/request-and-delivery.md'), 'utf8');

/** A function and its file. */
export type Named = [name: string, file: string];

/** What the page links, by paths of this repository. */
export const linked: Named[] = [...page.matchAll(/\[`(\w+)`\]\(\.\.\/([^)]+\.ts)\)/g)].map(
	([, name, file]) => [name!, file!],
);

/** What the page names of n8n, by paths in `node_modules`. */
export const ofN8n: Named[] = [...page.matchAll(/`(\w+)` in `([^`]+\.js)`/g)].map(
	([, name, file]) => [name!, file!],
);

/** Whether a file defines a function, a constant, a class or a method of a name. */
export function defines(file: string, name: string): boolean {
	const source = readFileSync(file, 'utf8');
	const definition = `(function\\*? |const |class |^\\s*(async |\\*)*)${name}\\b( =|[(<{ ])`;
	return new RegExp(definition, 'm').test(source);
}
