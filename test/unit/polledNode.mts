/** A published polling trigger as n8n polls it, against the model of the service. */
import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { poll } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { ModelService, pollContext } from './pollingModel.mts';

/** Where n8n keeps static data; with cursors, it saves them also when a poll starts nothing. */
export const ENGINES = ['in memory', 'durable', 'durable with cursors'] as const;
export type Engine = (typeof ENGINES)[number];

export class PolledNode {
	database: Record<string, unknown> = {};
	log: string[] = [];
	account: object = {};
	node: object = {};
	budget: number | undefined;
	/** The latency of each request, in milliseconds. */
	requestTime = 0;
	intercept: (url: string) => unknown = () => undefined;
	/** The proposals that the last poll has read in full, and how many requests it made at once. */
	reads: number[] = [];
	mostOpen = 0;
	/** The time limits that it has set, in milliseconds. They end by the clock of the test. */
	limits: number[] = [];
	canStore = true;
	/** What a process of n8n keeps in memory. */
	process = new Map();
	readonly service: ModelService;
	private staticData: Record<string, unknown> = {};
	private isPublished = false;
	/** The static data that an execution has begun with, and saves at its end. */
	private before: Record<string, unknown> | undefined;
	/** Whether only this process knows the newest memory. */
	private isStale = false;
	/** The static data that Code nodes write. */
	readonly globals = { executions: 0 };
	readonly workflowId = randomUUID();
	private open = 0;
	private ends: Array<() => void> = [];
	private readonly parameters: Record<string, unknown>;
	private readonly engine: Engine;

	constructor(
		event: string,
		parameters: object = {},
		engine: Engine = 'durable with cursors',
		service = new ModelService(),
	) {
		this.parameters = { event, simplify: false, ...parameters };
		this.engine = engine;
		this.service = service;
		this.budget = engine === 'in memory' ? undefined : 36_000;
	}

	async poll(): Promise<Array<Record<string, unknown>>> {
		if (this.engine !== 'in memory') this.staticData = structuredClone(this.database);
		[this.reads, this.mostOpen, this.service.requests] = [[], 0, 0];
		[this.limits, this.ends] = [[], []];
		const respond = async (url: string) => await this.respond(url);
		const context = pollContext(respond, this.staticData, this.parameters, this);
		const { timeout } = AbortSignal;
		AbortSignal.timeout = (ms) => this.limit(ms);
		const output = await poll(context, this.process).finally(() => (AbortSignal.timeout = timeout));
		// The first poll belongs to the publication, after which n8n saves too.
		const isSaved = output !== null || !this.isPublished || this.engine.endsWith('cursors');
		this.isPublished = true;
		if (isSaved && this.canStore) {
			this.database = structuredClone(this.staticData);
			this.isStale = false;
		}
		if (output !== null && !this.canStore) return [];
		return (output?.[0] ?? []).map(({ json }) => json);
	}

	/** The same an hour later, by the clocks of both. */
	get later(): this {
		return this.after(3600_000);
	}

	after(ms: number): this {
		this.service.pass(ms);
		vi.advanceTimersByTime(ms);
		return this;
	}

	/** n8n starts again: what only its process knew is gone, which is documented. */
	restart(): void {
		if (this.isStale) return;
		this.staticData = structuredClone(this.database);
		this.process = new Map();
	}

	changeAccount(): void {
		this.account = { username: randomUUID() };
		this.isStale = true;
	}

	/** An execution begins whose Code node writes static data. */
	beginExecution(): void {
		this.before = this.database;
	}

	/** It ends: n8n saves all static data as they were. It keeps cursors apart from them. */
	endExecution(): void {
		if (this.before !== undefined && this.engine === 'durable') {
			this.database = this.before;
			this.isStale = true;
			this.globals.executions++;
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

/** A node that has recorded its baseline of so many proposals, each created an hour after the one before. */
export async function polledNode(event: string, count = 3, more: object = {}, engine?: Engine) {
	const n8n = new PolledNode(event, more, engine);
	const records = Array.from({ length: count }, () => n8n.later.service.create('Submitted'));
	await n8n.later.poll();
	return { n8n, service: n8n.service, records, one: records[0]!, two: records[1]! };
}
