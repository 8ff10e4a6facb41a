/** The checks of a release beyond n8n's lint: the package as npm would publish it, and its versions. */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execa } from 'execa';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Packs the package as npm would publish it, and unpacks it. */
export async function pack(root: string) {
	const place = await mkdtemp(join(tmpdir(), 'n8n-nodes-portal-io-'));
	// No scripts: `prepublishOnly` runs the tests.
	const options = ['--json', '--ignore-scripts', '--pack-destination', place];
	const { stdout } = await execa('npm', ['pack', ...options], { cwd: root });
	const [packed] = JSON.parse(stdout) as [
		{ filename: string; size: number; files: { path: string }[] },
	];
	const file = join(place, packed.filename);
	await execa('tar', ['-xzf', file, '-C', place]);
	return {
		folder: join(place, 'package'),
		file,
		files: packed.files.map(({ path }) => path).sort(),
		/** The size of the file, in bytes. */
		size: packed.size,
		discard: () => rm(place, { recursive: true, force: true }),
	};
}

/** The only files of the package. */
const expected = [
	/^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
	/^dist\/(credentials|nodes|client)\/.+\.js$/,
	/^dist\/nodes\/(\w+)\/\1\.node\.json$/,
	/^dist\/nodes\/\w+\/__schema__\/.+\.json$/,
	/^dist\/icons\/[\w.]+\.svg$/,
];
const needed = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
/** Maximum size of the packed file: it has only code and a few small texts. */
const LARGEST = 150_000;

/** Lists problems with the content of the package, one line each. */
export function contentProblems({ files, size }: { files: string[]; size: number }): string[] {
	return [
		...files
			.filter((file) => !expected.some((pattern) => pattern.test(file)))
			.map((file) => `${file} does not belong into the package`),
		...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
		...(size > LARGEST ? [`the package has ${size} bytes, more than ${LARGEST}`] : []),
	];
}

/**
 * Scans the sources and an unpacked package, with the patterns of files that n8n's scan has for each.
 * The difference: n8n scans the source in npm's provenance, so it needs a published package.
 *
 * @returns what the scan reports, one line each
 */
export async function scan(source: string, packageFolder: string): Promise<string[]> {
	const results = [
		await analyzePackage(source, SOURCE_FILE_PATTERNS),
		await analyzePackage(packageFolder, ['**/*.js', 'package.json']),
	];
	return results.flatMap(({ passed, message = '', details = message }) =>
		passed ? [] : details.trim().split('\n'),
	);
}

const readManifest = (folder: string): { name: string; version: string } =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * Whether package.json, the changelog and the tag tell of the same version, one line for each problem.
 *
 * @param tag the version tag that is to be published; without it *Unreleased* may be at the top
 */
export function versionProblems(folder: string, tag?: string): string[] {
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
 * Lists what only a person can fill in before the first release: who publishes the package,
 * and where its public source is. A placeholder has the package's own name as its owner.
 *
 * @param root a git checkout: every file that it tracks is searched
 */
export async function leftToFillIn(root: string): Promise<string[]> {
	const { name } = readManifest(root);
	const placeholders = [`.com/${name}/`, `@${name}.example`, `"name": "${name} maintainers"`];
	const patterns = placeholders.flatMap((one) => ['-e', one]);
	const args = ['grep', '--fixed-strings', '--line-number', '-o', ...patterns];
	// 1: nothing was found.
	const { stdout, exitCode = 2 } = await execa('git', args, { cwd: root, reject: false });
	if (exitCode > 1) throw new Error('git could not search the files');
	return stdout.split('\n').filter(Boolean);
}
