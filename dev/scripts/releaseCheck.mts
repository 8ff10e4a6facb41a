/**
 * Implements `npm run release:check`, which checks n8n's requirements for verified community nodes, lists what a person
 * still has to fill in, and writes the package and its bill of materials to `release/`.
 *
 * With `--tag 1.2.3`, package.json and the changelog must have version 1.2.3.
 */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execa } from 'execa';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');
let failed = 0;

async function check(title: string, find: () => Promise<string[]>): Promise<void> {
	const problems = await find().catch((error: Error) => [error.message]);
	failed += problems.length;
	console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${title}`);
	for (const problem of problems) console.log(`       ${problem}`);
}

/** Runs a program. If it fails, returns its last lines as problems. */
async function succeeds(program: string, ...args: string[]): Promise<string[]> {
	const options = { cwd: root, preferLocal: true, all: true, reject: false } as const;
	const result = await execa(program, args, options);
	return result.failed ? result.all.split('\n').slice(-30) : [];
}

const readManifest = (folder: string) =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Describes the package as n8n installs it, without development and peer dependencies. */
async function billOfMaterials(folder: string): Promise<string> {
	const manifest = { ...readManifest(folder), devDependencies: {}, peerDependencies: {} };
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, '\t'));
	const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'];
	return (await execa('npm', args, { cwd: folder })).stdout;
}

async function pack() {
	const place = await mkdtemp(join(tmpdir(), 'n8n-nodes-portal-io-'));
	// Run no scripts, because `prepublishOnly` runs the tests.
	const options = ['--json', '--ignore-scripts', '--pack-destination', place];
	const { stdout } = await execa('npm', ['pack', ...options], { cwd: root });
	const [packed] = JSON.parse(stdout);
	const file = join(place, packed.filename);
	await execa('tar', ['-xzf', file, '-C', place]);
	return {
		folder: join(place, 'package'),
		file,
		files: packed.files.map(({ path }: { path: string }) => path).sort() as string[],
		size: packed.size as number,
		discard: () => rm(place, { recursive: true, force: true }),
	};
}

const expected = [
	/^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
	/^dist\/(credentials|nodes|client)\/.+\.js$/,
	/^dist\/nodes\/(\w+)\/\1\.node\.json$/,
	/^dist\/nodes\/\w+\/__schema__\/.+\.json$/,
	/^dist\/icons\/[\w.]+\.svg$/,
];
const needed = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
/** Maximum size, in bytes, of the packed file, which contains only code and a few small text files. */
const LARGEST = 150_000;

function contentProblems({ files, size }: { files: string[]; size: number }): string[] {
	return [
		...files
			.filter((file) => !expected.some((pattern) => pattern.test(file)))
			.map((file) => `${file} does not belong in the package`),
		...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
		...(size > LARGEST ? [`the package has ${size} bytes, more than ${LARGEST}`] : []),
	];
}

/** Runs n8n's scanner on the sources and the unpacked package, without publishing it first. */
async function scan(packageFolder: string): Promise<string[]> {
	const results = [
		await analyzePackage(root, SOURCE_FILE_PATTERNS),
		await analyzePackage(packageFolder, ['**/*.js', 'package.json']),
	];
	return results.flatMap(({ passed, message = '', details = message }) =>
		passed ? [] : details.trim().split('\n'),
	);
}

/** Compares the versions in package.json, the changelog, and the tag. */
function versionProblems(folder: string): string[] {
	const { tag } = values;
	const { version } = readManifest(folder);
	const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
	const [, newest = ''] = /^## (.*)$/m.exec(changelog) ?? [];
	const isReleased = newest.startsWith(`[${version}] - `);
	const problems: string[] = [];
	if (tag !== undefined && tag !== version) {
		problems.push(`the tag is ${tag} and package.json says ${version}`);
	}
	if (!isReleased && (tag !== undefined || newest !== '[Unreleased]')) {
		problems.push(`the changelog begins with '${newest}', not with version ${version}`);
	}
	return problems;
}

/**
 * Counts, for each file, the lines with placeholders for the publisher or the public source. Only a person can fill
 * these in.
 */
async function leftToFillIn(): Promise<string[]> {
	const { name } = readManifest(root);
	const placeholders = [`.com/${name}/`, `@${name}.example`, `"name": "${name} maintainers"`];
	const patterns = placeholders.flatMap((one) => ['-e', one]);
	const args = ['grep', '--fixed-strings', '--count', ...patterns];
	// Exit code 1 means that nothing was found.
	const { stdout, exitCode = 2 } = await execa('git', args, { cwd: root, reject: false });
	if (exitCode > 1) throw new Error('git could not search the files');
	return stdout.split('\n').filter(Boolean);
}

await check("n8n's lint in strict mode, the lint of the rest, types, format", () =>
	succeeds('npm', 'run', '--silent', 'lint'),
);
await check("n8n's lint without the exceptions in the sources", () =>
	succeeds('eslint', '--no-inline-config', 'package.json', 'client', 'credentials', 'nodes'),
);
await check('the build', () => succeeds('npm', 'run', '--silent', 'build'));

const tarball = await pack();
await check(`the package contains what it needs: ${tarball.files.length} files`, async () =>
	contentProblems(tarball),
);
await check('the version in package.json, the changelog, and the tag', async () =>
	versionProblems(tarball.folder),
);
await check("n8n's package scan", () => scan(tarball.folder));
await check('npm lists no vulnerabilities in what is published', () =>
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
const open = await leftToFillIn();
if (open.length > 0) console.log('\nTo fill in before the first release (docs/dev/releasing.md)');
for (const line of open) console.log(`       ${line}`);
failed += open.length;

await tarball.discard();
console.log(failed === 0 ? 'Ready to release.' : 'Not ready to release.');
process.exitCode = failed === 0 ? 0 : 1;
