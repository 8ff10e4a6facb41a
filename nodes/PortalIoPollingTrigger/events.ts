import type { IDataObject } from 'n8n-workflow';
import { detectChildStatus } from './childStatus';
import { parseTime } from './dates';
import { hasNewStatus } from './proposalStatus';
import type { Candidate, Change, ListedRecord, ModifiedList, PollEvent } from './types';

const newestFirst = { SortBy: 'ModifiedDate', SortDirection: 'Desc' };
/** Archived proposals are a list of their own (docs/portal-api.md#proposals). */
const proposals = [false, true].map((IsArchive): ModifiedList => ({
	request: { method: 'GET', path: '/public/proposals', query: { ...newestFirst, IsArchive } },
	records: 'proposals',
	count: 'proposalCount',
	after: 'ModifiedAfter',
}));
/** The list of contacts has no filter by time (docs/portal-api.md#contacts-and-locations). */
const contacts: ModifiedList[] = [
	{
		request: { method: 'GET', path: '/public/people', query: newestFirst },
		records: 'people',
		count: 'peopleCount',
	},
];

const modified = ({ modifiedAt }: ListedRecord) => modifiedAt;
const created = ({ record }: ListedRecord) => parseTime(record.createdDate);
const itemOf = (record: object) => ({ ...record }) as IDataObject;

/** Reports every version of a record once; two with the same time differ in their status. */
async function detectVersion({ record, modifiedAt, previous }: Candidate): Promise<Change> {
	const state = record.status ?? '';
	const isKnown = previous?.time === modifiedAt && previous.state === state;
	return { time: modifiedAt, state, items: isKnown ? [] : [itemOf(record)] };
}

async function detectUpdate(candidate: Candidate): Promise<Change> {
	const change = await detectVersion(candidate);
	const { createdDate, lastModifiedDate } = candidate.record;
	return createdDate === lastModifiedDate ? { ...change, items: [] } : change;
}

async function detectCreation(candidate: Candidate): Promise<Change> {
	const items = candidate.previous === undefined ? [itemOf(candidate.record)] : [];
	return { time: created(candidate), state: '', items };
}

async function detectStatus(candidate: Candidate): Promise<Change> {
	const { record, modifiedAt, previous } = candidate;
	const state = record.status;
	const hasChanged = previous ? previous.state !== state : await hasNewStatus(candidate);
	const item = { ...itemOf(record), previousStatus: (previous?.state as string) ?? null };
	return { time: modifiedAt, state, items: hasChanged ? [item] : [] };
}

/** The events by the value of the parameter, which workflows are saved with. */
export const pollEvents: Record<string, PollEvent> = {
	changeOrderStatusChanged: {
		lists: proposals,
		baseline: 'details',
		timeOf: modified,
		detectChange: detectChildStatus(({ changeOrders }) => changeOrders),
	},
	contactCreatedOrUpdated: {
		lists: contacts,
		baseline: 'recent',
		timeOf: modified,
		detectChange: detectVersion,
	},
	paymentStatusChanged: {
		lists: proposals,
		baseline: 'details',
		timeOf: modified,
		detectChange: detectChildStatus(({ paymentRequests }) => paymentRequests),
	},
	proposalCreated: {
		lists: proposals,
		baseline: 'recent',
		timeOf: created,
		detectChange: detectCreation,
	},
	proposalStatusChanged: {
		lists: proposals,
		baseline: 'statuses',
		timeOf: modified,
		detectChange: detectStatus,
	},
	proposalUpdated: {
		lists: proposals,
		baseline: 'recent',
		timeOf: modified,
		detectChange: detectUpdate,
	},
};
