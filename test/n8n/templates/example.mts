/** Imports one example and runs it in the shared n8n. */
import { expect } from 'vitest';
import type { Execution } from '../../../dev/testbed/n8n/database.mts';
import type { StoredCredential, Workflow } from '../../../dev/testbed/n8n/n8n.mts';
import type { Json } from '../../../dev/simulator/contract.mts';
import { byId, portal } from '../../../dev/testbed/workflowBuilder.mts';
import { ownEnvironment } from '../environments.mts';
import { runOnce } from '../executions.mts';

/** Returns the fields of the step *Settings*. */
export function findSettings({
	nodes,
}: Pick<Workflow, 'nodes'>): { name: string; value: unknown }[] {
	const settings: Json = nodes.find(({ name }) => name === 'Settings');
	return settings?.parameters.assignments.assignments ?? [];
}

/**
 * Imports an example with a new Portal.io and other systems in their initial state.
 *
 * @param environment environment shared with other examples
 */
export function useExample(name: string, environment = ownEnvironment({ examples: [name] })) {
	const workflow = () => environment().workflows[name]!;
	/** Enters a value in *Settings*, as a person would. */
	const enter = async (setting: string, value: unknown): Promise<void> => {
		const path = `/workflows/${workflow().id}`;
		const { nodes } = await environment().n8n.rest<Workflow>('GET', path);
		findSettings({ nodes }).find((one) => one.name === setting)!.value = value;
		await environment().n8n.updateWorkflow(workflow(), { nodes });
	};
	return {
		environment,
		workflow,
		control: () => environment().simulator.control,
		systems: () => environment().others.systems,
		/** Returns the texts of the messages in Slack. */
		messages: () => environment().others.systems.slack.messages.map(({ text }) => text),

		/** Returns a proposal's areas, each with the items of its options. */
		readAreas: (proposalId: number): string[][] =>
			environment()
				.simulator.control.proposal(proposalId)
				.areas.map(({ name, options }: Json) => [
					name,
					...options.map(({ items }: Json) =>
						items.map((item: Json) => `${item.quantity} ${item.model}`).join(', '),
					),
				]),

		/** Changes a proposal as a dealer's workflow would. */
		async edit(resource: string, operation: string, proposalId: number, more: object) {
			const step = portal({ resource, operation, proposalId: byId(proposalId), ...more });
			expect((await runOnce(environment(), [step])).error).toBeUndefined();
		},

		/** Runs the example from a trigger to its end, and expects no failure. */
		async run(trigger: string, json?: object): Promise<Execution> {
			const execution = await environment().n8n.runManually(workflow(), trigger, json);
			expect([execution.status, execution.error]).toEqual(['success', undefined]);
			return execution;
		},

		enter,

		/** Pins the output of a polling trigger, so a manual run starts with these records. */
		async pin(trigger: string, records: object[]): Promise<void> {
			const pinData = { [trigger]: records.map((json) => ({ json })) };
			await environment().n8n.updateWorkflow(workflow(), { pinData } as object);
		},

		/** Chooses a credential in some steps, as a person would. */
		async choose({ id, name: label, type }: StoredCredential, ...steps: string[]): Promise<void> {
			const { nodes } = structuredClone(workflow());
			for (const node of nodes.filter((one) => steps.includes(one.name))) {
				node.credentials = { [type]: { id, name: label } };
			}
			await environment().n8n.updateWorkflow(workflow(), { nodes });
		},
	};
}

/** Calculates Colorado's sales tax in cents on an amount in cents. The rate is in thousandths of a percent. */
export const coloradoTax = (cents: number) => Math.round((cents * 7650) / 100_000);

/** Formats an amount in dollars as the messages do. */
export const money = (amount: number) =>
	amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Returns the link to a proposal, as in the messages. */
export const linkTo = (proposalId: number) => `https://app.portal.io/proposals/${proposalId}`;

/** Returns a time zone in which the current date differs from UTC, and a function that formats dates there. */
export function anotherDate() {
	const isMorning = new Date().getUTCHours() < 12;
	// Neither zone has daylight saving time.
	const timezone = isMorning ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
	// Use Swedish dates, which have n8n's format.
	const { format: dateOf } = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone });
	return { timezone, dateOf };
}
