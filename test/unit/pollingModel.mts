/**
 * Models Portal.io's lists. The model is fast enough for 100,000 proposals, and its options cover what the API leaves
 * open.
 */
import { randomUUID } from 'node:crypto';
import type { IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

/** Dates of a contact in a list. With `later`, a contact has no modification date before its first modification. */
export type ContactDates = 'both' | 'modified' | 'later' | 'none';

export interface ModelOptions {
	/** Whether `ModifiedAfter` includes records modified exactly at the requested time. */
	isInclusive?: boolean;
	/** Whether dates are whole seconds. */
	inSeconds?: boolean;
	/** Whether `ModifiedAfter` is truncated to whole seconds. */
	readsSeconds?: boolean;
	/** Whether records with equal times swap places between reads of a list, and during every second read. */
	shufflesTies?: boolean;
	/** Maximum size of a page, even if a request asks for more. */
	maxPageSize?: number;
	sortedBy?: 'id Asc' | 'lastModifiedDate Asc';
	ignoresAfter?: boolean;
	/** Defaults to `both`. */
	contactDates?: ContactDates;
}

/** Failure of one request in a poll. Except for 402 and `offline`, a retry succeeds. */
export interface RequestFailure {
	/** Number of the request, starting with 0. */
	at: number;
	/** Status, or a connection that breaks once (`reset`) or for the rest of the poll (`offline`). */
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
	/** Name that is unique among all versions of all records. */
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
	/** Sorted lists, kept while nothing changes, so large lists are sorted only once. */
	sortedLists: Map<string, ModelRecord[]> | undefined;
	failure: RequestFailure | undefined;
	/** Whether reads of full proposals fail. */
	failsReads = false;
	/** Records of a server that lags behind, and whether it returns the lists and full proposals. */
	staleServer: { records: Map<number, ModelRecord>; lists: boolean; reads: boolean } | undefined;
	/** Callback for each proposal that is read in full. */
	onRead: (record: ModelRecord) => void = () => {};
	requests = 0;
	hidesCount = false;
	private now = Math.floor(Date.now() / 1000) * 1000 - 90 * 24 * 3600_000;
	private ids = 1000;
	private revisions = 0;
	/** Number of times that lists were read from their first page. */
	private listReads = 0;
	private shuffle = 0;

	readonly options: ModelOptions;

	constructor(options: ModelOptions = {}) {
		this.options = options;
	}

	pass(ms: number) {
		this.now += ms;
	}

	/** Returns the date of a past moment as Portal.io writes it, in UTC with seven decimals and without a zone. */
	stamp(msAgo: number): string {
		const time = this.now - msAgo;
		const visibleTime = this.options.inSeconds ? Math.floor(time / 1000) * 1000 : time;
		return new Date(visibleTime).toISOString().replace('Z', '0000');
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

	/** Modifies a record. With `msAgo`, the change has an earlier date but becomes visible only now. */
	modify(record: ModelRecord, change: (record: ModelRecord, stamp: string) => void, msAgo = 0) {
		const stamp = this.stamp(msAgo);
		// Skip a late change that is older than the record's date.
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

	/** Returns a full response, as n8n's request helper does. */
	respond(url: string): { statusCode: number; headers: object; body: unknown } {
		const headers = { date: new Date(this.now).toUTCString() };
		return { headers, ...this.createResponse(url) };
	}

	private createResponse(url: string): { statusCode: number; headers?: object; body: unknown } {
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
		const records = this.staleServer?.reads ? this.staleServer.records : this.records;
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
		if (page === 1) this.listReads++;
		this.shuffle = 2 * this.listReads + (page > 1 ? this.listReads % 2 : 0);
		const key = `${pathname} ${searchParams.get('IsArchive')} ${searchParams.get('ModifiedAfter')}`;
		const sorted = this.sortedLists?.get(key) ?? this.selectRecords(isProposals, searchParams);
		this.sortedLists?.set(key, sorted);
		const size = Math.min(Number(searchParams.get('PageSize')), this.options.maxPageSize ?? 100);
		const count = this.hidesCount ? undefined : sorted.length;
		const rows = sorted.slice((page - 1) * size, page * size);
		const pick = (...names: string[]) =>
			rows.map((one) => Object.fromEntries(names.map((name) => [name, one[name]])));
		const proposals = pick('id', 'number', 'name', 'status', 'createdDate', 'lastModifiedDate');
		// Put the name in the first name as well, because a contact's output lacks the name.
		const people = rows.map((row) => ({
			id: row.id,
			name: row.name,
			firstName: row.name,
			...this.selectDates(row),
		}));
		const list = isProposals ? { proposals, proposalCount: count } : { people, peopleCount: count };
		return { statusCode: 200, body: { ...list, anotherList: [] } };
	}

	private selectDates({ createdDate, lastModifiedDate }: ModelRecord): object {
		const dates = this.options.contactDates ?? 'both';
		if (dates === 'none') return {};
		if (dates === 'modified') return { lastModifiedDate };
		const isHidden = dates === 'later' && createdDate === lastModifiedDate;
		return { createdDate, lastModifiedDate: isHidden ? null : lastModifiedDate };
	}

	private selectRecords(isProposals: boolean, query: URLSearchParams): ModelRecord[] {
		const records = this.staleServer?.lists ? this.staleServer.records : this.records;
		const rows = [...records.values()];
		if (!isProposals) return this.sort(rows);
		const isArchive = query.get('IsArchive') === 'true';
		const after = query.get('ModifiedAfter');
		return this.sort(
			rows.filter((row) => row.isArchived === isArchive && this.isAfter(row, after)),
		);
	}

	private isAfter(row: ModelRecord, after: string | null): boolean {
		if (after === null || this.options.ignoresAfter) return true;
		let bound = Date.parse(after);
		if (this.options.readsSeconds) bound = Math.floor(bound / 1000) * 1000;
		const time = Date.parse(`${row.lastModifiedDate}Z`);
		return this.options.isInclusive ? time >= bound : time > bound;
	}

	private sort(rows: ModelRecord[]): ModelRecord[] {
		const [by, direction] = this.options.sortedBy?.split(' ') ?? [];
		if (by !== undefined) {
			rows.sort((one, other) => (one[by]! < other[by]! ? -1 : 1));
			return direction === 'Desc' ? rows.reverse() : rows;
		}
		const salt = this.options.shufflesTies ? this.shuffle : 0;
		// Use a sine, because a multiple of the salt would keep two records in the same order over many requests.
		const tie = (id: number) => (salt === 0 ? id : (Math.sin(id * salt) * 10_000) % 1);
		return rows.sort(
			(one, other) =>
				other.lastModifiedDate.localeCompare(one.lastModifiedDate) || tie(one.id) - tie(other.id),
		);
	}
}

/** Parts of n8n and a workflow that a poll uses. */
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

/** Returns the IDs of the records in the static data of a polling trigger. */
export const rememberedIds = (staticData: object): number[] =>
	rememberedRows(staticData).map(([id]) => id);

/** Returns the IDs of the records that no poll has read yet. */
export const unreadIds = (staticData: object): number[] =>
	rememberedRows(staticData).flatMap(([id, , state]) => (state === null ? [id] : []));

/** Creates n8n's context for polls of a workflow. Only the durable scheduler sets a budget. */
export function pollContext(
	respond: (url: string) => object | Promise<object>,
	parameters: Record<string, unknown>,
	workflow: PolledWorkflow = { staticData: {} },
	budget?: number,
): IPollFunctions {
	const { workflowId: id = randomUUID() } = workflow;
	// Use a separate account for each workflow, because rejected logins are remembered for each account.
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
			// Respond only to GET requests, because polls only read.
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
				options.method === 'GET' ? await respond(options.url) : undefined,
		},
	} as unknown as IPollFunctions;
}
