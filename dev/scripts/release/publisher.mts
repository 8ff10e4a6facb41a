/** What only a person can fill in before the first release: who publishes the package, and where. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The part of package.json that names the publisher. */
export interface Publisher {
	name: string;
	author?: { name?: string; email?: string };
	homepage?: string;
	repository?: { url?: string };
	bugs?: { url?: string };
}

/** Whether everybody can read a repository, and why not. */
export type Visibility = { isPublic: true } | { isPublic: false; reason: string };

/** A link that n8n shows to users, with the file that holds it. */
export interface Link {
	file: string;
	url: string;
}

/** Domains that never belong to anybody (RFC 2606). */
const RESERVED = /(^|[.@])(example|invalid|localhost|test|example\.(com|net|org))$/i;
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s.]+$/;

/** The page of the repository at GitHub; undefined when `repository.url` names none. */
export function repositoryPage({ repository }: Publisher): string | undefined {
	const pattern = /^git\+(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\.git$/;
	return pattern.exec(repository?.url ?? '')?.[1];
}

/**
 * Asks a Git server for a repository as `git clone` begins, without credentials.
 *
 * @param page address of the repository, without `.git`
 */
export async function visibilityOf(page: string): Promise<Visibility> {
	const hidden = (reason: string) => ({ isPublic: false as const, reason });
	let response;
	try {
		response = await fetch(`${page}.git/info/refs?service=git-upload-pack`, {
			redirect: 'manual',
			signal: AbortSignal.timeout(20_000),
		});
		await response.body?.cancel();
	} catch (error) {
		const { message, cause } = error as Error & { cause?: Error };
		const why = cause?.message || message;
		return hidden(`could not be reached (${why}); check the network and run this again`);
	}
	const { status, headers } = response;
	// GitHub asks for a login where it has no repository or a private one.
	if ([401, 403, 404].includes(status)) return hidden('does not exist or is private');
	if (status >= 300 && status < 400) return hidden(`has moved to ${headers.get('location')}`);
	if (status !== 200) return hidden(`answered ${status}; run this again later`);
	const isGit = headers.get('content-type')?.startsWith('application/x-git-upload-pack');
	return isGit ? { isPublic: true } : hidden('is not a Git repository');
}

/** Every documentation link of an unpacked package: those of the codex files and credentials. */
export function documentationLinks(folder: string): Link[] {
	const read = (file: string) => readFileSync(join(folder, file), 'utf8');
	const { n8n } = JSON.parse(read('package.json')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const codexFiles = n8n.nodes.map((file) => file.replace(/\.js$/, '.json'));
	return [
		...codexFiles.flatMap((file) => {
			const { resources = {} } = JSON.parse(read(file)) as { resources?: Record<string, Link[]> };
			const links = Object.values(resources).flat();
			return links.map(({ url }) => ({ file: basename(file), url }));
		}),
		...n8n.credentials.flatMap((file) => {
			const [, url] = /documentationUrl = '([^']+)'/.exec(read(file)) ?? [];
			return url === undefined ? [] : [{ file: basename(file).replace(/js$/, 'ts'), url }];
		}),
	];
}

/**
 * What a person has to fill in, one line each.
 *
 * @param publisher package.json
 * @param visibility of the repository that package.json names
 * @param links documentation links of the package
 */
export function toFillIn(publisher: Publisher, visibility: Visibility, links: Link[]): string[] {
	const { homepage, bugs } = publisher;
	const page = repositoryPage(publisher);
	const publicPage = visibility.isPublic ? page : undefined;
	const lines = ofAuthor(publisher);
	if (publicPage === undefined) {
		const why = page === undefined || visibility.isPublic ? 'is not at GitHub' : visibility.reason;
		const form = 'a public repository, git+https://github.com/<owner>/<name>.git';
		const now = shown(publisher.repository?.url);
		lines.push(`repository.url in package.json: ${form}; now ${now}, which ${why}`);
	}
	const places = [
		['homepage in package.json', homepage] as const,
		['bugs.url in package.json', bugs?.url] as const,
		...links.map(({ file, url }) => [`the documentation link of ${file}`, url] as const),
	];
	for (const [place, url] of places) {
		if (url === undefined || leadsSomewhere(url, publicPage)) continue;
		lines.push(`${place}: an address that everybody can open; now ${shown(url)}`);
	}
	return lines;
}

const shown = (value: string | undefined) => (value ? JSON.stringify(value) : 'nothing');

function ofAuthor({ name: packageName, author: { name = '', email = '' } = {} }: Publisher) {
	const lines: string[] = [];
	if (name === '' || name.includes(packageName)) {
		lines.push(`author.name in package.json: who publishes the package; now ${shown(name)}`);
	}
	if (!EMAIL.test(email) || RESERVED.test(email)) {
		lines.push(`author.email in package.json: where they get email; now ${shown(email)}`);
	}
	return lines;
}

/** Whether a link is no placeholder; at GitHub only the package's own public repository is none. */
function leadsSomewhere(url: string, publicPage: string | undefined): boolean {
	if (!URL.canParse(url)) return false;
	const { hostname, origin, pathname } = new URL(url);
	if (hostname !== 'github.com') return !RESERVED.test(hostname);
	return publicPage !== undefined && `${origin}${pathname}/`.startsWith(`${publicPage}/`);
}
