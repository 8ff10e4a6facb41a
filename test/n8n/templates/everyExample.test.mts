/** Promises of every example: it needs its settings, says so, and can be imported twice. */
import { afterAll, describe, expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import type { StoredWorkflow, WorkflowNode } from '../../../dev/testbed/n8n/n8n.mts';
import { until } from '../../../dev/testbed/until.mts';
import { readExamples } from '../../../dev/testbed/workflows.mts';
import { ownEnvironment } from '../environments.mts';
import { newRequests } from '../handRuns.mts';
import { settingsOf, useExample } from './example.mts';
import { runSteps } from './steps.mts';

const examples = await readExamples();
const { submitted } = seed.proposals;
const isTrigger = ({ type }: WorkflowNode) => /trigger$/i.test(type);

/** Settings that may stay empty: a status without a stage leaves the deal where it is. */
const OPTIONAL =
	/^(Settings Complete|Submitted|ViewedByClient|Delayed|EmailFailed|Expired|Accepted|Completed|Declined)$/;
const required = examples.flatMap((example) =>
	settingsOf(example)
		.filter(({ name }) => !OPTIONAL.test(name))
		.map(({ name }) => [example.name, name] as const),
);

test.each(required)('%s does nothing and names the missing setting %s', async (name, missing) => {
	const example = structuredClone(examples.find((one) => one.name === name)!);
	for (const setting of settingsOf(example)) {
		setting.value ||= 'something';
		if (setting.name === missing) setting.value = '';
	}
	const trigger = example.nodes.find(isTrigger)!.name;
	const { error, steps } = await runSteps(example, { [trigger]: [{ json: {} }] });
	expect(error?.message).toContain(`enter ${missing} in this step`);
	expect(steps).toEqual([trigger, 'Settings']);
});

describe('an execution that Settings has stopped', () => {
	const example = useExample('Accepted proposal to Slack and purchase list');
	test('has done nothing, and retries with the value that was entered since', async () => {
		const { environment, workflow, control, messages } = example;
		const { n8n } = environment();
		control().accept(submitted);
		const channel = settingsOf(workflow()).find(({ name }) => name === 'Slack Channel ID')!.value;
		await example.enter('Slack Channel ID', '');
		const requests = newRequests(environment());
		const input = { proposalId: submitted };
		const stopped = await n8n.runManually(workflow(), 'Accepted, Reopened or Declined', input);
		expect(stopped.error?.message).toContain('enter Slack Channel ID in this step');
		expect(requests()).toEqual([]);
		await example.enter('Slack Channel ID', channel);
		// The button *Retry*, *With currently saved workflow*.
		await n8n.rest('POST', `/executions/${stopped.id}/retry`, { loadWorkflow: true });
		await until('the message', () => messages()[0]);
		expect(example.systems().googleSheets.rows()).toHaveLength(4);
	});
});

describe('an example that is imported twice', () => {
	/** One for each kind of trigger. */
	const names = Object.values(
		Object.fromEntries(
			examples.map(({ name, nodes }) => [
				nodes
					.filter(isTrigger)
					.map(({ type }) => type)
					.join(),
				name,
			]),
		),
	).filter((name) => name !== 'First proposal');
	const environment = ownEnvironment({ examples: names });
	const published: StoredWorkflow[] = [];
	afterAll(async () => {
		for (const workflow of published) await environment().n8n.deactivate(workflow);
	});

	test.each(names)('publishes two copies of %s side by side', async (name) => {
		const { n8n, workflows } = environment();
		const { nodes, connections, settings } = workflows[name]!;
		const secrets = {
			'@n8n/n8n-nodes-langchain.mcpTrigger': ['httpBearerAuth', { token: 'none' }],
			'@n8n/n8n-nodes-langchain.lmChatOpenAi': ['openAiApi', { apiKey: 'none' }],
		} as const;
		for (const node of nodes) {
			const [type, data] = secrets[node.type as keyof typeof secrets] ?? [];
			if (type === undefined) continue;
			const { id, name } = await n8n.createCredential('None', type, data);
			node.credentials = { [type]: { id, name } };
		}
		await n8n.updateWorkflow(workflows[name]!, { nodes });
		const imported = nodes.map(({ webhookId: _, ...node }) => node);
		const again = await n8n.createWorkflow({ name, nodes: imported, connections, settings });
		for (const one of [workflows[name]!, again]) {
			await n8n.activate(one);
			published.push(one);
		}
		const active = (await n8n.activeWorkflows()).filter((one) => one.name === name);
		expect(active).toHaveLength(2);
	});
});
