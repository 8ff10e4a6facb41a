/** Checks the example workflows without running them. */
import { describe, expect, test } from 'vitest';
import type { Workflow, WorkflowNode } from '../../dev/testbed/n8n/n8n.mts';
import { readExamples } from '../../dev/testbed/workflows.mts';

const examples = await readExamples();

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
const stepsOf = ({ nodes }: Workflow) => nodes.filter((node) => !isNote(node));

/** The steps behind each output of each step. */
const targetsIn = ({ connections }: Workflow): Record<string, string[][]> =>
	Object.fromEntries(
		Object.entries(connections as Record<string, { main?: ({ node: string }[] | null)[] }>).map(
			([name, { main = [] }]) => [name, main.map((links) => (links ?? []).map(({ node }) => node))],
		),
	);

/** Whether a step is another one or leads to it. */
function leadsTo(example: Workflow, from: string, to: string, seen = new Set<string>()): boolean {
	if (from === to) return true;
	if (seen.has(from)) return false;
	seen.add(from);
	return (targetsIn(example)[from] ?? []).flat().some((next) => leadsTo(example, next, to, seen));
}

const isSlack = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.slack';

describe.for(examples.map((example) => [example.name, example] as const))(
	'the example "%s"',
	([, example]) => {
		const { nodes } = example;
		const names = nodes.map(({ name }) => name);
		const text = JSON.stringify(example);

		test('belongs to nobody, and can be imported twice: no credential, pinned data or public address', () => {
			expect(example.nodes.filter((node) => 'credentials' in node)).toEqual([]);
			const { connections, name, settings } = example;
			expect(example).toEqual({ connections, name, nodes, settings, pinData: {} });
			// n8n would keep the public address of the file: a second import could not be published.
			expect(nodes.filter((node) => 'webhookId' in node)).toEqual([]);
			const paths = nodes.map(({ parameters }) => parameters.path ?? '$workflow.id');
			for (const path of paths) expect(path).toContain('$workflow.id');
		});

		test('requires a login for its forms and URLs, except the public web form', () => {
			const open = nodes
				.filter(({ type }) => /\.(formTrigger|webhook)$/.test(type))
				.filter(({ parameters: { authentication = 'none' } }) => authentication === 'none')
				.map(({ name }) => name);
			const isPublic = example.name === 'Web form to proposal';
			expect(open).toEqual(isPublic ? ['Inquiry Form'] : []);
		});

		test('names each node once, and only nodes that it has', () => {
			expect(new Set(names).size).toBe(names.length);
			expect(new Set(example.nodes.map(({ id }) => id)).size).toBe(names.length);
			const linked = [...text.matchAll(/"node":"([^"]+)"/g)].map(([, name]) => name);
			const quoted = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
			// Every step is linked.
			const used = new Set([...linked, ...Object.keys(example.connections)]);
			const steps = stepsOf(example).map(({ name }) => name);
			expect([...used].sort()).toEqual(steps.sort());
			for (const name of quoted) expect(names).toContain(name);
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

		test('uses only the nodes of this package and of n8n', () => {
			for (const { type } of example.nodes) {
				expect(type).toMatch(
					/^(n8n-nodes-portal-io|n8n-nodes-base|@n8n\/n8n-nodes-langchain)\.(?!function)/,
				);
			}
		});

		test('says on its notes how it works and how to set it up', () => {
			const notes = example.nodes.filter(isNote).map(({ parameters }) => parameters.content);
			const text = notes.join('\n');
			expect(text).toMatch(/^## .*(### How it works.*### Set up|\*\*Before the first run\*\*)/s);
			expect(text).toMatch(/Choose your Portal\.io/);
		});
	},
);

const AUTHENTICATION: Record<string, string> = {
	'n8n-nodes-base.gmail': 'oAuth2',
	'n8n-nodes-base.slack': 'accessToken',
};

const needsKind = ({ type }: WorkflowNode) => type in AUTHENTICATION;

interface Condition {
	leftValue: unknown;
	operator: { type: string; operation: string };
}

/** The conditions of all If and Filter steps. */
const conditionsOf = (nodes: WorkflowNode[]): Condition[] =>
	nodes
		.filter(({ type }) => /\.(if|filter)$/.test(type))
		.flatMap(({ parameters }) => (parameters.conditions as { conditions: Condition[] }).conditions);

const comparesOrder = ({ operator: { type, operation } }: Condition) =>
	type === 'number' && /^(lt|lte|gt|gte)$/.test(operation);

const isFilled =
	(value: unknown) =>
	({ leftValue, operator: { operation } }: Condition) =>
		leftValue === value && operation === 'notEmpty';

const withSlack = examples.filter(({ nodes }) => nodes.some(isSlack));

test.for(withSlack.map((example) => [example.name, example] as const))(
	'%s sends its message after everything else, and Retry sends a message that failed',
	([, example]) => {
		const step = (name: string) => example.nodes.find((node) => node.name === name)!;
		const targets = targetsIn(example);
		const slack = example.nodes.find(isSlack)!;
		// n8n runs the branches of an output from top to bottom.
		for (const branches of Object.values(targets).flat()) {
			const sorted = branches.toSorted(
				(one, other) => step(one).position[1] - step(other).position[1],
			);
			const areLast = sorted.map((name) => leadsTo(example, name, slack.name));
			expect(areLast).toEqual(areLast.toSorted());
		}
		// *Retry* sends it again.
		expect(slack.onError).toBeUndefined();
	},
);

test.for(examples.map((example) => [example.name, example] as const))(
	'%s has no code, at most 16 steps, and no text of strangers that Slack would read as a command',
	([, example]) => {
		const { nodes } = example;
		expect(nodes.filter(({ type }) => type.endsWith('.code'))).toEqual([]);
		expect(stepsOf(example).length).toBeLessThanOrEqual(16);
		for (const { parameters } of nodes.filter(isSlack)) {
			expect(parameters.text).toMatch(
				/^=\{\{ .+\.replaceAll\('&', '&amp;'\)\.replaceAll\('<', '&lt;'\)\.replaceAll\('>', '&gt;'\) \}\}$/,
			);
		}
		// n8n compares an empty value as 0.
		for (const { leftValue } of conditionsOf(nodes).filter(comparesOrder)) {
			expect(conditionsOf(nodes).filter(isFilled(leftValue))).not.toEqual([]);
		}
		// The editor fills in a credential only if the step names its kind, and *Publish* stays gray without.
		for (const { name, type, parameters } of nodes.filter(needsKind)) {
			expect([name, parameters.authentication]).toEqual([name, AUTHENTICATION[type]]);
		}
		// A statement, or a function with a body, is code in a field.
		expect(JSON.stringify(example)).not.toMatch(/=> ?\{(?! *\w+:)|;\s*return /);
	},
);
