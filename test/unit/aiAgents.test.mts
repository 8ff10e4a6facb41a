/** What AI agents get to know of the node, and the ready descriptions in docs/ai-agents.md. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
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

describe('what n8n tells a model of a tool', () => {
	const load = createRequire(import.meta.url);
	const core = dirname(load.resolve('n8n-core'));
	load('reflect-metadata');
	const { createNodeAsTool } = load(
		join(core, 'execution-engine/node-execution-context/utils/create-node-as-tool.js'),
	) as {
		createNodeAsTool(options: object): { response: Tool };
	};
	interface Tool {
		name: string;
		description: string;
		schema: { safeParse(value: object): { success: boolean } };
	}
	const nodeType = new PortalIo();
	const toolOf = (parameters: object, name = 'Tool') =>
		createNodeAsTool({ node: { name, parameters }, nodeType }).response;

	it('is the action of the operation and the name of the node, different for each', () => {
		const descriptions = operations.map(({ resource, operation, action }) => {
			const { description } = toolOf({ resource, operation, descriptionType: 'auto' });
			expect(description).toBe(`${action} in Portal.io`);
			return description;
		});
		expect(new Set(descriptions).size).toBe(operations.length);
	});

	it('is the Tool Description where one is set', () => {
		const [name, toolDescription] = [...rows][0]!;
		const [resource, operation] = name.split(': ');
		const parameters = { resource, operation, descriptionType: 'manual', toolDescription };
		expect(toolOf(parameters).description).toBe(toolDescription);
	});

	it('has the name of the step', () => {
		expect(toolOf({}, 'Find proposals (all)').name).toBe('Find_proposals_all_');
		expect(toolOf({}, 'x'.repeat(70)).name).toHaveLength(64);
	});

	it('has a parameter for each $fromAI, which is required without a default', () => {
		const { schema } = toolOf({
			proposalId: { mode: 'id', value: "={{ $fromAI('proposalId', `The ID`, 'string') }}" },
			updateFields: { quantity: "={{ $fromAI('quantity', `How many`, 'number', 1) }}" },
		});
		expect(schema.safeParse({ proposalId: '7' }).success).toBe(true);
		expect(schema.safeParse({ quantity: 2 }).success).toBe(false);
		expect(schema.safeParse({ proposalId: '7', quantity: 'two' }).success).toBe(false);
	});
});
