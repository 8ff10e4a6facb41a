/** Where the node stands in n8n's nodes panel, among all the nodes that n8n brings along. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { installationFolder } from '../../testbed/paths.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();

/** A node as the editor gets it, as far as its panel looks at it. */
interface NodeType {
	name: string;
	displayName: string;
	hidden?: boolean;
	group: string[];
	codex?: { alias?: string[] };
}

const load = createRequire(join(installationFolder, 'package.json'));
const { sublimeSearch } = load('@n8n/utils/search/sublime-search') as {
	sublimeSearch: <T>(text: string, entries: T[]) => { item: T }[];
};

let entries: { properties: NodeType }[];
beforeAll(async () => {
	const types = (await stage().n8n.nodeTypes()) as unknown as NodeType[];
	const names = new Set(types.map(({ name }) => name));
	entries = types
		.filter(({ hidden, name }) => hidden !== true && !name.endsWith('Tool'))
		// The editor shows these inside of the entry of the node that they are named after.
		.filter(
			({ group, name }) => !group.includes('trigger') || !names.has(name.replace('Trigger', '')),
		)
		.map((properties) => ({ properties }));
});

/** The names that the panel lists for a text, best first. */
const search = (text: string) => [
	...new Set(sublimeSearch(text, entries).map(({ item }) => item.properties.displayName)),
];

test.each([
	'portal io',
	'proposal',
	'create proposal',
	'proposal accepted',
	'quote',
	'catalog',
	'items',
	'labor',
	'order',
])('n8n lists the node among the first five for: %s', (text) =>
	expect(search(text).slice(0, 5)).toContain('Portal.io'),
);
