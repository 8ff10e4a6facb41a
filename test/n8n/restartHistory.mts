/** What workflows with both triggers have got of the changes at the service, over restarts of n8n. */
import type { StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import { itemsOf } from '../../testbed/n8n/database.mts';
import type { Stage } from '../../testbed/stage.mts';
import { createChain, noOp, pollingTrigger } from '../../testbed/workflowBuilder.mts';
import { post, signatureHeader, type Subscription } from './delivery.mts';

/** Activates a workflow that polls for changed statuses. */
export async function activatePolling(stage: Stage): Promise<StoredWorkflow> {
	const parts = [pollingTrigger('proposalStatusChanged'), noOp];
	const polling = await createChain(stage, 'Polling', parts);
	await stage.n8n.activate(polling);
	return polling;
}

/** The changes that a polling workflow was started with, in their order. */
export function polledChanges({ n8n }: Stage, { id }: StoredWorkflow) {
	return n8n
		.executions({ workflowId: id })
		.filter(({ stoppedAt }) => stoppedAt !== null)
		.flatMap((one) => itemsOf(one, 'Poll'));
}

/** A delivery of the service, followed over restarts. */
export class FollowedDelivery {
	readonly #stage: Stage;
	readonly #workflow: StoredWorkflow;
	readonly #id: unknown;

	/** @param workflow is the only one that the service delivers to */
	constructor(stage: Stage, workflow: StoredWorkflow) {
		this.#stage = stage;
		this.#workflow = workflow;
		this.#id = stage.simulator.control.deliveries().at(-1)!.id;
	}

	/** The delivery as the service keeps it. */
	get current() {
		const { control } = this.#stage.simulator;
		return control.deliveries().find(({ id }) => id === this.#id)!;
	}

	/** The subscription that it was made for. */
	get subscription(): Subscription {
		const { control } = this.#stage.simulator;
		const { subscription_id: subscriptionId } = this.current;
		const { url, secret_key: secret } = control
			.subscriptions()
			.find(({ id }) => id === subscriptionId)!;
		return { url: String(url), secret: String(secret) };
	}

	/** The executions that it has started. */
	executions() {
		return this.#stage.n8n
			.executions({ workflowId: this.#workflow.id })
			.filter((one) =>
				itemsOf(one, 'Portal.io Trigger').some(({ id }) => id === this.current.event_id),
			);
	}

	/** Sends it again, as a service does that did not get the answer. */
	async sendAgain(): Promise<number> {
		const body = String(this.current.body);
		const { url, secret } = this.subscription;
		return await post(url, body, signatureHeader(body, secret));
	}
}
