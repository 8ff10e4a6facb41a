/** How the nodes are found in n8n's nodes panel, and where its *Docs* links lead. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PortalIoApi } from '../../credentials/PortalIoApi.credentials.ts';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';

interface Codex {
	alias: string[];
	resources: Record<'primaryDocumentation' | 'credentialDocumentation', { url: string }[]>;
}

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const codexOf = (node: string) => JSON.parse(read(`nodes/${node}/${node}.node.json`)) as Codex;
const manifest = JSON.parse(read('package.json'));

/** An entry of the nodes panel, as far as its search looks at it. */
interface Entry {
	properties: { displayName: string; codex: { alias: string[] } };
}

// The function that n8n's editor searches with. n8n-core brings its package along.
const load = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
const { sublimeSearch } = load('@n8n/utils/search/sublime-search') as {
	sublimeSearch: (text: string, entries: Entry[]) => { item: Entry }[];
};

// The panel shows the webhook trigger inside of the node's entry, by the node's name and aliases. The
// polling trigger has an entry of its own, by its name without the last word and its aliases; its
// entry comes later, which decides between equally good finds.
const polling = new PortalIoPollingTrigger().description.displayName;
const entryOf = (displayName: string, alias: string[]): Entry => ({
	properties: { displayName, codex: { alias } },
});
const entries: Entry[] = [
	entryOf(new PortalIo().description.displayName, codexOf('PortalIo').alias),
	entryOf(polling.replace(' Trigger', ''), [...codexOf('PortalIoPollingTrigger').alias, polling]),
];
const find = (text: string) =>
	sublimeSearch(text.toLowerCase(), entries).map(({ item }) => item.properties.displayName);

describe('the nodes panel', () => {
	it.each([
		'portal',
		'Portal.io',
		'portal io',
		'portalio',
		'proposal',
		'proposals',
		'create proposal',
		'proposal accepted',
		'quote',
		'quotes',
		'estimate',
		'catalog',
		'search catalog',
		'item',
		'items',
		'add item',
		'part',
		'labor',
		'order',
		'orders',
		'change order',
		'contact',
		'customer',
		'area',
		'cpq',
		'smart home',
	])('finds the node by: %s', (text) => expect(find(text)).toContain('Portal.io'));

	it('shows the node before the polling trigger', () => {
		for (const text of ['portal', 'portal.io', 'proposal', 'quote'])
			expect(find(text)[0], text).toBe('Portal.io');
	});

	it('finds the polling trigger by its name', () => {
		expect(find('portal.io polling trigger')).toEqual(['Portal.io Polling']);
	});

	it('does not find what the nodes have nothing to do with', () => {
		for (const text of ['spreadsheet', 'gmail', 'xyz']) expect(find(text), text).toEqual([]);
	});
});

describe('the documentation links', () => {
	const page = manifest.repository.url.replace(/^git\+|\.git$/g, '');
	const links = ['PortalIo', 'PortalIoTrigger', 'PortalIoPollingTrigger'].flatMap((node) => {
		const { primaryDocumentation, credentialDocumentation } = codexOf(node).resources;
		return [...primaryDocumentation, ...credentialDocumentation].map(
			({ url }) => [node, url] as const,
		);
	});

	it.each([...links, ['PortalIoApi', new PortalIoApi().documentationUrl] as const])(
		'%s: lead to a page of this repository: %s',
		(_node, url) => {
			const prefix = `${page}/blob/main/`;
			expect(url.startsWith(prefix), url).toBe(true);
			const { pathname } = new URL(url.slice(prefix.length), 'file:///');
			expect(existsSync(join(root, pathname)), pathname).toBe(true);
		},
	);

	it('of the node lead to its operations, and those of the credential to its page', () => {
		const { primaryDocumentation, credentialDocumentation } = codexOf('PortalIo').resources;
		expect(primaryDocumentation[0]!.url).toMatch(/\/docs\/operations\/README\.md$/);
		expect(credentialDocumentation[0]!.url).toMatch(/\/docs\/credentials\.md$/);
		expect(new PortalIoApi().documentationUrl).toBe(credentialDocumentation[0]!.url);
	});
});
