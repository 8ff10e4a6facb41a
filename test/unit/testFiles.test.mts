/** Where tests are: Vitest finds a file by its name alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../testbed/paths.mts';

const SUFFIX = '.test.mts';

/** The files below a folder that may hold code of tests. */
const filesIn = (folder: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.mts') && !file.split(sep).includes('node_modules'))
		.map((file) => join(folder, file));
const files = ['test', 'testbed', 'scripts', 'bench', 'demo', 'simulator'].flatMap(filesIn);
const testFiles = files.filter((file) => file.endsWith(SUFFIX));

/** Whether a file calls `test` or `it`, or one of what they have: `test.for`, `it.each`. */
const hasTests = (file: string) =>
	/^\s*(test|it)(\.\w+)*(\(|`)/m.test(readFileSync(join(root, file), 'utf8'));

/** The folders that the projects of Vitest take test files from. */
const config = readFileSync(join(root, 'vitest.config.mts'), 'utf8');
const folders = [...config.matchAll(/'([^'*]+)\/\*\*\/\*\.test\.mts'/g)].map(
	([, folder]) => folder!,
);

describe('the files of tests', () => {
	it(`that hold tests are named *${SUFFIX}`, () => {
		expect(files.filter(hasTests)).toEqual(testFiles);
		expect(testFiles.length).toBeGreaterThan(50);
	});

	it('belong to one project each', () => {
		for (const file of testFiles) {
			const owners = folders.filter((folder) => file.startsWith(join(folder, sep)));
			expect(owners, file).toHaveLength(1);
		}
	});

	it('are named by one subject', () => {
		for (const file of testFiles) expect(file).toMatch(/[/\\][a-z][A-Za-z0-9]*\.test\.mts$/);
	});
});
