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
	log: string[] = [];
	account: object = {};
	/** How long each request takes, in milliseconds. */
	requestTime = 0;
	/** What answers before the service, if anything. */
	intercept: (url: string) => unknown = () => undefined;
	/** Whether a poll that writes static data fails. */
	isReadOnly = false;
	/** Whether n8n can store an execution. */
	canStore = true;
	readonly service = new ModelService();
	private readonly parameters: Record<string, unknown>;
	private readonly hasCursors: boolean;
	private readonly workflowId = randomUUID();

	constructor(event: string, more: object = {}, hasCursors = false) {
		this.parameters = { event, simplify: false, ...more };
		this.hasCursors = hasCursors;
	}

	async poll(): Promise<Array<Record<string, unknown>>> {
		const staticData = structuredClone(this.database);
		if (this.isReadOnly) Object.freeze(staticData);
		const respond = async (url: string) => {
			vi.setSystemTime(Date.now() + this.requestTime);
			return ((await this.intercept(url)) ?? this.service.respond(url)) as object;
		};
		this.service.requests = 0;
		const { log, workflowId, account } = this;
		const more = { log, workflowId, account, budget: 36_000 };
		const output = await poll(pollContext(respond, staticData, this.parameters, more));
		if ((output !== null || this.hasCursors) && this.canStore) this.database = staticData;
		if (output !== null && !this.canStore) return [];
		return (output?.[0] ?? []).map(({ json }: INodeExecutionData) => json);
	}

	/** The same an hour later, by the clocks of both. */
	get later(): this {
		this.service.pass(3600_000);
		vi.setSystemTime(Date.now() + 3600_000);
		return this;
	}
}
