/**
 * `npm run release:check`: checks what n8n requires of a verified community node, lists what a person
 * still has to fill in, and writes the package and its bill of materials into `release/`.
 *
 * With `--tag 1.2.3`, package.json and changelog must be at version 1.2.3.
 */
import { execa } from 'execa';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { contentProblems, leftToFillIn, pack, scan, versionProblems } from './release.mts';

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');
let failed = 0;

/** Runs one check and prints the problems that it returns. */
async function check(title: string, find: () => Promise<string[]>): Promise<void> {
	const problems = await find().catch((error: Error) => [error.message]);
	failed += problems.length;
	console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${title}`);
	for (const problem of problems) console.log(`       ${problem}`);
}

/** Runs a program; its last lines are the problems when it fails. */
async function succeeds(program: string, ...args: string[]): Promise<string[]> {
	const result = await execa(program, args, {
		cwd: root,
		preferLocal: true,
		all: true,
		reject: false,
	});
	return result.failed ? result.all.split('\n').slice(-30) : [];
}

/** Describes the package as n8n installs it, without development and peer dependencies. */
async function billOfMaterials(folder: string): Promise<string> {
	const file = join(folder, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
	delete manifest.devDependencies;
	delete manifest.peerDependencies;
	await writeFile(file, JSON.stringify(manifest, null, '\t'));
	const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'];
	return (await execa('npm', args, { cwd: folder })).stdout;
}

await check("n8n's lint in strict mode, the lint of the rest, types, format", () =>
	succeeds('npm', 'run', '--silent', 'lint'),
);
await check("n8n's lint without the exceptions that stand in the source", () =>
	succeeds('eslint', '--no-inline-config', 'package.json', 'client', 'credentials', 'nodes'),
);
await check('the build', () => succeeds('npm', 'run', '--silent', 'build'));

const tarball = await pack(root);
await check(`the package holds what is needed: ${tarball.files.length} files`, async () =>
	contentProblems(tarball),
);
await check('the version of package.json, changelog and tag', async () =>
	versionProblems(tarball.folder, values.tag),
);
await check("n8n's package scan", () => scan(root, tarball.folder));
await check('npm knows no vulnerability of what is published', () =>
	succeeds('npm', 'audit', '--omit=dev'),
);

const release = join(root, 'release');
await rm(release, { recursive: true, force: true });
await mkdir(release);
await copyFile(tarball.file, join(release, basename(tarball.file)));
await check('bill of materials', async () => {
	const bill = await billOfMaterials(tarball.folder);
	const { components = [] } = JSON.parse(bill) as { components?: { name: string }[] };
	await writeFile(join(release, `${basename(tarball.file, '.tgz')}.cdx.json`), bill);
	return components.map(({ name }) => `${name} would be part of the package`);
});
const open = await leftToFillIn(root);
if (open.length > 0)
	console.log('\nTo fill in before the first release (docs/dev/first-release.md)');
for (const line of open) console.log(`       ${line}`);
failed += open.length;

await tarball.discard();
console.log(failed === 0 ? 'Ready to release.' : 'Not ready to release.');
process.exitCode = failed === 0 ? 0 : 1;
