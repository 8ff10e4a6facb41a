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

		/** Chooses a credential in steps, as a person does. */
		async choose({ id, name: label, type }: StoredCredential, ...steps: string[]): Promise<void> {
			const { nodes } = structuredClone(workflow());
			for (const node of nodes.filter((one) => steps.includes(one.name))) {
				node.credentials = { [type]: { id, name: label } };
			}
			await environment().n8n.updateWorkflow(workflow(), { nodes });
		},
	};
}

/** Colorado's sales tax, in thousandths of a percent, on an amount in cents. */
export const coloradoTax = (cents: number) => Math.round((cents * 7650) / 100_000);

/** The same of Texas. */
export const texasTax = (cents: number) => Math.round((cents * 8250) / 100_000);

/** The link to a proposal that the messages have. */
export const linkTo = (proposalId: number) => `https://app.portal.io/proposals/${proposalId}`;

/** A time zone in which it is another day now than in UTC, and the dates there. */
export function anotherDate() {
	const isMorning = new Date().getUTCHours() < 12;
	// Neither changes its clocks.
	const timezone = isMorning ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
	// Sweden writes dates as n8n does.
	const { format: dateOf } = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone });
	return { timezone, date: dateOf(), dateOf };
}
