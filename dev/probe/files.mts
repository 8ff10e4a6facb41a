/** The files of a run: the report, and beside it what the service said. */
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { UsageError, type Options } from './options.mts';
import { toMarkdown } from './report.mts';
import type { Result } from './run.mts';

/** @throws UsageError for a file that cannot be written, before anything is asked */
export function checkWritable({ json, markdown }: Options): void {
	for (const file of [json, markdown]) {
		if (file === undefined) continue;
		const isNew = !existsSync(file);
		write(file, () => appendFileSync(file, ''));
		if (isNew) rmSync(file);
	}
}

function write(file: string, writing: () => void): void {
	try {
		writing();
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new UsageError(`${file} cannot be written (${code}).`);
	}
}

/** @returns the files that were written, the conversation last */
export function writeFiles(
	{ report, description, conversation }: Result,
	{ json, markdown }: Options,
): string[] {
	const { dir, name } = parse(json ?? markdown ?? '');
	const beside = (ending: string) => join(dir, `${name}.${ending}`);
	const files: [string | undefined, string][] = [
		[json, `${JSON.stringify(report, undefined, '\t')}\n`],
		[markdown, toMarkdown(report)],
	];
	for (const [path, text] of Object.entries(description)) {
		files.push([beside(`description${path.replaceAll('/', '-')}.log`), text]);
	}
	files.push([beside('conversation.log'), conversation]);
	return files.flatMap(([file, content]) => {
		if (file === undefined) return [];
		// The conversation is for its owner only.
		write(file, () => writeFileSync(file, content, { mode: 0o600 }));
		return [file];
	});
}
