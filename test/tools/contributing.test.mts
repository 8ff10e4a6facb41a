/** Follows the example of CONTRIBUTING.md to the letter, in a copy of this repository. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../testbed/paths.mts';
import { copyRepository, type Copy } from './copy.mts';
import { apply, readGuide } from './guide.mts';

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const { edits, commands } = readGuide(page, 'From a clone to a new operation in ten minutes');
const [begin = [], ...others] = commands;
const following = others.flat();

const changed = [...new Set(edits.map(({ file }) => file))];
const formatted = changed.filter((file) => !file.endsWith('.md'));
const published = changed.filter((file) => file.endsWith('.ts')).join(' ');
const development = changed.filter((file) => file.endsWith('.mts')).join(' ');

/** The tests of the project `unit` that go through all operations. */
const OVER_OPERATIONS = [
	...['aiAgents', 'citations', 'docs', 'newerRules', 'operations', 'package', 'ux'].map(
		(name) => `test/unit/${name}.test.mts`,
	),
	...['docs', 'outputSchemas'].map((name) => `scripts/${name}.test.mts`),
].join(' ');

/** The same for the files that the example changes, of commands that go through all files. */
const SHORTER: Record<string, string> = {
	'npm run format': `prettier --write ${formatted.join(' ')}`,
	'npm run lint': [
		`eslint ${published}`,
		`eslint --config eslint.dev.config.mjs ${development}`,
		'tsc --project tsconfig.changed.json',
		`prettier --check ${formatted.join(' ')}`,
	].join(' && '),
	'npm run test:unit': `vitest run --no-isolate --project unit ${OVER_OPERATIONS}`,
};

/** What writes files; the tests below run the other commands on these. */
const WRITING = ['npm run docs', 'npm run format'];

let copy: Copy;
beforeAll(async () => {
	copy = await copyRepository();
	for (const edit of edits) apply(edit, copy.folder);
	for (const command of WRITING) await succeed(command);
	writeFileSync(
		join(copy.folder, 'tsconfig.changed.json'),
		JSON.stringify({ extends: './tsconfig.dev.json', include: development.split(' ') }),
	);
}, 300_000);
afterAll(async () => await copy.remove());

async function succeed(command: string): Promise<void> {
	const { isSuccess, output } = await copy.run(SHORTER[command] ?? command);
	if (!isSuccess) throw new Error(`${command}:\n${output.slice(-3000)}`);
}

it('the example begins with a clone, and writes files before it tests them', () => {
	expect(begin.map((command) => command.split(' ')[0])).toEqual(['git', 'cd', 'npm']);
	expect(following.slice(0, WRITING.length)).toEqual(WRITING);
	expect(edits.length).toBeGreaterThan(8);
});

describe.concurrent('the example, followed to the letter, succeeds with', () => {
	it.each(following.slice(WRITING.length))('%s', { timeout: 300_000 }, succeed);
});

/**
 * Files whose steps are left out together, tests that notice it, and what these have to say. Those that
 * stand together do not hide each other.
 */
const LEFT_OUT: [files: string[], tests: string, messages: RegExp[]][] = [
	[
		['nodes/PortalIo/resources/area/index.ts', 'simulator/handlers/area.mts'],
		'--project unit --project simulator scripts/docs.test.mts test/simulator/routes.test.mts',
		[
			/Nothing reaches DELETE .+: add its operation to nodes\/PortalIo\/resources\//,
			/Add a handler to simulator\/handlers\/ for area\.delete/,
		],
	],
	[
		['simulator/openapi.yaml', 'test/unit/operations.test.mts', 'docs/ai-agents.md'],
		'--project unit scripts/docs.test.mts test/unit/operations.test.mts test/unit/aiAgents.test.mts',
		[
			/no DELETE .+: add it to simulator\/openapi\.yaml/,
			/add to `cases` in test\/unit\/operations\.test\.mts.+'area\.delete'/,
			/describe them in the table of docs\/ai-agents\.md.+'area: delete'/,
		],
	],
	[
		['README.md', 'test/wire/calls.mts', 'test/wire/area.test.mts'],
		'--project unit --project wire scripts/docs.test.mts test/wire/everyOperation.test.mts -t "README|valid call|test of its own"',
		[
			/README\.md: run `npm run docs`/,
			/Add to test\/wire\/calls\.mts a call of area\.delete/,
			/add one to test\/wire\/<resource>\.test\.mts.+'area\.delete'/,
		],
	],
];

describe('a step that is left out ends with a message that names its file', () => {
	it.each(LEFT_OUT)('%j', { timeout: 300_000 }, async (files, tests, messages) => {
		const followed = files.map((file) => readFileSync(join(copy.folder, file)));
		for (const file of files) copyFileSync(join(root, file), join(copy.folder, file));
		const { isSuccess, output } = await copy.run(`vitest run --no-isolate ${tests}`);
		files.forEach((file, at) => writeFileSync(join(copy.folder, file), followed[at]!));
		expect(isSuccess, 'without this step').toBe(false);
		for (const message of messages) expect(output).toMatch(message);
		for (const failure of output.split(' FAIL ').slice(1)) {
			// A message and its place in the test, and no whole files.
			expect(failure.length, failure.slice(0, 200)).toBeLessThan(6000);
		}
	});
});
