/**
 * What package.json and CHANGELOG.md have to say before a release, beyond what n8n's own lint and scan
 * demand.
 */
import { execa } from 'execa';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
	name: string;
	version: string;
}

const readManifest = (folder: string) =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

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
 * What only a person can fill in before the first release, one line each: who publishes the package,
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
