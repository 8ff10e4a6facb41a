/** A model of the service's lists: quick with 100,000 proposals, and as open as the API. */
import { randomUUID } from 'node:crypto';
import type { IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

/** *later* shows no date of modification before the first one. */
export type ContactDates = 'both' | 'modified' | 'later' | 'none';

export interface Reading {
	/** `ModifiedAfter` includes what was modified at that very time. */
	isInclusive?: boolean;
	/** Times are kept and shown in whole seconds. */
	inSeconds?: boolean;
	/** `ModifiedAfter` is read in whole seconds. */
	readsSeconds?: boolean;
	/** Equal times come in another order with each reading, and change it once within every second one. */
	shufflesTies?: boolean;
	/** No page is larger, whatever is asked for. */
	maxPageSize?: number;
	sortedBy?: 'id Asc' | 'lastModifiedDate Asc';
	ignoresAfter?: boolean;
	/** The dates that a list of contacts shows; by default, both. */
	contactDates?: ContactDates;
}

/** A request of a poll fails, by its number from 0. All except 402 and *offline* succeed when they are repeated. */
export interface RequestFailure {
	at: number;
	/** A status, a connection that breaks once, or one that breaks with every later request of the poll, too. */
	by: 402 | 429 | 503 | 'reset' | 'offline';
}

export interface Child {
	id: number;
	status: string;
	lastModifiedDate?: string;
}
type ChildKind = 'changeOrders' | 'paymentRequests';

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

const STATUS_DATES: Record<string, string> = {
	Submitted: 'lastSubmittedDate',
	ViewedByClient: 'clientLastOpenedDate',
	Accepted: 'clientLastDecisionDate',
	Declined: 'clientLastDecisionDate',
	Completed: 'lastCompletedDate',
};

export class ModelService {
	readonly records = new Map<number, ModelRecord>();
	beforeRequest: (index: number) => void = () => {};
	/** Set while nothing changes: lists of a great many records are then sorted only once. */
	still: Map<string, ModelRecord[]> | undefined;
	failure: RequestFailure | undefined;
	/** Reads of proposals in full fail. */
	failsReads = false;
	/** The records as a server that lags behind has them, and what it is asked for. */
	lag: { records: Map<number, ModelRecord>; lists: boolean; reads: boolean } | undefined;
	/** Is called with each proposal that was read in full. */
	onRead: (record: ModelRecord) => void = () => {};
	requests = 0;
	hidesCount = false;
	private now = Math.floor(Date.now() / 1000) * 1000 - 90 * 24 * 3600_000;
	private ids = 1000;
	private revisions = 0;
	/** The readings of lists, from their first page. */
	private readings = 0;
	private shuffle = 0;

	readonly reading: Reading;

	constructor(reading: Reading = {}) {
		this.reading = reading;
	}

	pass(ms: number) {
		this.now += ms;
	}

	/** The time of something that happened so long ago, as the service writes it: in UTC, with seven decimals and no zone. */
	stamp(msAgo: number): string {
		const time = this.now - msAgo;
		const shown = this.reading.inSeconds ? Math.floor(time / 1000) * 1000 : time;
		return new Date(shown).toISOString().replace('Z', '0000');
	}

	create(status: string, msAgo = 0): ModelRecord {
		const stamp = this.stamp(msAgo);
		const id = ++this.ids;
		const date = STATUS_DATES[status];
		const record: ModelRecord = {
			id,
			number: id - 1e3,
			name: `revision ${++this.revisions}`,
			status,
			createdDate: stamp,
			lastModifiedDate: stamp,
			...(date && { [date]: stamp }),
			isArchived: false,
			paymentRequests: [],
			changeOrders: [],
		};
		this.records.set(id, record);
		return record;
	}

	/** Modifies a record; with an age, what was stamped then shows only now. */
	modify(record: ModelRecord, change: (record: ModelRecord, stamp: string) => void, msAgo = 0) {
		const stamp = this.stamp(msAgo);
		// A late record never overtakes a later stamp of the same record.
		if (msAgo > 0 && stamp < record.lastModifiedDate) return;
		record.name = `revision ${++this.revisions}`;
		record.lastModifiedDate = stamp;
		change(record, stamp);
	}

	setStatus(record: ModelRecord, status: string, msAgo = 0) {
		const date = STATUS_DATES[status];
		const change = (one: ModelRecord, stamp: string) =>
			Object.assign(one, { status, ...(date && { [date]: stamp }) });
		this.modify(record, change, msAgo);
	}

	setChild(record: ModelRecord, kind: ChildKind, index: number, status: string) {
		this.modify(record, (one, stamp) => {
			// Payment requests have no dates.
			const dates = kind === 'changeOrders' ? { lastModifiedDate: stamp } : {};
			if (!one[kind][index]) one[kind].push({ id: ++this.ids, status, ...dates });
			else Object.assign(one[kind][index], { status, ...dates });
		});
	}

	/** The whole response, as n8n's request helper gives it when it is asked for every status. */
	respond(url: string): { statusCode: number; headers: object; body: unknown } {
		const headers = { date: new Date(this.now).toUTCString() };
		return { headers, ...this.answer(url) };
	}

	private answer(url: string): { statusCode: number; headers?: object; body: unknown } {
		const index = this.requests++;
		if (index === 10_000) throw new Error('a poll sent 10,000 requests');
		this.beforeRequest(index);
		const { at, by } = this.failure ?? {};
		if (index === at || (by === 'offline' && index > at!)) {
			if (typeof by === 'string') throw Object.assign(new Error('broken'), { code: 'ECONNRESET' });
			const body = { errorCode: 'Failed', message: 'Failed by a test' };
			return { statusCode: by!, headers: { 'retry-after': '1' }, body };
		}
		const { pathname, searchParams } = new URL(url, 'https://api.example.com');
		const [, id] = /^\/public\/proposals\/(\d+)$/.exec(pathname) ?? [];
		const records = this.lag?.reads ? this.lag.records : this.records;
		const record = structuredClone(records.get(Number(id)));
		if (record && this.failsReads) {
			return { statusCode: 500, body: { errorCode: 'Failed', message: 'Failed by a test' } };
		}
		if (record) {
			this.onRead(structuredClone(record));
			return { statusCode: 200, body: record };
		}
		if (id) return { statusCode: 404, body: { errorCode: 'NotFound', message: 'Not found' } };
		const isProposals = pathname === '/public/proposals';
		const order = [searchParams.get('SortBy'), searchParams.get('SortDirection')].join(' ');
		if (order !== 'ModifiedDate Desc') throw new Error(`sorted by ${order}`);
		const page = Number(searchParams.get('PageNumber'));
		if (page === 1) this.readings++;
		this.shuffle = 2 * this.readings + (page > 1 ? this.readings % 2 : 0);
		const key = `${pathname} ${searchParams.get('IsArchive')} ${searchParams.get('ModifiedAfter')}`;
		const sorted = this.still?.get(key) ?? this.rows(isProposals, searchParams);
		this.still?.set(key, sorted);
		const size = Math.min(Number(searchParams.get('PageSize')), this.reading.maxPageSize ?? 100);
		const count = this.hidesCount ? undefined : sorted.length;
		const rows = sorted.slice((page - 1) * size, page * size);
		const pick = (...names: string[]) =>
			rows.map((one) => Object.fromEntries(names.map((name) => [name, one[name]])));
		const proposals = pick('id', 'number', 'name', 'status', 'createdDate', 'lastModifiedDate');
		// The name is no field of a contact's output.
		const people = rows.map((row) => ({
			id: row.id,
			name: row.name,
			firstName: row.name,
			...this.datesOf(row),
		}));
		const list = isProposals ? { proposals, proposalCount: count } : { people, peopleCount: count };
		return { statusCode: 200, body: { ...list, anotherList: [] } };
	}

	private datesOf({ createdDate, lastModifiedDate }: ModelRecord): object {
		const dates = this.reading.contactDates ?? 'both';
		if (dates === 'none') return {};
		if (dates === 'modified') return { lastModifiedDate };
		const isHidden = dates === 'later' && createdDate === lastModifiedDate;
		return { createdDate, lastModifiedDate: isHidden ? null : lastModifiedDate };
	}

	private rows(isProposals: boolean, query: URLSearchParams): ModelRecord[] {
		const records = this.lag?.lists ? this.lag.records : this.records;
		const rows = [...records.values()];
		if (!isProposals) return this.sort(rows);
		const isArchive = query.get('IsArchive') === 'true';
		const after = query.get('ModifiedAfter');
		return this.sort(
			rows.filter((row) => row.isArchived === isArchive && this.isAfter(row, after)),
		);
	}

	private isAfter(row: ModelRecord, after: string | null): boolean {
		if (after === null || this.reading.ignoresAfter) return true;
		let bound = Date.parse(after);
		if (this.reading.readsSeconds) bound = Math.floor(bound / 1000) * 1000;
		const time = Date.parse(`${row.lastModifiedDate}Z`);
		return this.reading.isInclusive ? time >= bound : time > bound;
	}

	private sort(rows: ModelRecord[]): ModelRecord[] {
		const [by, direction] = this.reading.sortedBy?.split(' ') ?? [];
		if (by !== undefined) {
			rows.sort((one, other) => (one[by]! < other[by]! ? -1 : 1));
			return direction === 'Desc' ? rows.reverse() : rows;
		}
		const salt = this.reading.shufflesTies ? this.shuffle : 0;
		// No multiple of the salt: two records would keep their order over many requests.
		const tie = (id: number) => (salt === 0 ? id : (Math.sin(id * salt) * 10_000) % 1);
		return rows.sort(
			(one, other) =>
				other.lastModifiedDate.localeCompare(one.lastModifiedDate) || tie(one.id) - tie(other.id),
		);
	}
}

/** What n8n and the workflow of a polled node have at the moment. */
export interface PolledWorkflow {
	staticData: object;
	log?: string[];
	workflowId?: string;
	account?: object;
	node?: object;
	activation?: string;
}

type Row = [id: number, time: number, state: unknown];

const rememberedRows = (staticData: object): Row[] => {
	const { state = '{}' } = staticData as { state?: string };
	const { versions, seen = versions ?? [] } = JSON.parse(state);
	return seen;
};

/** The IDs of the records in n8n's memory of a polling trigger. */
export const rememberedIds = (staticData: object): number[] =>
	rememberedRows(staticData).map(([id]) => id);

/** The IDs of those that have to be read before a change of them can be seen. */
export const unreadIds = (staticData: object): number[] =>
	rememberedRows(staticData).flatMap(([id, , state]) => (state === null ? [id] : []));

/** The context of polls of a workflow, as n8n makes it; its durable scheduler sets a time limit. */
export function pollContext(
	respond: (url: string) => object | Promise<object>,
	parameters: Record<string, unknown>,
	workflow: PolledWorkflow = { staticData: {} },
	budget?: number,
): IPollFunctions {
	const { workflowId: id = randomUUID() } = workflow;
	// Each workflow has an account of its own, by which waits after a refusal are remembered.
	const credential = () => ({
		environment: 'custom',
		baseUrl: 'https://api.example.com',
		appKey: id,
		secretKey: 'secret',
		username: 'dealer@example.com',
		password: 'password',
		userApiKey: 'key',
		...workflow.account,
	});
	return {
		getInstanceId: () => 'n8n',
		getNode: () => ({ id: '1', name: 'Poll', type: 'poll', ...workflow.node }),
		getWorkflow: () => ({ id }),
		getPollBudgetMs: budget === undefined ? undefined : () => budget,
		getCredentials: async () => credential(),
		getMode: () => 'trigger',
		getActivationMode: () => workflow.activation ?? 'activate',
		getNodeParameter: (name: string, byDefault: unknown) =>
			parameters[name] === undefined ? byDefault : parameters[name],
		getWorkflowStaticData: () => workflow.staticData,
		logger: { warn: (line: string) => workflow.log?.push(line) },
		helpers: {
			// Polls only read.
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
				options.method === 'GET' ? await respond(options.url) : undefined,
		},
	} as unknown as IPollFunctions;
}
