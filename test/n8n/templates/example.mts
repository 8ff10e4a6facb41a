/** Common parts of the examples' tests: one example, imported and run in the shared n8n. */
import { expect } from 'vitest';
import type { Execution } from '../../../dev/testbed/n8n/database.mts';
import type { StoredCredential, Workflow } from '../../../dev/testbed/n8n/n8n.mts';
import type { Json } from '../../../dev/simulator/contract.mts';
import { byId, portal } from '../../../dev/testbed/workflowBuilder.mts';
import { ownEnvironment } from '../environments.mts';
import { runOnce } from '../handRuns.mts';

/** The fields of *Settings*. */
export function settingsOf({ nodes }: Pick<Workflow, 'nodes'>): { name: string; value: unknown }[] {
	const settings: Json = nodes.find(({ name }) => name === 'Settings');
	return settings?.parameters.assignments.assignments ?? [];
}

/**
 * An example with a Portal.io and other systems that nobody else has changed.
 *
 * @param environment the one that it shares with other examples
 */
export function useExample(name: string, environment = ownEnvironment({ examples: [name] })) {
	const workflow = () => environment().workflows[name]!;
	/** Enters a value in *Settings*, as a person does. */
	const enter = async (setting: string, value: unknown): Promise<void> => {
		const path = `/workflows/${workflow().id}`;
		const { nodes } = await environment().n8n.rest<Workflow>('GET', path);
		settingsOf({ nodes }).find((one) => one.name === setting)!.value = value;
		await environment().n8n.updateWorkflow(workflow(), { nodes });
	};
	return {
		environment,
		workflow,
		control: () => environment().simulator.control,
		systems: () => environment().others.systems,
		/** The texts of the messages in Slack. */
		messages: () => environment().others.systems.slack.messages.map(({ text }) => text),

		/** The areas of a proposal, each with the items of its options. */
		areasOf: (proposalId: number): string[][] =>
			environment()
				.simulator.control.proposal(proposalId)
				.areas.map(({ name, options }: Json) => [
					name,
					...options.map(({ items }: Json) =>
						items.map((item: Json) => `${item.quantity} ${item.model}`).join(', '),
					),
				]),

		/** Changes a proposal, as a workflow of the dealer does. */
		async edit(resource: string, operation: string, proposalId: number, more: object) {
			const step = portal({ resource, operation, proposalId: byId(proposalId), ...more });
			expect((await runOnce(environment(), [step])).error).toBeUndefined();
		},

		/** Runs it from a trigger to its end, and expects that nothing fails. */
		async run(trigger: string, json?: object): Promise<Execution> {
			const execution = await environment().n8n.runManually(workflow(), trigger, json);
			expect([execution.status, execution.error]).toEqual(['success', undefined]);
			return execution;
		},

		enter,

		/** Pins the output of a trigger that polls, so that a run by hand starts with these records. */
		async pin(trigger: string, records: object[]): Promise<void> {
			const pinData = { [trigger]: records.map((json) => ({ json })) };
			await environment().n8n.updateWorkflow(workflow(), { pinData } as object);
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

/** An amount in dollars, as the messages write it. */
export const money = (amount: number) =>
	amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The link to a proposal that the messages have. */
export const linkTo = (proposalId: number) => `https://app.portal.io/proposals/${proposalId}`;

/** A time zone in which it is another day now than in UTC, and a writer of dates there. */
export function anotherDate() {
	const isMorning = new Date().getUTCHours() < 12;
	// Neither changes its clocks.
	const timezone = isMorning ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
	// Sweden writes dates as n8n does.
	const { format: dateOf } = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone });
	return { timezone, dateOf };
}
