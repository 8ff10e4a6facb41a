/** What the tests of the examples have in common: one example, imported and run in the shared n8n. */
import { expect } from 'vitest';
import type { Execution } from '../../../dev/testbed/n8n/database.mts';
import type { StoredCredential } from '../../../dev/testbed/n8n/n8n.mts';
import { ownEnvironment } from '../environments.mts';

/** An example with a Portal.io and other systems that nobody else has changed. */
export function useExample(name: string) {
	const environment = ownEnvironment({ examples: [name] });
	const workflow = () => environment().workflows[name]!;
	return {
		environment,
		workflow,
		control: () => environment().simulator.control,
		systems: () => environment().others.systems,
		/** The texts of the messages in Slack. */
		messages: () => environment().others.systems.slack.messages.map(({ text }) => text),

		/** Runs it from a trigger to its end, and expects that nothing fails. */
		async run(trigger: string, json?: object): Promise<Execution> {
			const execution = await environment().n8n.runManually(workflow(), trigger, json);
			expect([execution.status, execution.error]).toEqual(['success', undefined]);
			return execution;
		},

		/** Chooses a credential in a step, as a person does. */
		async choose(step: string, { id, name: label, type }: StoredCredential): Promise<void> {
			const { nodes } = structuredClone(workflow());
			nodes.find((node) => node.name === step)!.credentials = { [type]: { id, name: label } };
			await environment().n8n.updateWorkflow(workflow(), { nodes });
		},
	};
}

/** Colorado's sales tax, in thousandths of a percent, on an amount in cents. */
export const coloradoTax = (cents: number) => Math.round((cents * 7650) / 100_000);

/** The link to a proposal that the messages have. */
export const linkTo = (proposalId: number) => `https://app.portal.io/proposals/${proposalId}`;
