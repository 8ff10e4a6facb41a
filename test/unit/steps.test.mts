/** That docs/request-and-delivery.md names functions that are where it says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../testbed/paths.mts';
import { defines, linked, ofN8n, page } from './steps.mts';

it.each(linked)('%s is defined in %s', (name, file) => {
	expect(defines(join(root, file), name)).toBe(true);
});

// Those of n8n itself are looked up in test/n8n/steps.test.mts: it is installed for those tests only.
it.each(ofN8n.filter(([, file]) => !file.startsWith('n8n/')))(
	"n8n's %s is defined in %s",
	(name, file) => expect(defines(join(root, 'node_modules', file), name)).toBe(true),
);

it('the page names steps of both ways, and nothing that is not in the source', () => {
	expect(linked.length).toBeGreaterThan(20);
	const source = ['client', 'credentials', 'nodes']
		.flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => file.endsWith('.ts'))
				.map((file) => readFileSync(join(root, folder, file), 'utf8')),
		)
		.join('\n');
	const theirs = ['ExecuteContext', 'WebhookContext', 'enqueueExecution', 'ECONNREFUSED'];
	const named = [...page.matchAll(/(?<!\[)`([A-Za-z_]{5,})`(?! in `)/g)].map(([, name]) => name!);
	const unknown = named.filter((name) => !new RegExp(`\\b${name}\\b`).test(source));
	expect(unknown.filter((name) => !theirs.includes(name))).toEqual([]);
});
