/** The ready descriptions for AI agents in docs/ai-agents.md. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry } from '../../nodes/PortalIo/resources/index.ts';

const page = readFileSync(new URL('../../docs/ai-agents.md', import.meta.url), 'utf8');
const rows = new Map(
	[...page.matchAll(/^\| `(\w+: \w+)` \| (.+) \|$/gm)].map(([, name, text]) => [name!, text!]),
);
const operations = Object.entries(registry).flatMap(([resource, { operations: of }]) =>
	Object.entries(of).map(([operation, declaration]) => ({
		...declaration,
		id: `${resource}: ${operation}`,
		resource,
		operation,
	})),
);
/** Whatever is not called as n8n calls reading operations. */
const changing = operations.filter(({ operation }) => !/^(get|search)/.test(operation));
const described = changing.filter(({ id }) => rows.has(id));

describe('the ready descriptions', () => {
	it('are there for every operation that changes something, and for no other', () => {
		const ids = changing.map(({ id }) => id);
		const missing = ids.filter((id) => !rows.has(id));
		expect(missing, 'describe them in the table of docs/ai-agents.md').toEqual([]);
		const others = [...rows.keys()].filter((id) => !ids.includes(id));
		expect(others, 'remove them from the table of docs/ai-agents.md').toEqual([]);
	});

	it('say what the tool does in the length that a model reads', () => {
		for (const [name, text] of rows) {
			expect(text, name).toMatch(/^(Not for agents: |[A-Z][a-z]+s )/);
			expect(text.length, name).toBeGreaterThan(80);
			expect(text.length, name).toBeLessThan(500);
		}
	});

	it.each(described.filter(({ id }) => !rows.get(id)!.startsWith('Not for agents')))(
		'$id: says which IDs it needs and where they come from',
		({ id, fields }) => {
			const ids = fields.filter((field) => field.required && /Ids?$/.test(field.name));
			for (const field of ids) {
				const words = field.name
					.replace('salesPerson', 'salesperson')
					.replace(/Id(s?)$/, ' ID$1')
					.replace(/[a-z][A-Z](?=[a-z])/g, ([one, other]) => `${one} ${other!.toLowerCase()}`);
				expect(rows.get(id)).toContain(words);
			}
			if (ids.length > 0) expect(rows.get(id)).toContain('from the tool that');
		},
	);

	it.each(
		described.filter(({ operation }) => /^(create|add|copy|start|generate)$/.test(operation)),
	)('$id: warns of calling it again', ({ id }) =>
		expect(rows.get(id)).toMatch(/Not for agents|calling it again|call this again/i),
	);
});
