/** Checks generated files. `npm run docs` runs these tests with `--update`, which writes them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { declaredOperations } from './declared.mts';
import { OWNED_FOLDERS, writtenFiles } from './docs.mts';
import { unusedMeanings } from './outputTables.mts';

const root = new URL('../../', import.meta.url);
const files = await writtenFiles(root);

it.each(files)('contains the current output of `npm run docs`: %s', async (file, text) => {
	await expect(text).toMatchFileSnapshot(fileURLToPath(new URL(file, root)));
});

it('has only generated files in the generated folders', () => {
	const present = OWNED_FOLDERS.flatMap((folder) =>
		readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.\w+$/.test(file))
			.map((file) => join(folder, file)),
	);
	const writtenFiles = files.map(([file]) => file);
	const others = present.filter((file) => !writtenFiles.includes(file));
	expect(others, 'delete them').toEqual([]);
});

it('explains only fields that an operation outputs', async () => {
	expect(unusedMeanings(await declaredOperations())).toEqual([]);
});
