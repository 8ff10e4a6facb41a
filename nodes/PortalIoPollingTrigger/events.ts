import type { IDataObject } from 'n8n-workflow';
import type { Proposal, ProposalSummary } from '../../client/model';
import { timeOf, type Modified, type RecentList } from './recent';
import { changedChildren, stateOf, type Child } from './children';
import type { Known } from './memory';
import { hasChangedStatus } from './statuses';

/** One record that was modified, and what is known of it. */
export interface Look {
	record: ProposalSummary;
	/** How it was when it was looked at last; undefined when that is not remembered. */
	previous: Known | undefined;
	/** Whether it may have changed since then without another time to show for it. */
	isRestless: boolean;
	/** What was modified after this was not there at the last poll. */
	horizon: number;
	/** Reads the proposal in full; undefined when it is gone. */
	detail(): Promise<Proposal | undefined>;
}

/** What a look at a record tells: how it is now, and what is to be said about that. */
export interface Finding extends Known {
	items: IDataObject[];
}

/** An event of the trigger (operations.md, *The polling trigger*). */
export interface PollEvent {
	lists: RecentList[];
	/** What stock is taken of at first: recent versions only, all statuses, or all details too. */
	remembers: 'details' | 'recent' | 'statuses';
	/** The date that the window of a poll applies to. */
	timeOf(record: Modified): number;
	look(look: Look): Promise<Finding | undefined>;
}

const newestFirst = { SortBy: 'ModifiedDate', SortDirection: 'Desc' };
/**
 * Archived proposals are a list of their own, and what is archived between two polls moves there. The
 * first is read again after the other: what moves while they are read is in one of the three.
 */
const proposals = [false, true, false].map((IsArchive): RecentList => ({
	request: { method: 'GET', path: '/public/proposals', query: { ...newestFirst, IsArchive } },
	records: 'proposals',
	count: 'proposalCount',
	after: 'ModifiedAfter',
}));
/** The list of contacts has no filter by time (public reference, 5.1). */
const contacts: RecentList[] = [
	{
		request: { method: 'GET', path: '/public/people', query: newestFirst },
		records: 'people',
		count: 'peopleCount',
	},
];

const modified = (record: Modified) => timeOf(record.lastModifiedDate);
const created = (record: Modified) => timeOf((record as ProposalSummary).createdDate);
const itemOf = (record: object) => ({ ...record }) as IDataObject;

/** Every version of a record once; two within one moment are told apart by their status. */
async function version({ record, previous }: Look): Promise<Finding> {
	const state = record.status ?? '';
	const time = modified(record);
	const isKnown = previous !== undefined && previous.time === time && previous.state === state;
	return { time, state, items: isKnown ? [] : [itemOf(record)] };
}

async function update(look: Look): Promise<Finding> {
	const finding = await version(look);
	const { createdDate, lastModifiedDate } = look.record;
	return createdDate === lastModifiedDate ? { ...finding, items: [] } : finding;
}

async function creation({ record, previous }: Look): Promise<Finding> {
	return { time: created(record), state: '', items: previous ? [] : [itemOf(record)] };
}

async function status({ record, previous, horizon, detail }: Look): Promise<Finding> {
	const state = record.status;
	const hasChanged = previous
		? previous.state !== state
		: await hasChangedStatus(record, horizon, detail);
	const item = { ...itemOf(record), previousStatus: previous?.state ?? null };
	return { time: modified(record), state, items: hasChanged ? [item] : [] };
}

function childStatus(childrenOf: (proposal: Proposal) => Child[]): PollEvent['look'] {
	return async ({ record, previous, isRestless, horizon, detail }) => {
		const isSeen = previous !== undefined && previous.time >= modified(record);
		if (isSeen && !isRestless) return undefined;
		const proposal = await detail();
		if (proposal === undefined) return undefined;
		const children = childrenOf(proposal);
		const items = changedChildren(proposal, children, previous?.state, horizon);
		return { time: modified(proposal), state: stateOf(children), items };
	};
}

/** The events by the value of the parameter, which workflows are saved with. */
export const pollEvents: Record<string, PollEvent> = {
	changeOrderStatusChanged: {
		lists: proposals,
		remembers: 'details',
		timeOf: modified,
		look: childStatus(({ changeOrders }) => changeOrders ?? []),
	},
	contactCreatedOrUpdated: {
		lists: contacts,
		remembers: 'recent',
		timeOf: modified,
		look: version,
	},
	paymentStatusChanged: {
		lists: proposals,
		remembers: 'details',
		timeOf: modified,
		look: childStatus(({ paymentRequests }) => paymentRequests ?? []),
	},
	proposalCreated: { lists: proposals, remembers: 'recent', timeOf: created, look: creation },
	proposalStatusChanged: {
		lists: proposals,
		remembers: 'statuses',
		timeOf: modified,
		look: status,
	},
	proposalUpdated: { lists: proposals, remembers: 'recent', timeOf: modified, look: update },
};
