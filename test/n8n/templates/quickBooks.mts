/** What the tests of the QuickBooks template do and see. */
import { expect } from 'vitest';
import { seed } from '../../../simulator/index.mts';
import type { Document } from '../../../testbed/otherSystems/quickBooks.mts';
import type { Stage } from '../../../testbed/stage.mts';
import { until } from '../../../testbed/until.mts';
import { jobRows } from './jobs.mts';

/** The name of the template. */
export const TEMPLATE = 'Accepted proposal to QuickBooks';

/** The job under which the template keeps its proposals. */
export const QUICKBOOKS_JOB = 'QuickBooks estimate';

/** Colorado's sales tax, in thousandths of a percent, on an amount in cents. */
export const coloradoTax = (cents: number) => Math.round((cents * 7650) / 100_000);

/** A line of an estimate as the tests expect it: what a person reads, with amounts in cents. */
type Line = [what: string, quantity?: number, cents?: number];

/** Handles the template on a stage. */
export class Template {
	readonly #stage: () => Stage;

	constructor(stage: () => Stage) {
		this.#stage = stage;
	}

	get workflow() {
		return this.#stage().workflows[TEMPLATE]!;
	}

	get quickBooks() {
		return this.#stage().others.systems.quickBooks;
	}

	/** The estimates of a proposal: never more than one. */
	estimates(proposalId: number): Document[] {
		const { number } = this.#stage().simulator.control.proposal(proposalId);
		return this.quickBooks.estimates.filter(({ DocNumber }) => DocNumber === `P-${number}`);
	}

	/** The customers with a name. */
	customersNamed(name: string) {
		return this.quickBooks.customers.filter(({ DisplayName }) => DisplayName === name);
	}

	/** Moves a proposal to a status, and waits until the workflow has done with it. */
	async setStatus(proposalId: number, status: string): Promise<void> {
		const { simulator } = this.#stage();
		const before = this.#ofEvents().length;
		simulator.control.setStatus(proposalId, status);
		const last = await until('the execution', () => {
			const started = this.#ofEvents();
			const isOver = started.length > before && started.every(({ stoppedAt }) => stoppedAt);
			return isOver ? started.at(-1) : undefined;
		});
		expect([last.status, last.error]).toEqual(['success', undefined]);
	}

	/** Does what happens every hour, and expects that nothing fails. */
	async everyHour(): Promise<void> {
		const before = this.#finished().length;
		const execution = await this.#stage().n8n.runManually(this.workflow, 'Every Hour');
		expect(execution.error).toBeUndefined();
		for (const { status, error } of this.#finished().slice(before)) {
			expect([status, error]).toEqual(['success', undefined]);
		}
	}

	/** Checks one proposal as the hourly path does, and expects that it does not fail. */
	async check(proposalId: number): Promise<void> {
		const { n8n } = this.#stage();
		const execution = await n8n.runManually(this.workflow, 'Checked Again', { proposalId });
		expect([execution.status, execution.error]).toEqual(['success', undefined]);
	}

	/** The rows of the jobs of a proposal, the oldest first. */
	async jobs(proposalId: number) {
		const rows = await jobRows(this.#stage(), QUICKBOOKS_JOB);
		return rows.filter((row) => row.proposalId === proposalId);
	}

	/** What somebody was told about a proposal. */
	async messages(proposalId: number): Promise<unknown[]> {
		const { n8n, simulator } = this.#stage();
		const { number } = simulator.control.proposal(proposalId);
		const rows = await n8n.dataTableRows('portal_messages');
		return rows.filter((row) => row.proposalNumber === String(number)).map(({ text }) => text);
	}

	/** The only estimate of a proposal, with its lines as a person reads them. */
	read(proposalId: number) {
		const all = this.estimates(proposalId);
		expect(all).toHaveLength(1);
		const { Id, TxnStatus, TotalAmt, CustomerRef, Line: lines, TxnTaxDetail } = all[0]!;
		return {
			Id,
			status: TxnStatus,
			total: Math.round(TotalAmt * 100),
			tax: Math.round((TxnTaxDetail as { TotalTax: number }).TotalTax * 100),
			customer: CustomerRef.name,
			lines: lines.map((line): Line => {
				const detail = line.SalesItemLineDetail;
				if (!detail) return [line.Description!];
				const { ItemRef, Qty } = detail;
				return [ItemRef!.name!, Qty, Math.round(line.Amount! * 100)];
			}),
		};
	}

	#ofEvents() {
		return this.#stage()
			.n8n.executions({ workflowId: this.workflow.id })
			.filter(({ mode }) => mode === 'webhook');
	}

	#finished() {
		return this.#stage()
			.n8n.executions({ workflowId: this.workflow.id })
			.filter(({ stoppedAt }) => stoppedAt !== null);
	}
}

/** The address of a data table, to change its rows as a person would. */
export async function tableUrl({ n8n, tables }: Stage, name: string) {
	const { id: project } = await n8n.rest<{ id: string }>('GET', '/projects/personal');
	return `/projects/${project}/data-tables/${tables[name]}`;
}

export const { proposals } = seed;
