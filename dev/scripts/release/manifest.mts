/**
 * What package.json, CHANGELOG.md and the codex files have to say before a release, beyond what n8n's
 * own lint and scan demand of dependencies, license, keywords, icons and links.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What of package.json is looked at. */
interface Manifest {
	name: string;
	version: string;
	author: { name: string; email: string };
	homepage: string;
	repository: { url: string };
	bugs: { url: string };
	n8n: { strict?: boolean; nodes: string[]; credentials: string[] };
}

interface Codex {
	node?: string;
	categories?: string[];
	alias?: string[];
	resources?: Record<string, { url: string }[]>;
}

/** The categories that n8n knows (its *codex files* reference). */
const CATEGORIES = [
	'Analytics',
	'Communication',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing & Content',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];
/** Semantic versioning 2.0.0, without build metadata, which npm drops. */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/;

/**
 * What stands against a release, one line each.
 *
 * @param folder the package, unpacked
 * @param tag the version tag that is to be published; without it *Unreleased* may be at the top
 */
export function manifestProblems(folder: string, tag?: string): string[] {
	const read = (file: string) => readFileSync(join(folder, file), 'utf8');
	const { version, n8n } = JSON.parse(read('package.json')) as Manifest;
	const problems: string[] = [];
	const demand = (isMet: boolean, problem: string) => {
		if (!isMet) problems.push(problem);
	};
	demand(n8n.strict === true, 'n8n.strict is not on');
	demand(VERSION.test(version), `${version} is no semantic version`);
	problems.push(...changelogProblems(read('CHANGELOG.md'), version, tag));

	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		demand(existsSync(join(folder, file)), `${file} is named but not there`);
	}
	for (const file of n8n.nodes) {
		const codex = JSON.parse(read(file.replace(/\.js$/, '.json'))) as Codex;
		problems.push(...codexProblems(basename(file, '.node.js'), codex));
	}
	return problems;
}

/** Whether the changelog has the form of *Keep a Changelog* and tells of the version. */
export function changelogProblems(changelog: string, version: string, tag?: string): string[] {
	const headings = [...changelog.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!);
	const problems = headings
		.filter(
			(one) => !/^\[(Unreleased|\d+\.\d+\.\d+[^\]]*\] - \d{4}-\d\d-\d\d$|Unreleased\]$)/.test(one),
		)
		.map((one) => `the changelog has a heading '${one}'`);
	const kinds = [...changelog.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind!);
	const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
	problems.push(
		...kinds.filter((kind) => !known.includes(kind)).map((kind) => `the changelog has '${kind}'`),
	);
	const [newest] = headings;
	const isReleased = newest?.startsWith(`[${version}] - `) === true;
	if (tag !== undefined && tag !== version) {
		problems.push(`the tag is ${tag} and package.json says ${version}`);
	}
	if (!isReleased && (tag !== undefined || newest !== '[Unreleased]')) {
		problems.push(`the changelog begins with '${newest}', not with version ${version}`);
	}
	return problems;
}

function codexProblems(node: string, codex: Codex): string[] {
	const { categories = [], alias = [], resources = {} } = codex;
	const name = `n8n-nodes-portal-io.${node.charAt(0).toLowerCase()}${node.slice(1)}`;
	const urls = ['primaryDocumentation', 'credentialDocumentation'].flatMap(
		(kind) => resources[kind] ?? [{ url: '' }],
	);
	return [
		...(codex.node === name ? [] : [`the codex of ${node} is for ${codex.node}`]),
		...(categories.length > 0 && categories.every((one) => CATEGORIES.includes(one))
			? []
			: [`the codex of ${node} has categories that n8n does not know`]),
		...(alias.length > 0 ? [] : [`the codex of ${node} has no alias`]),
		...(urls.every(({ url }) => /^https:\/\//.test(url))
			? []
			: [`the codex of ${node} lacks documentation links`]),
	];
}

/**
 * What only a person can fill in before the first release, one line each: who publishes the package,
 * and where its public source is. A placeholder has the package's own name as its owner.
 */
export function leftToFillIn(folder: string): string[] {
	const { name, author, homepage, repository, bugs } = JSON.parse(
		readFileSync(join(folder, 'package.json'), 'utf8'),
	) as Manifest;
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
