/** What the tests of the HubSpot templates do and see. */
import { expect } from 'vitest';
import type { Execution } from '../../../testbed/n8n/database.mts';
import type { StoredWorkflow } from '../../../testbed/n8n/n8n.mts';
import type { Deal } from '../../../testbed/otherSystems/hubSpot.mts';
import type { Stage } from '../../../testbed/stage.mts';

/** The names of the templates. */
export const STATUS = 'Proposal status to HubSpot';
export const WON = 'Won HubSpot deal to proposal';

/** Handles both templates on a stage. */
export class Templates {
	readonly #stage: () => Stage;
	#lastExecution = 0;

	constructor(stage: () => Stage) {
		this.#stage = stage;
	}

	get status(): StoredWorkflow {
		return this.#stage().workflows[STATUS]!;
	}

	get won(): StoredWorkflow {
		return this.#stage().workflows[WON]!;
	}

	get hubSpot() {
		return this.#stage().others.systems.hubSpot;
	}

	/** Runs a workflow to its end, and expects that nothing fails, in what it calls neither. */
	async run(workflow: StoredWorkflow, trigger: string, json?: object): Promise<Execution> {
		const { n8n } = this.#stage();
		const execution = await n8n.runManually(workflow, trigger, json);
		const failed = this.newlyFailed();
		expect(failed.map(({ workflowName, error }) => [workflowName, error?.message])).toEqual([]);
		return execution;
	}

	/** The executions of the workflows of this stage that have failed since this was asked last. */
	newlyFailed(): Execution[] {
		const { n8n, workflows } = this.#stage();
		const ids = Object.values(workflows).map(({ id }) => id);
		const executions = n8n.executions({ after: this.#lastExecution });
		this.#lastExecution = executions.at(-1)?.id ?? this.#lastExecution;
		return executions.filter(
			({ status, workflowId }) => status === 'error' && ids.includes(workflowId),
		);
	}

	/** Begins to run a workflow; the service that does not answer it tells how far it is. */
	async begin({ id }: StoredWorkflow, name: string, json: object): Promise<void> {
		const now = { startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [null] };
		const data = { ...now, executionStatus: 'success', data: { main: [[{ json }]] } };
		const body = { triggerToStartFrom: { name, data } };
		await this.#stage().n8n.rest('POST', `/workflows/${id}/run`, body);
	}

	/** Moves a proposal to a status, without an event, and lets the workflow look at it. */
	async setStatus(proposalId: number, status: string): Promise<void> {
		this.#stage().simulator.control.setStatus(proposalId, status);
		await this.look(proposalId);
	}

	/** Lets the workflow look at a proposal, as an event does. */
	async look(proposalId: number): Promise<void> {
		await this.run(this.status, 'One Proposal', { proposalId });
	}

	/** Lets the other workflow look for deals that were won. */
	async lookForDeals(): Promise<void> {
		await this.run(this.won, 'Every Five Minutes');
	}

	numberOf(proposalId: number): number {
		return this.#stage().simulator.control.proposal(proposalId).number;
	}

	/** The deals that bear the number of a proposal. */
	dealsOf(proposalId: number): Deal[] {
		const start = `${this.numberOf(proposalId)} `;
		return this.hubSpot.deals.filter(({ properties }) => properties.dealname!.startsWith(start));
	}

	/** The proposals that were made for a deal. */
	proposalsOf(deal: Deal) {
		const { control } = this.#stage().simulator;
		const found = control
			.proposals()
			.filter(({ name }) => String(name).endsWith(`(HubSpot ${deal.id})`));
		return found.map(({ id }) => control.proposal(Number(id)));
	}

	/** The names of the areas of a proposal. */
	areasOf({ areas }: { areas: { name: string }[] }): string[] {
		return areas.map(({ name }) => name);
	}

	/** The rows of a job: of a proposal, or of a deal. */
	async jobs(job: string, id: number) {
		const rows = await this.#stage().n8n.dataTableRows('portal_jobs');
		return rows.filter((row) => row.job === job && row.proposalId === id);
	}

	/** The deal that a proposal is linked to. */
	async linkOf(proposalId: number) {
		const rows = await this.#stage().n8n.dataTableRows('portal_hubspot_deals');
		return rows.filter((row) => row.proposalId === proposalId).map(({ dealId }) => dealId);
	}
}
