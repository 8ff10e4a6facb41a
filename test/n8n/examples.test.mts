/** Checks the example workflows without running them. */
import { describe, expect, it } from 'vitest';
import type { Workflow, WorkflowNode } from '../../dev/testbed/n8n/n8n.mts';
import { readExamples } from '../../dev/testbed/workflows.mts';

const examples = await readExamples();

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
const findSteps = ({ nodes }: Workflow) => nodes.filter((node) => !isNote(node));

/** Returns the steps that follow each output of each step. */
const findTargets = ({ connections }: Workflow): Record<string, string[][]> =>
	Object.fromEntries(
		Object.entries(connections as Record<string, { main?: ({ node: string }[] | null)[] }>).map(
			([name, { main = [] }]) => [name, main.map((links) => (links ?? []).map(({ node }) => node))],
		),
	);

/** Returns whether one step leads to the other, or both are the same. */
function leadsTo(example: Workflow, from: string, to: string, seen = new Set<string>()): boolean {
	if (from === to) return true;
	if (seen.has(from)) return false;
	seen.add(from);
	return (findTargets(example)[from] ?? []).flat().some((next) => leadsTo(example, next, to, seen));
}

const isSlack = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.slack';

describe.for(examples.map((example) => [example.name, example] as const))(
	'the example "%s"',
	([, example]) => {
		const { nodes } = example;
		const names = nodes.map(({ name }) => name);
		const text = JSON.stringify(example);

		it('can be imported by anyone, even twice, because it has no credentials, pinned data, or public URLs', () => {
			expect(example.nodes.filter((node) => 'credentials' in node)).toEqual([]);
			const { connections, name, settings } = example;
			expect(example).toEqual({ connections, name, nodes, settings, pinData: {} });
			// Expect no webhook ID, because n8n would reuse it, and a second import with the same public URL could not
			// be published.
			expect(nodes.filter((node) => 'webhookId' in node)).toEqual([]);
			const paths = nodes.map(({ parameters }) => parameters.path ?? '$workflow.id');
			for (const path of paths) expect(path).toContain('$workflow.id');
		});

		it('requires a login for its forms and URLs, except for the public web form', () => {
			const open = nodes
				.filter(({ type }) => /\.(formTrigger|webhook)$/.test(type))
				.filter(({ parameters: { authentication = 'none' } }) => authentication === 'none')
				.map(({ name }) => name);
			const isPublic = example.name === 'Web form to proposal';
			expect(open).toEqual(isPublic ? ['Inquiry Form'] : []);
		});

		it('connects every step and uses unique node names', () => {
			expect(new Set(names).size).toBe(names.length);
			expect(new Set(example.nodes.map(({ id }) => id)).size).toBe(names.length);
			const linked = [...text.matchAll(/"node":"([^"]+)"/g)].map(([, name]) => name);
			const quoted = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
			// Expect every step to be connected.
			const used = new Set([...linked, ...Object.keys(example.connections)]);
			const steps = findSteps(example).map(({ name }) => name);
			expect([...used].sort()).toEqual(steps.sort());
			for (const name of quoted) expect(names).toContain(name);
		});

		it('places steps without overlap', () => {
			const places = findSteps(example).map(({ name, position: [x, y] }) => ({ name, x, y }));
			const covered = places.filter(({ name, x, y }) =>
				places.some(
					(one) => one.name !== name && Math.abs(one.x - x) < 180 && Math.abs(one.y - y) < 100,
				),
			);
			expect(covered).toEqual([]);
		});

		it('uses only nodes from this package and n8n', () => {
			for (const { type } of example.nodes) {
				expect(type).toMatch(
					/^(n8n-nodes-portal-io|n8n-nodes-base|@n8n\/n8n-nodes-langchain)\.(?!function)/,
				);
			}
		});

		it('explains its setup, function, and region in notes', () => {
			const notes = example.nodes.filter(isNote).map(({ parameters }) => parameters.content);
			const text = notes.join('\n');
			const steps = JSON.stringify(findSteps(example));
			if (/'TAX'|'USD'|"United States"/.test(steps)) expect(text).toMatch(/\bUSA?\b/);
			expect(text).toMatch(/^## .*(### How it works.*### Set up|\*\*Before the first run\*\*)/s);
			expect(text).toMatch(/Choose your Portal\.io/);
		});
	},
);

const AUTHENTICATION: Record<string, string> = {
	'n8n-nodes-base.gmail': 'oAuth2',
	'n8n-nodes-base.slack': 'accessToken',
};

const needsAuthentication = ({ type }: WorkflowNode) => type in AUTHENTICATION;

interface Condition {
	leftValue: unknown;
	operator: { type: string; operation: string };
}

/** Returns the conditions of all If and Filter steps. */
const findConditions = (nodes: WorkflowNode[]): Condition[] =>
	nodes
		.filter(({ type }) => /\.(if|filter)$/.test(type))
		.flatMap(({ parameters }) => (parameters.conditions as { conditions: Condition[] }).conditions);

const comparesOrder = ({ operator: { type, operation } }: Condition) =>
	type === 'number' && /^(lt|lte|gt|gte)$/.test(operation);

const isFilled =
	(value: unknown) =>
	({ leftValue, operator: { operation } }: Condition) =>
		leftValue === value && operation === 'notEmpty';

const slackExamples = examples.filter(({ nodes }) => nodes.some(isSlack));

it.for(slackExamples.map((example) => [example.name, example] as const))(
	'runs the Slack step last and without an error output, so Retry can send the message again: %s',
	([, example]) => {
		const step = (name: string) => example.nodes.find((node) => node.name === name)!;
		const targets = findTargets(example);
		const slack = example.nodes.find(isSlack)!;
		// Expect the branch that leads to Slack to be the lowest, because n8n runs the branches of an output from top
		// to bottom.
		for (const branches of Object.values(targets).flat()) {
			const sorted = branches.toSorted(
				(one, other) => step(one).position[1] - step(other).position[1],
			);
			const areLast = sorted.map((name) => leadsTo(example, name, slack.name));
			expect(areLast).toEqual(areLast.toSorted());
		}
		// Expect no error output for Slack, because *Retry* sends the message again.
		expect(slack.onError).toBeUndefined();
	},
);

it.for(examples.map((example) => [example.name, example] as const))(
	'uses at most 16 steps and no code, and escapes text for Slack: %s',
	([, example]) => {
		const { nodes } = example;
		expect(nodes.filter(({ type }) => type.endsWith('.code'))).toEqual([]);
		expect(findSteps(example).length).toBeLessThanOrEqual(16);
		for (const { parameters } of nodes.filter(isSlack)) {
			expect(parameters.text).toMatch(
				/^=\{\{ .+\.replaceAll\('&', '&amp;'\)\.replaceAll\('<', '&lt;'\)\.replaceAll\('>', '&gt;'\) \}\}$/,
			);
		}
		// Expect another condition that excludes an empty value, because n8n compares an empty value as 0.
		for (const { leftValue } of findConditions(nodes).filter(comparesOrder)) {
			expect(findConditions(nodes).filter(isFilled(leftValue))).not.toEqual([]);
		}
		// Require the type of authentication. Without it, the editor does not fill in the credential, and *Publish*
		// stays disabled.
		for (const { name, type, parameters } of nodes.filter(needsAuthentication)) {
			expect([name, parameters.authentication]).toEqual([name, AUTHENTICATION[type]]);
		}
		// Reject a statement or a function with a body, because either is code in a field.
		expect(JSON.stringify(example)).not.toMatch(/=> ?\{(?! *\w+:)|;\s*return /);
	},
);
