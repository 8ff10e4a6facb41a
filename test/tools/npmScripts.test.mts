/** The scripts of package.json, as somebody runs them in a fresh clone. */
import { execa } from 'execa';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { scripts } = JSON.parse(
	await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
) as { scripts: Record<string, string> };
const programs = [
	'depcruise',
	'eslint',
	'gulp',
	'n8n-node',
	'prettier',
	'stryker',
	'tsc',
	'vitest',
];
/** Stands in for scripts/install.mjs: installs stand-ins that note how they were called. */
const install = `
import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('node_modules/.bin', { recursive: true });
const note = (name) => '#!/bin/sh\\necho "' + name + ' $*" >> calls.txt\\n';
for (const name of ${JSON.stringify(programs)}) {
	writeFileSync('node_modules/.bin/' + name, note(name), { mode: 0o755 });
}
// npm itself and a second setup run on the Node that is here.
const node = note('node') + 'case "$1" in *.mts) ;; *) exec "' + process.execPath + '" "$@" ;; esac\\n';
writeFileSync('node_modules/.bin/node', node, { mode: 0o755 });
`;

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'scripts-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a script in a clone of its own and returns the calls of what it installed. */
async function run(name: string) {
	const clone = join(folder, name.replace(':', '-'));
	// A machine that has only a Node that cannot run TypeScript, as Node 20 cannot.
	const machine = join(clone, 'machine');
	await mkdir(machine, { recursive: true });
	const node = `#!/bin/sh\ncase "$1" in *.mts) exit 1 ;; *) exec "${process.execPath}" "$@" ;; esac\n`;
	await writeFile(join(machine, 'node'), node, { mode: 0o755 });
	await mkdir(join(clone, 'scripts'));
	await writeFile(join(clone, 'scripts/install.mjs'), install);
	await writeFile(join(clone, 'package.json'), JSON.stringify({ scripts }));
	const path = process.env.PATH!.split(':').filter((one) => !one.includes('node_modules'));
	await execa('npm', ['run', name, '--', '--an-option'], {
		cwd: clone,
		env: { HOME: clone, PATH: [machine, ...path].join(':') },
		extendEnv: false,
	});
	return (await readFile(join(clone, 'calls.txt'), 'utf8')).trim().split('\n');
}

const names = Object.keys(scripts).filter((name) => !['setup', 'prepublishOnly'].includes(name));

describe.skipIf(process.platform === 'win32').concurrent('in a fresh clone', () => {
	it.each(names)(
		'npm run %s installs what is missing, then runs on it',
		async (name) => {
			const last = scripts[name]!.split(' && ')
				.at(-1)!
				.replace(/^[A-Z]+=\S+ /, '');
			expect((await run(name)).at(-1)).toBe(`${last} --an-option`);
		},
		60_000,
	);
});

it.each(Object.entries(scripts))('%s has nothing that runs before or after it', (name) => {
	expect(scripts).not.toHaveProperty(`pre${name}`);
	expect(scripts).not.toHaveProperty(`post${name}`);
});
