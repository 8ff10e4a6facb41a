/**
 * A small in-memory model of the service's lists, for what the simulator cannot be: quick with 100,000
 * proposals, and different in each of thousands of random sequences. Where the API leaves something
 * open (is `ModifiedAfter` strict, are times compared in milliseconds, how are equal times ordered,
 * how large is a page), the model can be either.
 */

import { randomUUID } from 'node:crypto';
import type { IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';
import type { Memory } from '../../nodes/PortalIoPollingTrigger/memory.ts';

/** What the API leaves open. */
export interface Reading {
	/** `ModifiedAfter` includes what was modified at that very time. */
	isInclusive: boolean;
	/** Times are kept and shown in whole seconds. */
	inSeconds: boolean;
	/** `ModifiedAfter` is read in whole seconds. */
	readsSeconds: boolean;
	/** Equal times come in another order on each request. */
	shufflesTies: boolean;
	/** No page is larger, whatever is asked for. */
	maxPageSize: number;
	/** How lists are sorted, whatever is asked for. */
	sortedBy?: 'createdDate Desc' | 'id Asc' | 'lastModifiedDate Asc';
	/** `ModifiedAfter` has no effect. */
	ignoresAfter?: boolean;
	/** Lists of contacts do not show when they were modified. */
	hidesTimes?: boolean;
}

export interface Child {
	id: number;
	status: string;
	lastModifiedDate?: string;
	createdDate?: string;
}

export interface ModelRecord {
	id: number;
	number: number;
	/** Tells every version of the record from all others. */
	name: string;
	status: string;
	createdDate: string;
	lastModifiedDate: string;
	isArchived: boolean;
	paymentRequests: Child[];
	changeOrders: Child[];
	[date: string]: unknown;
}

/** The plain service: strict, to the millisecond, and steady. */
const PLAIN: Reading = {
	isInclusive: false,
	inSeconds: false,
	readsSeconds: false,
	shufflesTies: false,
	maxPageSize: 100,
};

const STATUS_DATES: Record<string, string> = {
	Submitted: 'lastSubmittedDate',
	ViewedByClient: 'clientLastOpenedDate',
	Accepted: 'clientLastDecisionDate',
	Declined: 'clientLastDecisionDate',
	Completed: 'lastCompletedDate',
};

export class ModelService {
	readonly reading: Reading;
	readonly records = new Map<number, ModelRecord>();
	/** Called before each request is answered, with its number since the poll began. */
	beforeRequest: (index: number) => void = () => {};
	/** Set while nothing changes: lists of a great many records are then sorted only once. */
	still: Map<string, ModelRecord[]> | undefined;
	/** The request of the poll that fails. */
	failAt = Infinity;
	failStatus = 500;
	requests = 0;
	/** Whether lists have no count and give their last page for every number behind it. */
	repeatsLastPage = false;
	private now = Math.floor(Date.now() / 1000) * 1000 - 90 * 24 * 3600_000;
	private ids = 1000;
	private revisions = 0;
	private shuffle = 1;

	constructor(reading: Reading = PLAIN) {
		this.reading = { ...reading };
	}

	pass(ms: number) {
		this.now += ms;
	}

	private stamp(msAgo: number): string {
		const time = this.now - msAgo;
		return new Date(this.reading.inSeconds ? Math.floor(time / 1000) * 1000 : time).toISOString();
	}

	private revision(): string {
		return `revision ${++this.revisions}`;
	}

	create(status: string, msAgo = 0): ModelRecord {
		const stamp = this.stamp(msAgo);
		const id = ++this.ids;
		const record: ModelRecord = {
			id,
			number: id - 1000,
			name: this.revision(),
			status,
			createdDate: stamp,
			lastModifiedDate: stamp,
			isArchived: false,
			paymentRequests: [],
			changeOrders: [],
		};
		const date = STATUS_DATES[status];
		if (date) record[date] = stamp;
		this.records.set(id, record);
		return record;
	}

	/** Modifies a record; with an age, what was stamped then shows only now. */
	modify(record: ModelRecord, change: (record: ModelRecord, stamp: string) => void, msAgo = 0) {
		const stamp = this.stamp(msAgo);
		// The service serializes changes of one record: a later stamp is never overtaken.
		if (stamp < record.lastModifiedDate) return;
		record.name = this.revision();
		record.lastModifiedDate = stamp;
		change(record, stamp);
	}

	setStatus(record: ModelRecord, status: string, msAgo = 0) {
		this.modify(
			record,
			(one, stamp) => {
				one.status = status;
				const date = STATUS_DATES[status];
				if (date) one[date] = stamp;
			},
			msAgo,
		);
	}

	setChild(
		record: ModelRecord,
		kind: 'changeOrders' | 'paymentRequests',
		index: number,
		status: string,
		msAgo = 0,
	) {
		const change = (one: ModelRecord, stamp: string) => {
			const dates = kind === 'changeOrders' ? { lastModifiedDate: stamp } : {};
			const child = one[kind][index];
			if (child) Object.assign(child, { status, ...dates });
			else {
				const created = kind === 'changeOrders' ? { createdDate: stamp } : {};
				one[kind].push({ id: ++this.ids, status, ...created, ...dates });
			}
		};
		this.modify(record, change, msAgo);
	}

	/** The whole response, as n8n's request helper gives it when it is asked for every status. */
	respond(url: string): { statusCode: number; body: unknown } {
		const index = this.requests++;
		if (index === 10_000) throw new Error('a poll sent 10,000 requests');
		this.beforeRequest(index);
		// A failure that stays: what passes by itself is tried again before a poll hears of it.
		if (index === this.failAt) return { statusCode: this.failStatus, body: {} };
		const { pathname, searchParams } = new URL(url, 'https://api.example.com');
		const [, id] = /^\/public\/proposals\/(\d+)$/.exec(pathname) ?? [];
		if (id !== undefined) return this.detail(Number(id));
		const isProposals = pathname === '/public/proposals';
		const order = [searchParams.get('SortBy'), searchParams.get('SortDirection')].join(' ');
		const isSorted = order === 'ModifiedDate Desc' || this.reading.hidesTimes;
		if (!isSorted) throw new Error(`sorted by ${order}`);
		const key = `${pathname} ${searchParams.get('IsArchive')} ${searchParams.get('ModifiedAfter')}`;
		const sorted = this.still?.get(key) ?? this.rows(isProposals, searchParams);
		this.still?.set(key, sorted);
		const size = Math.min(Number(searchParams.get('PageSize')), this.reading.maxPageSize);
		const asked = Number(searchParams.get('PageNumber'));
		const lastPage = Math.max(1, Math.ceil(sorted.length / size));
		const page = this.repeatsLastPage ? Math.min(asked, lastPage) : asked;
		const count = this.repeatsLastPage ? undefined : sorted.length;
		const records = sorted.slice((page - 1) * size, page * size).map((row) => ({
			id: row.id,
			number: row.number,
			name: row.name,
			status: row.status,
			createdDate: row.createdDate,
			lastModifiedDate: row.lastModifiedDate,
		}));
		const people = records.map(({ id: person, name, lastModifiedDate }) =>
			this.reading.hidesTimes ? { id: person, name } : { id: person, name, lastModifiedDate },
		);
		const body = isProposals
			? { proposals: records, proposalCount: count, anotherList: [] }
			: { people, peopleCount: count };
		return { statusCode: 200, body };
	}

	private rows(isProposals: boolean, query: URLSearchParams): ModelRecord[] {
		const isArchive = query.get('IsArchive') === 'true';
		const rows = [...this.records.values()]
			.filter((row) => !isProposals || row.isArchived === isArchive)
			.filter((row) => !isProposals || this.isAfter(row, query.get('ModifiedAfter')));
		return this.sort(rows);
	}

	private detail(id: number) {
		const record = this.records.get(id);
		if (record) return { statusCode: 200, body: structuredClone(record) };
		const body = { errorCode: 'NotFound', message: 'Proposal not found' };
		return { statusCode: 404, body };
	}

	private isAfter(row: ModelRecord, after: string | null): boolean {
		if (after === null || this.reading.ignoresAfter) return true;
		let bound = Date.parse(after);
		if (this.reading.readsSeconds) bound = Math.floor(bound / 1000) * 1000;
		const time = Date.parse(row.lastModifiedDate);
		return this.reading.isInclusive ? time >= bound : time > bound;
	}

	private sort(rows: ModelRecord[]): ModelRecord[] {
		const [by, direction] = this.reading.sortedBy?.split(' ') ?? [];
		if (by !== undefined) {
			rows.sort((one, other) => (one[by]! < other[by]! ? -1 : 1));
			return direction === 'Desc' ? rows.reverse() : rows;
		}
		const salt = this.reading.shufflesTies ? ++this.shuffle : 0;
		const tie = (id: number) => (salt === 0 ? id : (id * 7919 * salt) % 1009);
		return rows.sort(
			(one, other) =>
				other.lastModifiedDate.localeCompare(one.lastModifiedDate) || tie(one.id) - tie(other.id),
		);
	}
}

/**
 * The credential that requests of a poll are signed with; nothing is sent here. Each workflow has
 * an application key of its own: what a refusal makes requests wait for is remembered by account.
 */
const credentialOf = (workflow: string) => ({
	environment: 'custom',
	baseUrl: 'https://api.example.com',
	appKey: workflow,
	secretKey: 'secret',
	username: 'dealer@example.com',
	password: 'password',
	userApiKey: 'key',
});

interface More {
	/** The lines that polls have logged. */
	log?: string[];
	/** For polls that are each given static data of their own. */
	workflowId?: string;
	/** The time of a poll, in milliseconds; null where n8n does not say. */
	budget?: number | null;
	mode?: string;
	/** Other values of the credential. */
	account?: object;
}

/** The workflows of the tests, by their static data. */
const workflows = new WeakMap<object, string>();

/** What n8n remembers of a polling trigger, as the memory of polls has it. */
export const remembered = (staticData: object) =>
	JSON.parse(String((staticData as { state: string }).state)) as Memory;

/** What n8n calls a poll with. */
export const pollContext = (
	respond: (url: string) => object | Promise<object>,
	memory: object = {},
	parameters: Record<string, unknown> = {},
	{ log = [], workflowId, budget = 300_000, mode = 'trigger', account = {} }: More = {},
) => {
	const id = workflowId ?? workflows.get(memory) ?? randomUUID();
	workflows.set(memory, id);
	return {
		getNode: () => ({ id: '1', name: 'Poll', type: 'poll' }),
		getWorkflow: () => ({ id }),
		getPollBudgetMs: budget === null ? undefined : () => budget,
		getCredentials: async () => ({ ...credentialOf(id), ...account }),
		getMode: () => mode,
		getNodeParameter: (name: string, byDefault: unknown) =>
			parameters[name] === undefined ? byDefault : parameters[name],
		getWorkflowStaticData: () => memory,
		logger: { warn: (line: string) => log.push(line) },
		helpers: {
			// Polls only read.
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
				options.method === 'GET' ? await respond(options.url) : undefined,
		},
	} as unknown as IPollFunctions;
};
