/** That CONTRIBUTING.md names the projects of Vitest and the scripts that there are. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import config from '../../vitest.config.mts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const [, tests = ''] = read('CONTRIBUTING.md').split('\n## Tests\n');

it('lists each project of Vitest once', () => {
	const [, table = ''] = tests.split('| project | tests |\n');
	const [rows = ''] = table.split('\n\n');
	const listed = [...rows.matchAll(/^\|(.+?)\|/gm)].flatMap(([, cell]) =>
		[...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
	);
	const projects = (config.test?.projects ?? []).map((project) =>
		typeof project === 'object' && 'test' in project ? project.test?.name : project,
	);
	expect(listed.toSorted()).toEqual(projects.toSorted());
});

it.each(['CONTRIBUTING.md', 'README.md'])('%s names scripts that there are', (file) => {
	const { scripts } = JSON.parse(read('package.json'));
	const named = [...read(file).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
	expect(named.length).toBeGreaterThan(3);
	expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
