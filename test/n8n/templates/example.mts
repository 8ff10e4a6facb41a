/** What the tests of the examples have in common: one example, imported and run in the shared n8n. */
import { expect } from 'vitest';
import type { Execution } from '../../../testbed/n8n/database.mts';
import type { StoredCredential } from '../../../testbed/n8n/n8n.mts';
import { ownStage } from '../stages.mts';

/** An example with a Portal.io and other systems that nobody else has changed. */
export function useExample(name: string) {
	const stage = ownStage({ examples: [name] });
	const workflow = () => stage().workflows[name]!;
	return {
		stage,
		workflow,
		control: () => stage().simulator.control,
		systems: () => stage().others.systems,
		/** The texts of the messages in Slack. */
		messages: () => stage().others.systems.slack.messages.map(({ text }) => text),

		/** Runs it from a trigger to its end, and expects that nothing fails. */
		async run(trigger: string, json?: object): Promise<Execution> {
			const execution = await stage().n8n.runManually(workflow(), trigger, json);
			expect([execution.status, execution.error]).toEqual(['success', undefined]);
			return execution;
		},

		/** Chooses a credential in a step, as a person does. */
		async choose(step: string, { id, name: label, type }: StoredCredential): Promise<void> {
			const { nodes } = structuredClone(workflow());
			nodes.find((node) => node.name === step)!.credentials = { [type]: { id, name: label } };
			await stage().n8n.updateWorkflow(workflow(), { nodes });
		},
	};
}

/** Colorado's sales tax, in thousandths of a percent, on an amount in cents. */
export const coloradoTax = (cents: number) => Math.round((cents * 7650) / 100_000);

/** The link to a proposal that the messages have. */
export const linkTo = (proposalId: number) => `https://app.portal.io/proposals/${proposalId}`;
