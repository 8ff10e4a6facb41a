/** Polls as n8n's durable scheduler runs them, against the model of the service. */
import { randomUUID } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';
import { vi } from 'vitest';
import { poll } from '../../nodes/PortalIoPollingTrigger/poll.ts';
import { ModelService, pollContext } from './pollingModel.mts';

/**
 * n8n's durable scheduler: each poll gets new static data from the database. They are saved when the
 * poll starts the workflow, and with cursors also when it starts nothing.
 */
export class DurableScheduler {
	database: Record<string, unknown> = {};
	/** The static data that all nodes of the workflow share. */
	globals: object = {};
	log: string[] = [];
	account: object = {};
	/** Other properties of the node, and of the context. */
	node: object = {};
	budget = 36_000;
	/** The latency of each request, in milliseconds. */
	requestTime = 0;
	/** Answers before the service, if set. */
	intercept: (url: string) => unknown = () => undefined;
	/** The proposals that the last poll has read in full, and how many requests it made at once. */
	reads: number[] = [];
	mostOpen = 0;
	/** Whether a poll that writes static data fails. */
	isReadOnly = false;
	/** Whether n8n can store an execution. */
	canStore = true;
	process = new Map();
	readonly service = new ModelService();
	readonly workflowId = randomUUID();
	private open = 0;
	private readonly parameters: Record<string, unknown>;
	private readonly hasCursors: boolean;

	constructor(event: string, more: object = {}, hasCursors = true) {
		this.parameters = { event, simplify: false, ...more };
		this.hasCursors = hasCursors;
	}

	async poll(): Promise<Array<Record<string, unknown>>> {
		const staticData = structuredClone(this.database);
		if (this.isReadOnly) Object.freeze(staticData);
		[this.reads, this.mostOpen, this.service.requests] = [[], 0, 0];
		const { log, workflowId, account, budget, node, globals } = this;
		const more = { log, workflowId, account, budget, node, globals };
		const respond = async (url: string) => await this.respond(url);
		const output = await poll(
			pollContext(respond, staticData, this.parameters, more),
			this.process,
		);
		if ((output !== null || this.hasCursors) && this.canStore) this.database = staticData;
		if (output !== null && !this.canStore) return [];
		return (output?.[0] ?? []).map(({ json }: INodeExecutionData) => json);
	}

	/** The same an hour later, by the clocks of both. */
	get later(): this {
		return this.after(3600_000);
	}

	after(ms: number): this {
		this.service.pass(ms);
		vi.setSystemTime(Date.now() + ms);
		return this;
	}

	/** n8n starts again: what only its process knew is gone. */
	restart(): void {
		this.process = new Map();
	}

	private async respond(url: string): Promise<object> {
		vi.setSystemTime(Date.now() + this.requestTime);
		this.service.pass(this.requestTime);
		const id = Number(/proposals\/(\d+)$/.exec(url)?.[1]);
		if (id > 0) this.reads.push(id);
		this.mostOpen = Math.max(this.mostOpen, ++this.open);
		const response = ((await this.intercept(url)) ?? this.service.respond(url)) as object;
		this.open--;
		return response;
	}
}
