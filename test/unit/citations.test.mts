/** The repository stands alone: nothing cites a document that is not in it, and every link leads somewhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parsers } from 'prettier/plugins/markdown';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The text files that git tracks and that are there. */
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
	.split('\0')
	.filter((file) => file !== '' && existsSync(join(root, file)))
	.filter((file) => !read(file).includes('\0'));
const pages = files.filter((file) =>
	/^(docs\/.*|examples\/README|simulator\/README|[^/]*)\.md$/.test(file),
);

/** Every match as `file:line: text`. A citation may be wrapped inside a comment. */
const matchesOf = (pattern: RegExp, inFiles = files) =>
	inFiles.flatMap((file) => {
		const text = read(file);
		return [...text.matchAll(new RegExp(pattern, 'gi'))].map(({ 0: match, index }) => {
			const line = text.slice(0, index).split('\n').length;
			return `${file}:${line}: ${match.replace(/\s+/g, ' ')}`;
		});
	});

describe('citations of absent documents', () => {
	it.each<[string, RegExp]>([
		['the list of operations', /\boperations\.md\b/],
		['the notes on n8n', /\bn8n\.md\b/],
		['the notes on the public documentation', /\bpublic[\s/#*]+reference\b/],
		['a section of the interface description', /\bspecification(?:,|:|'s)[\s/#*]*\*[a-z]/],
		['the interface description', /(?:\bthe (?:interface )?|\(|: )specification\b/],
	])('are gone: %s', (_document, pattern) => {
		expect(matchesOf(pattern)).toEqual([]);
	});
});

/** A node of a Markdown document, as far as links and headings go. */
interface MarkdownNode {
	type: string;
	value?: string;
	url?: string;
	children?: MarkdownNode[];
}

const nodesOf = (node: MarkdownNode): MarkdownNode[] => [
	node,
	...(node.children ?? []).flatMap(nodesOf),
];
const parsed = new Map<string, MarkdownNode[]>();
/** All nodes of a page, which is parsed once. */
function nodesIn(page: string): MarkdownNode[] {
	const known = parsed.get(page);
	if (known) return known;
	const nodes = nodesOf(parsers.markdown.parse(read(page), { filepath: page } as never));
	parsed.set(page, nodes);
	return nodes;
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): string[] {
	const seen = new Map<string, number>();
	return nodesIn(page)
		.filter(({ type }) => type === 'heading')
		.map((heading) => {
			const text = nodesOf(heading).map(({ value = '' }) => value);
			const anchor = text
				.join('')
				.toLowerCase()
				.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
				.replaceAll(' ', '-');
			const times = seen.get(anchor) ?? 0;
			seen.set(anchor, times + 1);
			return times === 0 ? anchor : `${anchor}-${times}`;
		});
}

/** What links, images and HTML of a page point at. */
const targetsOf = (page: string) =>
	nodesIn(page).flatMap(({ type, url, value = '' }) => {
		if (type === 'html') {
			return [...value.matchAll(/\b(?:href|src|srcset)="([^"\s]+)"/g)].map(([, target]) => target!);
		}
		return url === undefined ? [] : [url];
	});

/** Why a target leads nowhere; undefined when it leads somewhere. */
function flawOf(target: string, from: string): string | undefined {
	const [path = '', anchor] = target.split('#');
	const file = path === '' ? from : join(dirname(from), path);
	if (!existsSync(join(root, file))) return `${from}: ${target}: no such file`;
	if (anchor === undefined || !file.endsWith('.md')) return undefined;
	return anchorsOf(file).includes(anchor) ? undefined : `${from}: ${target}: no such heading`;
}

describe('links', () => {
	it.each(pages)('of %s lead somewhere', (page) => {
		const relative = targetsOf(page).filter((target) => !/^[a-z]+:/i.test(target));
		expect(relative.flatMap((target) => flawOf(target, page) ?? [])).toEqual([]);
	});

	it('to docs/ in comments and other text lead somewhere', () => {
		const flaws = matchesOf(/(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]*)?/).flatMap((match) => {
			const [where, target] = match.split(': ') as [string, string];
			return flawOf(target, 'README.md') === undefined ? [] : `${where}: ${target}`;
		});
		expect(flaws).toEqual([]);
	});

	it('tell headings from code, and count headings of the same name', () => {
		expect(anchorsOf('docs/portal-api.md')).toContain('ai-content-uploads');
		// GitHub: lower case, no punctuation, a hyphen for each space.
		expect(anchorsOf('docs/troubleshooting.md')).toContain('n8ns-own');
		expect(anchorsOf('CONTRIBUTING.md')).not.toContain('installs-what-is-missing');
	});
});
