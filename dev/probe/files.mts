/** The files of a run: the report, and beside it what the service said. */
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { UsageError, type Options } from './options.mts';
import { toMarkdown } from './report.mts';
import type { Result } from './run.mts';

/**
 * Finds out that a file can be written before anything is asked, and leaves it as it is.
 *
 * @throws UsageError saying why not
 */
export function checkWritable(option: string, file: string): void {
	const wasThere = existsSync(file);
	try {
		closeSync(openSync(file, 'a'));
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new UsageError(`The file of --${option} cannot be written (${code}).`);
	}
	if (!wasThere) rmSync(file);
}

/** Writes what was asked for. One file that fails keeps none of the others from being written. */
export function writeFiles(
	{ report, description, conversation }: Result,
	{ json, markdown }: Pick<Options, 'json' | 'markdown'>,
): { written: string[]; failed: string[]; conversationFile: string } {
	const { dir, name } = parse(json ?? markdown ?? '');
	const beside = (ending: string) => join(dir, `${name}.${ending}`);
	const conversationFile = beside('conversation.log');
	const files = {
		...(json !== undefined && { [json]: `${JSON.stringify(report, undefined, '\t')}\n` }),
		...(markdown !== undefined && { [markdown]: toMarkdown(report) }),
		[conversationFile]: conversation,
	};
	for (const [path, text] of Object.entries(description)) {
		files[beside(`description${path.replaceAll('/', '-')}.log`)] = text;
	}
	const written: string[] = [];
	const failed: string[] = [];
	for (const [file, content] of Object.entries(files)) {
		try {
			// The conversation is for its owner only.
			writeFileSync(file, content, { mode: 0o600 });
			written.push(file);
		} catch {
			failed.push(file);
		}
	}
	return { written, failed, conversationFile };
}
