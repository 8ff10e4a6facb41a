/** Runs the workflow that the README offers to copy, with credentials that a person would choose. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { root } from '../../dev/testbed/paths.mts';
import { until } from '../../dev/testbed/until.mts';
import { adapt } from '../../dev/testbed/workflows.mts';
import { ownEnvironment } from './environments.mts';

const environment = ownEnvironment({ examples: [] });

it('posts a message to Slack when a client accepts a proposal', async ({ onTestFinished }) => {
	const { n8n, simulator, others } = environment();
	const readme = await readFile(join(root, 'README.md'), 'utf8');
	const [, json] = /## Usage[\s\S]+?```json\n([\s\S]+?)```/.exec(readme)!;
	const copied = { name: 'From the README', ...JSON.parse(json!) };
	const workflow = await n8n.createWorkflow(adapt(copied, environment()));
	onTestFinished(() => n8n.deactivate(workflow));
	await n8n.activate(workflow);
	const { control } = simulator;
	const { viewed } = seed.proposals;
	control.setStatus(viewed, 'Accepted');
	const { messages } = others.systems.slack;
	await until('the message in Slack', () => messages.length > 0 || undefined, 180_000);
	const { number, name, customer, financialSummary } = control.proposal(viewed);
	const client = customer.companyName || `${customer.firstName} ${customer.lastName}`;
	// n8n appends a line with a link to the workflow.
	expect(messages.map(({ text }) => text.split('\n')[0])).toEqual([
		`Accepted: ${name} (${number}) for ${client}, total ${financialSummary.proposalTotal}`,
	]);
});
