/** Checks messages, operation names, and links in the pages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { PortalIoApi } from '../../credentials/PortalIoApi.credentials.ts';
import { exampleNames, findExample } from '../../dev/scripts/examples.mts';
import { endpoints } from '../../dev/simulator/contract.mts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const textsIn = (folder: string, suffix: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(suffix))
		.map((file) => readFileSync(join(folder, file), 'utf8'));

const source = ['credentials', 'nodes', 'client']
	.flatMap((folder) => textsIn(join(root, folder), '.ts'))
	.join('\n');
const page = read('docs/troubleshooting.md');
const [ours = '', theirs = ''] = page.split("## n8n's own");
const listed = (part: string) => [...part.matchAll(/^\| `([^`]+)` \|/gm)].map(([, one]) => one!);
const fixed = (message: string) =>
	message
		.split('…')
		.map((part) => part.replace(/^'|'$/g, '').trim())
		.filter((part) => part.length > 3);

it.each(listed(ours))(
	'quotes an actual message of this package in docs/troubleshooting.md: %s',
	(message) => {
		expect(fixed(message).length).toBeGreaterThan(0);
		const words = source.replaceAll("\\'", "'");
		expect(fixed(message).filter((part) => !words.includes(part))).toEqual([]);
	},
);

it.each(listed(theirs))(
	'quotes an actual message of n8n in docs/troubleshooting.md: %s',
	(message) => {
		const load = createRequire(import.meta.url);
		const words = ['n8n-core', 'n8n-workflow']
			.map((name) => dirname(load.resolve(name)))
			.flatMap((folder) => textsIn(folder, '.js'));
		expect(words.some((text) => text.includes(message))).toBe(true);
	},
);

it('has a tool description for exactly the operations that change something', () => {
	const described = exampleNames.filter((name) => findExample(name).forAgents !== undefined);
	const changing = Object.entries(registry).flatMap(([resource, { operations }]) =>
		Object.entries(operations)
			.filter(([, { kind }]) => kind === 'change')
			.map(([operation]) => `${resource}.${operation}`),
	);
	expect(described.toSorted()).toEqual(changing.toSorted());
});

it('refers in CONTRIBUTING.md only to lines that occur exactly once in their files', () => {
	const places = [...read('CONTRIBUTING.md').matchAll(/[Ii]n `([^`]+)`, above `([^`]+)`/g)];
	expect(places).toHaveLength(7);
	for (const [place, file, above] of places) {
		const lines = read(file!).split('\n');
		expect(
			lines.filter((line) => line.trim() === above),
			place,
		).toHaveLength(1);
	}
});

it('shows an event in CONTRIBUTING.md exactly as the code declares it', () => {
	const [, event] = /```ts\n(\tproposalCreated: [^]*?)```/.exec(read('CONTRIBUTING.md'))!;
	expect(read('nodes/PortalIoPollingTrigger/pollEvents.ts')).toContain(event);
});

it('lists every documented endpoint in docs/dev/portal-api.md', () => {
	const text = read('docs/dev/portal-api.md');
	const documented = endpoints.filter(({ mark }) => mark !== 'assumed');
	expect(documented.length).toBeGreaterThan(40);
	const missing = documented.filter(({ method, path }) => {
		const inShort = path.replace('/public/proposals/{ProposalId}', '…');
		return !text.includes(`${method} ${path}`) && !text.includes(`${method} ${inShort}`);
	});
	expect(missing.map(({ id }) => id)).toEqual([]);
});

it('mentions only existing files and functions in docs/dev/architecture.md', () => {
	const text = read('docs/dev/architecture.md').replace(/^```[^]*?^```/gm, '');
	const names = [...text.matchAll(/`([\w/.]+)(?:\(\w*\))?`/g)].map(([, name]) => name!);
	expect(names.length).toBeGreaterThan(50);
	const published = ['credentials', 'nodes', 'client'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }),
	);
	const isThere = (name: string) =>
		// Accept `dist/` even if it does not exist, because only a build creates it.
		name === 'dist/' ||
		existsSync(join(root, name)) ||
		published.some((file) => file.endsWith(name.replace(/\/$/, ''))) ||
		name.split('.').every((part) => new RegExp(`\\b${part}\\b`).test(source));
	expect(names.filter((name) => !isThere(name))).toEqual([]);
});

const { url: address } = JSON.parse(read('package.json')).repository;
const repository = address.replace(/^git\+|\.git$/g, '');
const onGitHub = `${repository}/blob/main/`;
const pictures = `${repository.replace('github.com', 'raw.githubusercontent.com')}/main/`;
const pages = ['.', 'docs', 'docs/dev', 'docs/operations', 'dev/simulator', 'examples'].flatMap(
	(folder) =>
		readdirSync(join(root, folder))
			.filter((file) => file.endsWith('.md'))
			.map((file) => join(folder, file)),
);

/** Returns a page's anchors, as GitHub derives them from its headings. */
const anchorsOf = (file: string) =>
	[...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
		heading!
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);

it.each(pages)('links from %s to files and headings that exist', (file) => {
	const text = read(file).replace(/^```[^]*?^```/gm, '');
	const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
	const missing = links.filter((link) => {
		const path = link.replace(onGitHub, '/').replace(pictures, '/');
		if (/^https?:/.test(path)) return false;
		const { pathname, hash } = new URL(path, `file:///${file}`);
		if (!existsSync(join(root, pathname))) return true;
		return hash !== '' && !anchorsOf(pathname).includes(hash.slice(1));
	});
	expect(missing).toEqual([]);
});

it('refers only to existing pages and headings in its comments', () => {
	const code = ['client', 'credentials', 'nodes', 'test', 'dev/simulator', 'dev/scripts']
		.flatMap((folder) =>
			['.ts', '.mts', '.yaml'].flatMap((end) => textsIn(join(root, folder), end)),
		)
		.join('\n');
	const pages = [...code.matchAll(/\bdocs\/[\w/-]+\.md(#[\w-]+)?/g)].map(([page]) => page);
	expect(pages.length).toBeGreaterThan(50);
	const missing = pages.filter((page) => {
		const [file, anchor] = page.split('#') as [string, string?];
		if (!existsSync(join(root, file))) return true;
		return anchor !== undefined && !anchorsOf(file).includes(anchor);
	});
	expect(missing).toEqual([]);
});

it('links from the nodes and the credential to pages of this repository', () => {
	const links = ['PortalIo', 'PortalIoTrigger', 'PortalIoPollingTrigger'].flatMap((node) => {
		const { resources } = JSON.parse(read(`nodes/${node}/${node}.node.json`));
		return Object.values(resources as Record<string, { url: string }[]>).flat();
	});
	for (const { url } of [...links, { url: new PortalIoApi().documentationUrl }]) {
		expect(url.startsWith(onGitHub), url).toBe(true);
		const { pathname } = new URL(url.slice(onGitHub.length), 'file:///');
		expect(existsSync(join(root, pathname)), pathname).toBe(true);
	}
});
