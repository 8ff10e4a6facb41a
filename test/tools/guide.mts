/** The example of CONTRIBUTING.md, read and followed as the page says. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A block to paste. */
export interface Edit {
	/** The heading of its step. */
	step: string;
	file: string;
	/** Where it goes; a new file without it. */
	place?: { where: 'above' | 'below' | 'instead of'; line: string };
	text: string;
}

/** What the page says to do, in its order. */
export interface Guide {
	edits: Edit[];
	/** The commands of each `sh` block. */
	commands: string[][];
}

const NEW_FILE = /^New file `([^`]+)`:$/;
const INSERT = /^In (?:`([^`]+)`|the same file), (above|below|instead of) `([^`]+)`.*:$/;

/**
 * Reads a section of a page.
 *
 * @throws for a block without a line before it that says where it goes
 */
export function readGuide(page: string, heading: string): Guide {
	const section = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`));
	if (section === undefined) throw new Error(`The page has no section '${heading}'`);
	const guide: Guide = { edits: [], commands: [] };
	const block = /^(.*)\n\n```(\w+)\n([^]*?)^```$/gm;
	for (const { 1: before = '', 2: language, 3: text = '', index } of section.matchAll(block)) {
		if (language === 'sh') {
			guide.commands.push(text.trim().split('\n').map(withoutComment));
			continue;
		}
		const step =
			section
				.slice(0, index)
				.match(/^\*\*\d+\. .+?\*\*/gm)
				?.at(-1) ?? '';
		const [, created] = NEW_FILE.exec(before) ?? [];
		const [, named, where, line] = INSERT.exec(before) ?? [];
		const file = created ?? named ?? guide.edits.at(-1)?.file;
		if (file === undefined || (created ?? where) === undefined) {
			throw new Error(`No line says where this goes, but '${before}':\n${text}`);
		}
		const place = created ? undefined : ({ where, line } as Edit['place']);
		guide.edits.push({ step, file, text, ...(place && { place }) });
	}
	return guide;
}

const withoutComment = (command: string) => command.replace(/\s+#.*$/, '');

/** Pastes a block into a clone. */
export function apply({ file, place, text }: Edit, clone: string): void {
	const path = join(clone, file);
	if (place === undefined) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text, { flag: 'wx' });
		return;
	}
	const lines = readFileSync(path, 'utf8').split('\n');
	const at = lines.findIndex((line) => line.includes(place.line));
	if (at < 0) throw new Error(`${file} has no line with '${place.line}'`);
	const start = place.where === 'below' ? at + 1 : at;
	lines.splice(start, place.where === 'instead of' ? 1 : 0, ...text.replace(/\n$/, '').split('\n'));
	writeFileSync(path, lines.join('\n'));
}
