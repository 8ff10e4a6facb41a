/**
 * `node dev/scripts/newOperation.mts`: follows CONTRIBUTING.md from a clone to a new operation, as it
 * stands. It changes the clone that it runs in, so it asks for one without changes.
 */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** A block of code of the page, and where it belongs. */
export interface Edit {
	file: string;
	/** Before which line of the file, whatever it is indented by; undefined for a new file. */
	above: string | undefined;
	code: string;
}

const SECTION = /## From a clone to a new operation[^]*?(?=\n## )/;
/** The text in front of a block, which ends with its place, and the block. */
const BLOCK = /\n\n((?:(?!\n\n)[^])+)\n\n```(\w+)\n([^]*?)```/g;
const NEW_FILE = /in the new file `([^`]+)`/;
const ABOVE = /[Ii]n\s`([^`]+)`, above `([^`]+)`$/;

/** Reads the blocks of the page: what to write where, and what to run afterwards. */
export function readPage(page: string): { edits: Edit[]; commands: string } {
	const edits: Edit[] = [];
	let commands = '';
	for (const [, text, language, code] of SECTION.exec(page)![0].matchAll(BLOCK)) {
		const [, newFile] = NEW_FILE.exec(text!) ?? [];
		const [, file, above] = ABOVE.exec(text!) ?? [];
		if (language === 'sh') commands = code!;
		else if (newFile !== undefined) edits.push({ file: newFile, above: undefined, code: code! });
		else if (file !== undefined) edits.push({ file, above, code: code! });
		else throw new Error(`The page does not say where this belongs:\n${code}`);
	}
	return { edits, commands };
}

/** A file after an edit; an error when the page does not fit the file. */
export function edited(text: string | undefined, { file, above, code }: Edit): string {
	if (above === undefined) {
		if (text !== undefined) throw new Error(`${file} is there already`);
		return code;
	}
	const lines = text?.split('\n') ?? [];
	const places = lines.flatMap((line, index) => (line.trim() === above ? [index] : []));
	if (places.length !== 1)
		throw new Error(`${file} has ${places.length} lines '${above}', not one`);
	lines.splice(places[0]!, 0, code.replace(/\n$/, ''));
	return lines.join('\n');
}

if (import.meta.main) {
	process.chdir(new URL('../..', import.meta.url).pathname);
	const changes = execSync('git status --porcelain', { encoding: 'utf8' });
	if (changes !== '') throw new Error(`Commit or remove your changes first:\n${changes}`);

	const { edits, commands } = readPage(readFileSync('CONTRIBUTING.md', 'utf8'));
	for (const edit of edits) {
		const text = existsSync(edit.file) ? readFileSync(edit.file, 'utf8') : undefined;
		writeFileSync(edit.file, edited(text, edit));
	}
	execSync(`set -e\n${commands}`, { stdio: 'inherit' });
}
