/**
 * What package.json and CHANGELOG.md have to say before a release, beyond what n8n's own lint and scan
 * demand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What of package.json is looked at. */
interface Manifest {
	name: string;
	version: string;
	author: { name: string; email: string };
	homepage: string;
	repository: { url: string };
	bugs: { url: string };
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
 */
export function leftToFillIn(folder: string): string[] {
	const { name, author, homepage, repository, bugs } = readManifest(folder);
	const isPlaceholder = (text: string) =>
		text.includes(`github.com/${name}/`) || /[.@]example$/.test(text) || text.startsWith(name);
	const given = {
		'author.name': author.name,
		'author.email': author.email,
		homepage,
		'repository.url': repository.url,
		'bugs.url': bugs.url,
	};
	return Object.entries(given)
		.filter(([, text]) => isPlaceholder(text))
		.map(([field, text]) => `${field} in package.json, and wherever else '${text}' stands`);
}
