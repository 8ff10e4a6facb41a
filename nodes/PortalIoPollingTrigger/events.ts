import { createHash } from 'node:crypto';
import { parseTime } from '../../client/time';
import type { ListedRecord, ModifiedList } from './modifiedRecords';
import { fullChild, fullRecord, outputShapes } from './items';
import type { Candidate, Change, PollEvent, ChangedRecord, ChildStatuses } from './types';
import type { Proposal, ChangeOrder, PaymentRequest } from '../../client/model';

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
const timeOr0 = (date: unknown) => parseTime(date) ?? 0;
const created = ({ record }: ListedRecord) => timeOr0(record.createdDate);

/** What a list shows of the state of a record: all of it where it has no time. */
export const stateOf = ({ record, modifiedAt }: ListedRecord): string =>
	modifiedAt > 0
		? (record.status ?? '')
		: createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 12);

/** Reports every version of a record once; two with the same time differ in their status. */
async function detectVersion({ record, modifiedAt, previous }: Candidate): Promise<Change> {
	const state = stateOf({ record, modifiedAt });
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
		comparesListed: true,
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
		namesModifier: true,
		shape: outputShapes.proposalUpdated,
		full: fullRecord,
	},
};

/** Statuses that a proposal, payment request or change order is created in. */
const INITIAL_STATUSES = ['Draft', 'Undefined'];

/** The date that a proposal gets when it enters a status. */
const DATE_OF_STATUS: Record<string, keyof Proposal> = {
	Accepted: 'clientLastDecisionDate',
	Completed: 'lastCompletedDate',
	Declined: 'clientLastDecisionDate',
	Submitted: 'lastSubmittedDate',
	ViewedByClient: 'clientLastOpenedDate',
};

/**
 * Whether a proposal whose earlier status is not known has a new status.
 *
 * Where entering the status sets a date, the date decides. *Delayed*, *EmailFailed* and *Expired* set
 * none; a proposal enters them after a time without changes, so they count as new. *Draft* sets none
 * either, and old drafts are edited every day, so it does not count.
 */
async function hasNewStatus(candidate: Candidate): Promise<boolean> {
	const { record, reportedUntil } = candidate;
	if (INITIAL_STATUSES.includes(record.status)) return false;
	if (timeOr0(record.createdDate) > reportedUntil) return true;
	const field = DATE_OF_STATUS[record.status];
	if (field === undefined) return true;
	const proposal = await candidate.readProposal();
	const enteredAt = timeOr0(proposal?.[field]);
	// Without the date it is unknown: better to report a status twice than never.
	return enteredAt === 0 || enteredAt > reportedUntil;
}

type Child = ChangeOrder | PaymentRequest;

/** Detects which change orders or payment requests of a proposal have a new status. */
function detectChildStatus(childrenOf: (proposal: Proposal) => Child[] | null | undefined) {
	return async (candidate: Candidate): Promise<Change | undefined> => {
		const { previous, modifiedAt, needsRecheck } = candidate;
		const isKnown = previous !== undefined && previous.time >= modifiedAt;
		if (isKnown && !needsRecheck) return undefined;
		const proposal = await candidate.readProposal();
		if (proposal === undefined) return undefined;
		const children = childrenOf(proposal) ?? [];
		return {
			time: timeOr0(proposal.lastModifiedDate),
			state: Object.fromEntries(children.map(({ id, status }) => [id, status])),
			changed: changedOf(candidate, proposal, children),
		};
	};
}

function changedOf(candidate: Candidate, proposal: Proposal, children: Child[]): ChangedRecord[] {
	const statuses = candidate.previous?.state as ChildStatuses | undefined;
	const { id, number, name, status, customer, dealer } = proposal;
	// Not all of it: a poll may find thousands.
	const parent = { id, number, name, status, customer, dealer };
	return children
		.map((record) => ({
			record,
			previousStatus: statuses?.[record.id] ?? null,
			proposal: parent,
		}))
		.filter(({ record, previousStatus }) =>
			previousStatus === null
				? isNewChild(candidate, proposal, record)
				: previousStatus !== record.status,
		);
}

/**
 * Whether a child that is not known has a status to report. If its proposal is not known either, only
 * dates can tell; payment requests have none.
 */
function isNewChild(candidate: Candidate, proposal: Proposal, child: Child): boolean {
	if (INITIAL_STATUSES.includes(child.status)) return false;
	const { previous, reportedUntil } = candidate;
	if (previous !== undefined || timeOr0(proposal.createdDate) > reportedUntil) return true;
	return 'lastModifiedDate' in child && timeOr0(child.lastModifiedDate) > reportedUntil;
}
