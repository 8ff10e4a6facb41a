/**
 * A published polling trigger, polled by a model of n8n against a model of Portal.io:
 *
 *     static data in the database --copied for each context--> static data of the context
 *     poll: trigger.poll(context) --requests--> ModelService (pollingModel)
 *     after the poll: n8n saves the static data of the context, or discards the result
 *     publish: new context | restart: new process, and in memory a new context | execution: restores old data
 */
import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { IPollFunctions } from 'n8n-workflow';
import { nodeStates, type NodeState } from '../../nodes/PortalIoPollingTrigger/pollMemory.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { ModelService, pollContext, unreadIds } from './pollingModel.mts';

/** Ways in which n8n keeps static data. With cursors, n8n also saves it after polls that start no execution. */
export const ENGINES = ['in memory', 'durable', 'durable with cursors'] as const;
export type Engine = (typeof ENGINES)[number];

/** Response to a user who is not allowed to read a proposal. */
export const FORBIDDEN = {
	statusCode: 403,
	body: { errorCode: 'Forbidden', message: 'Not permitted' },
};

const trigger = new PortalIoPollingTrigger();

export class PolledNode {
	database: Record<string, unknown> = {};
	log: string[] = [];
	account: object = {};
	node: object = {};
	/** Time limit of n8n's durable scheduler, in milliseconds. */
	budget: number | undefined;
	/** Latency of each request, in milliseconds. */
	requestTime = 0;
	intercept: (url: string) => unknown = () => undefined;
	/** IDs of the proposals that the last poll read in full, and its maximum number of parallel requests. */
	reads: number[] = [];
	mostOpen = 0;
	/** Time limits that the last poll set, in milliseconds of the test's clock. */
	limits: number[] = [];
	canStore = true;
	/** Whether n8n still has cursors even though they are turned off. It then copies static data for each poll. */
	hasOldCursors = false;
	readonly service: ModelService;
	get staticData(): Record<string, unknown> {
		return this.stored.staticData;
	}
	/** Static data of the context. */
	private stored: { staticData: Record<string, unknown> } = { staticData: {} };
	activation = 'activate';
	/** Whether n8n discarded the result of the last poll. */
	wasDiscarded = false;
	private publications = 0;
	private context: IPollFunctions | undefined;
	/** Static data with which an execution began. n8n saves it when the execution ends. */
	private before: Record<string, unknown> | undefined;
	/** Whether only this process has the newest memory. A restart would lose it, as documented. */
	isOnlyInProcess = true;
	readonly workflowId = randomUUID();
	private open = 0;
	private ends: Array<() => void> = [];
	readonly parameters: Record<string, unknown>;
	private readonly engine: Engine;

	constructor(
		event: string,
		parameters: object = {},
		engine: Engine = 'durable with cursors',
		service = new ModelService(),
	) {
		this.parameters = { event, output: 'raw', ...parameters };
		this.engine = engine;
		this.service = service;
		this.budget = engine === 'in memory' ? undefined : 36_000;
	}

	/** The node's state in this process of n8n. */
	get process(): NodeState | undefined {
		return nodeStates.get(`n8n ${this.workflowId} 1`);
	}

	set process(state: NodeState | undefined) {
		const owner = `n8n ${this.workflowId} 1`;
		if (state === undefined) nodeStates.delete(owner);
		else nodeStates.set(owner, state);
	}

	async poll(): Promise<Array<Record<string, unknown>>> {
		const isInMemory = this.engine === 'in memory';
		const isFirst = this.context === undefined;
		const isNewContext = isFirst || !isInMemory;
		if (isNewContext) this.stored = { staticData: {} };
		const { stored, publications } = this;
		if (isNewContext || this.hasOldCursors) stored.staticData = structuredClone(this.database);
		[this.reads, this.mostOpen, this.service.requests] = [[], 0, 0];
		[this.limits, this.ends] = [[], []];
		const respond = async (url: string) => await this.respond(url);
		const budget = isFirst ? undefined : this.budget;
		if (isNewContext) {
			// A context keeps its static data even if the workflow is published again.
			const getWorkflowStaticData = () => stored.staticData;
			const context = pollContext(respond, this.parameters, this, budget);
			this.context = Object.assign(context, { getWorkflowStaticData });
		}
		const { timeout } = AbortSignal;
		AbortSignal.timeout = (ms) => this.limit(ms);
		const output = await trigger.poll.call(this.context!).finally(() => {
			AbortSignal.timeout = timeout;
			this.wasDiscarded = publications !== this.publications;
		});
		if (this.wasDiscarded) return [];
		// After a poll without output, n8n saves static data only if it was the first poll after publishing or, with
		// the engine `in memory`, after n8n started. With cursors, n8n saves static data after every such poll except
		// the first one.
		const isSaved = output !== null || isFirst !== this.engine.endsWith('cursors');
		if (isSaved && this.canStore) this.database = structuredClone(stored.staticData);
		this.isOnlyInProcess &&= !isSaved || !this.canStore;
		if (output !== null && !this.canStore) return [];
		return (output?.[0] ?? []).map(({ json }) => json);
	}

	/** Advances both clocks by an hour. */
	get later(): this {
		return this.after(3600_000);
	}

	after(ms: number): this {
		this.service.pass(ms);
		vi.advanceTimersByTime(ms);
		return this;
	}

	/** Makes n8n create a new context from its database and discard the result of a running poll. */
	publish(activation = 'update'): void {
		this.context = undefined;
		this.activation = activation;
		this.publications++;
	}

	/**
	 * Whether the database lists unread proposals. A restart would read them again, even if they have been read since.
	 */
	get hasUnread(): boolean {
		return unreadIds(this.database).length > 0;
	}

	restart(): void {
		if (this.isOnlyInProcess)
			throw new Error('this restart would lose what only the process knows');
		this.process = undefined;
		if (this.engine === 'in memory') this.publish('init');
	}

	changeAccount(): void {
		this.account = { username: randomUUID() };
		this.isOnlyInProcess = true;
	}

	/** Begins an execution whose Code node writes static data. */
	beginExecution(): void {
		this.before = this.database;
	}

	/**
	 * Ends the execution. The durable scheduler, unless it uses cursors, then overwrites the static data with what it
	 * was when the execution began.
	 */
	endExecution(): void {
		if (this.before !== undefined && this.engine === 'durable') {
			this.database = this.before;
			this.isOnlyInProcess = true;
		}
		this.before = undefined;
	}

	private limit(ms: number): AbortSignal {
		const controller = new AbortController();
		const end = Date.now() + ms;
		this.limits.push(ms);
		this.ends.push(() => Date.now() >= end && controller.abort());
		return controller.signal;
	}

	private async respond(url: string): Promise<object> {
		this.after(this.requestTime);
		this.ends.forEach((end) => end());
		const id = Number(/proposals\/(\d+)$/.exec(url)?.[1]);
		if (id > 0) this.reads.push(id);
		this.mostOpen = Math.max(this.mostOpen, ++this.open);
		const response = ((await this.intercept(url)) ?? this.service.respond(url)) as object;
		this.open--;
		return response;
	}
}

/** Creates a node that has recorded a baseline of proposals, each created an hour after the previous one. */
export async function polledNode(event: string, count = 3, more: object = {}, engine?: Engine) {
	const n8n = new PolledNode(event, more, engine);
	const records = Array.from({ length: count }, () => n8n.later.service.create('Submitted'));
	await n8n.later.poll();
	return { n8n, service: n8n.service, records, one: records[0]!, two: records[1]! };
}
