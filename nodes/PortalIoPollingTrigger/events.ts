import { detectChildStatus } from './childStatus';
import { parseTime } from './dates';
import { fullChild, fullRecord, outputShapes } from './outputs';
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

/** Reports every version of a record once; two with the same time differ in their status. */
async function detectVersion({ record, modifiedAt, previous }: Candidate): Promise<Change> {
	const state = record.status ?? '';
	const isKnown = previous?.time === modifiedAt && previous.state === state;
	return { time: modifiedAt, state, changed: isKnown ? [] : [{ record }] };
}

async function detectUpdate(candidate: Candidate): Promise<Change> {
	const change = await detectVersion(candidate);
	const { createdDate, lastModifiedDate } = candidate.record;
	return createdDate === lastModifiedDate ? { ...change, changed: [] } : change;
}

async function detectCreation(candidate: Candidate): Promise<Change> {
	const { previous, record } = candidate;
	const changed = previous === undefined ? [{ record }] : [];
	return { time: created(candidate), state: '', changed };
}

async function detectStatus(candidate: Candidate): Promise<Change> {
	const { record, modifiedAt, previous } = candidate;
	const state = record.status;
	const hasChanged = previous ? previous.state !== state : await hasNewStatus(candidate);
	const changed = { record, previousStatus: (previous?.state as string | undefined) ?? null };
	return { time: modifiedAt, state, changed: hasChanged ? [changed] : [] };
}

/** The events by the value of the parameter, which workflows are saved with. */
export const pollEvents: Record<string, PollEvent> = {
	changeOrderStatusChanged: {
		lists: proposals,
		baseline: 'details',
		timeOf: modified,
		detectChange: detectChildStatus(({ changeOrders }) => changeOrders),
		statusField: 'statuses',
		fetchesProposal: false,
		shape: outputShapes.changeOrderStatusChanged,
		full: fullChild,
	},
	contactCreatedOrUpdated: {
		lists: contacts,
		baseline: 'recent',
		timeOf: modified,
		detectChange: detectVersion,
		fetchesProposal: false,
		shape: outputShapes.contactCreatedOrUpdated,
		full: fullRecord,
	},
	paymentStatusChanged: {
		lists: proposals,
		baseline: 'details',
		timeOf: modified,
		detectChange: detectChildStatus(({ paymentRequests }) => paymentRequests),
		statusField: 'paymentStatuses',
		fetchesProposal: false,
		shape: outputShapes.paymentStatusChanged,
		full: fullChild,
	},
	proposalCreated: {
		lists: proposals,
		baseline: 'recent',
		timeOf: created,
		detectChange: detectCreation,
		fetchesProposal: true,
		shape: outputShapes.proposalCreated,
		full: fullRecord,
	},
	proposalStatusChanged: {
		lists: proposals,
		baseline: 'statuses',
		timeOf: modified,
		detectChange: detectStatus,
		statusField: 'statuses',
		fetchesProposal: true,
		shape: outputShapes.proposalStatusChanged,
		full: fullRecord,
	},
	proposalUpdated: {
		lists: proposals,
		baseline: 'recent',
		timeOf: modified,
		detectChange: detectUpdate,
		fetchesProposal: true,
		shape: outputShapes.proposalUpdated,
		full: fullRecord,
	},
};
