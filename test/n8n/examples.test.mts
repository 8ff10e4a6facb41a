/** What can be said of the example workflows without running them. */
import { describe, expect, test } from 'vitest';
import type { Workflow, WorkflowNode } from '../../dev/testbed/n8n/n8n.mts';
import { readExamples } from '../../dev/testbed/workflows.mts';

const examples = await readExamples();

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
const stepsOf = ({ nodes }: Workflow) => nodes.filter((node) => !isNote(node));

/** Where a node lies on the canvas, in its pixels: a step with its caption below, or a note. */
function boxOf(node: WorkflowNode) {
	const [left, top] = node.position;
	const { width, height } = isNote(node)
		? (node.parameters as { width: number; height: number })
		: { width: node.type.endsWith('.agent') ? 260 : 100, height: 150 };
	return { name: node.name, left, top, right: left + width, bottom: top + height };
}

type Box = ReturnType<typeof boxOf>;
const overlap = (one: Box, other: Box) =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

/** All texts in a value, however deep. */
const textsIn = (value: unknown): string[] =>
	typeof value === 'string'
		? [value]
		: Object.values(value ?? {}).flatMap((one) =>
				typeof one === 'object' || typeof one === 'string' ? textsIn(one) : [],
			);

describe.for(examples.map((example) => [example.name, example] as const))(
	'the example "%s"',
	([, example]) => {
		const names = example.nodes.map(({ name }) => name);
		const text = JSON.stringify(example);

		test('belongs to nobody: no credential, no pinned data, no id of an n8n', () => {
			expect(example.nodes.filter((node) => 'credentials' in node)).toEqual([]);
			expect(example).toMatchObject({ pinData: {} });
			expect(Object.keys(example).sort()).toEqual([
				'connections',
				'name',
				'nodes',
				'pinData',
				'settings',
			]);
		});

		test('names each node once, and only nodes that it has', () => {
			expect(new Set(names).size).toBe(names.length);
			expect(new Set(example.nodes.map(({ id }) => id)).size).toBe(names.length);
			const linked = [...text.matchAll(/"node":"([^"]+)"/g)].map(([, name]) => name);
			const quoted = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
			// Every step is linked.
			const used = new Set([...linked, ...Object.keys(example.connections)]);
			expect([...used].sort()).toEqual(
				stepsOf(example)
					.map(({ name }) => name)
					.sort(),
			);
			for (const name of [...linked, ...quoted, ...Object.keys(example.connections)]) {
				expect(names).toContain(name);
			}
		});

		test('uses ours and the nodes of n8n, and none that holds code', () => {
			for (const { type } of example.nodes) {
				expect(type).toMatch(
					/^(n8n-nodes-portal-io|n8n-nodes-base|@n8n\/n8n-nodes-langchain)\.(?!code|function)/,
				);
			}
		});

		test('says on a note what it is for and what to set', () => {
			const [note] = example.nodes.filter(isNote);
			expect(note!.parameters.content).toMatch(/^## .*\*\*Before the first run\*\*/s);
			expect(note!.parameters.content).toMatch(/Choose your Portal\.io/);
		});

		test('has at most 20 steps, and calls no other workflow', () => {
			expect(stepsOf(example).length).toBeLessThanOrEqual(20);
			expect(text).not.toContain('n8n-nodes-base.executeWorkflow');
		});

		test('has nothing that lies on top of something else', () => {
			const boxes = example.nodes.map(boxOf);
			for (const [index, one] of boxes.entries()) {
				for (const other of boxes.slice(index + 1)) {
					expect(overlap(one, other), `${one.name} and ${other.name}`).toBe(false);
				}
			}
		});

		test('looks for nothing in a list of areas', () => {
			expect(text).not.toMatch(/areas\W*(\.find|\[)/);
		});
	},
);

test('"First proposal" has no expression longer than a field of its input', () => {
	const { nodes } = examples.find(({ name }) => name === 'First proposal')!;
	const operations = nodes.map(({ parameters }) => parameters.operation).filter(Boolean);
	expect(operations).toEqual(['create', 'create', 'add', 'update', 'get']);
	const expressions = textsIn(nodes).filter((one) => one.startsWith('='));
	expect(expressions.length).toBeGreaterThan(5);
	for (const one of expressions) expect(one).toMatch(/^=\{\{ \$json\.\w+ \}\}$/);
});
