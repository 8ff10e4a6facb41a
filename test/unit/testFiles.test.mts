/** Where tests are: Vitest finds a file by its name alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
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
	/^\s*(test|it)(\.\w+)*[(<`]/m.test(readFileSync(join(root, file), 'utf8'));

/** What the projects of Vitest take for their test files. */
const config = readFileSync(join(root, 'vitest.config.mts'), 'utf8');
const globs = [...config.matchAll(/'([^']+\.test\.mts)'/g)].map(([, glob]) => glob!);

/** The folders of the resource node of which a test on the wire uses only some. */
const ofPortalIo = ['listSearch', 'loadOptions']
	.concat(Object.keys(registry).map((resource) => `resources/${resource}`))
	.map((folder) => `PortalIo/${folder}`);

describe('the files of tests', () => {
	it(`that hold tests are named *${SUFFIX}`, () => {
		expect(files.filter(hasTests)).toEqual(testFiles);
		expect(testFiles.length).toBeGreaterThan(50);
	});

	it('belong to one project each', () => {
		for (const file of testFiles) {
			const owners = globs.filter((glob) => matchesGlob(file, glob));
			expect(owners, file).toHaveLength(1);
		}
	});

	it('are named by one subject', () => {
		for (const file of testFiles) expect(file).toMatch(/[/\\][a-z][A-Za-z0-9]*\.test\.mts$/);
	});

	it.each(['PortalIoTrigger', 'PortalIoPollingTrigger', ...ofPortalIo])(
		'on the wire import nodes/%s, so that a change of it runs them',
		(folder) => {
			const line = `\nimport '../../nodes/${folder}/`;
			const importing = testFiles
				.filter((file) => file.startsWith(join('test', 'wire', sep)))
				.filter((file) => readFileSync(join(root, file), 'utf8').includes(line));
			expect(importing, `a file of test/wire with ${line}`).not.toEqual([]);
		},
	);
});
