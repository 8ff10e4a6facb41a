/** What can be said of the example workflows without running them. */
import { describe, expect, test } from 'vitest';
import type { Workflow, WorkflowNode } from '../../dev/testbed/n8n/n8n.mts';
import { readExamples } from '../../dev/testbed/workflows.mts';

const examples = await readExamples();

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
const stepsOf = ({ nodes }: Workflow) => nodes.filter((node) => !isNote(node));

describe.for(examples.map((example) => [example.name, example] as const))(
	'the example "%s"',
	([, example]) => {
		const names = example.nodes.map(({ name }) => name);
		const text = JSON.stringify(example);

		test('belongs to nobody: no credential, no pinned data, no ID of an n8n', () => {
			expect(example.nodes.filter((node) => 'credentials' in node)).toEqual([]);
			const { connections, name, nodes, settings } = example;
			expect(example).toEqual({ connections, name, nodes, settings, pinData: {} });
			// n8n would keep the public address of the file: a second import could not be published.
			expect(nodes.filter((node) => 'webhookId' in node)).toEqual([]);
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

		test('shows each step on a place of its own', () => {
			const places = stepsOf(example).map(({ name, position: [x, y] }) => ({ name, x, y }));
			const covered = places.filter(({ name, x, y }) =>
				places.some(
					(one) => one.name !== name && Math.abs(one.x - x) < 180 && Math.abs(one.y - y) < 100,
				),
			);
			expect(covered).toEqual([]);
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
	},
);
