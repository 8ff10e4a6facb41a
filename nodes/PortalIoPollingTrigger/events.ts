/** The events of the trigger: what each of them compares, what of it is a change, and its output. */
import { createHash } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { contactList, proposalList, type PagedList } from '../../client/lists';
import type { ChangeOrder, PaymentRequest, Proposal, ProposalSummary } from '../../client/proposal';
import { parseTime } from '../../client/time';
import {
	changeOrderFields,
	clientFields,
	contactShape,
	proposalFields,
	proposalShape,
} from '../shared/shapes';
import { simplifyTo, type Shape } from '../shared/shape';
import {
	checkStatuses,
	INITIAL_STATUSES,
	isOn,
	isSimplified,
	type StatusField,
} from '../shared/statuses';
import type { Version } from './memory';

export type DateName = 'createdDate' | 'lastModifiedDate';

/** A list that is asked for in the order of modifications, newest first. */
interface ModifiedList extends PagedList {
	/** The parameter that leaves out what was modified before a time, if the list has one. */
	after?: string;
	/** The date by which a record is new to the event. */
	dateOfEvent: DateName;
	/** Whether it may lack dates: its records are then compared as they are listed. */
	mayBeUndated?: boolean;
}

export interface ChangedRecord {
	/** The proposal, contact, payment request or change order, as it was listed. */
	record: { id: number; status?: string; customer?: unknown; dealer?: unknown };
	/** For events about a status; null when it is not known. */
	previousStatus?: string | null;
	/** The proposal of the record, or its full version; null if it could not be read. */
	proposal?: Pick<Proposal, 'id' | 'number' | 'name' | 'status' | 'customer' | 'dealer'> | null;
}

/** A record, as it is listed or in full, and its last version, whose state is null if none was compared. */
export interface Compared {
	record: ProposalSummary;
	previous: Version;
}

export interface PollEvent {
	lists: ModifiedList[];
	/** Whether proposals are compared in full, as lists do not show what the event is about. */
	isDetailed: boolean;
	/** Whether to keep versions older than what the next poll lists. */
	keepsOld: boolean;
	/** The state of a record that has just been created, before the first poll that lists it. */
	initialState: Version['state'];
	/** The part of a record that shows its changes. */
	stateOf(record: ProposalSummary): Version['state'];
	changesOf(compared: Compared): ChangedRecord[];
	statusField?: StatusField;
	fetchesProposal: boolean;
	/** Whether each change is one of the user that the full proposal names as the last. */
	namesModifier: boolean;
	/** The fields of `recordOf` are the output with *Simplify*, and `full` is the one without. */
	shape: Shape;
	recordOf(changed: ChangedRecord): object;
	full(changed: ChangedRecord): IDataObject;
}

const newestFirst = { SortBy: 'ModifiedDate', SortDirection: 'Desc' };

/** Archived proposals are a list of their own (docs/dev/portal-api.md#proposals). */
const proposalsBy = (dateOfEvent: ModifiedList['dateOfEvent']) =>
	[false, true].map((IsArchive): ModifiedList => ({
		...proposalList({ ...newestFirst, IsArchive }),
		after: 'ModifiedAfter',
		dateOfEvent,
	}));

/** The list of contacts has no filter by time (docs/dev/portal-api.md#contacts-and-locations). */
const contacts: ModifiedList = {
	...contactList(newestFirst),
	dateOfEvent: 'lastModifiedDate',
	mayBeUndated: true,
};

/** A proposal; in full when it was fetched. The status is the one that the change is about. */
const recordOf = ({ record, previousStatus, proposal }: ChangedRecord): object => ({
	...(proposal ?? record),
	status: record.status,
	previousStatus,
});

/** A payment or change order. What it does not say of client and salesperson, its proposal does. */
const childOf = ({ record, previousStatus, proposal }: ChangedRecord): object => ({
	...record,
	previousStatus,
	proposal,
	proposalId: proposal!.id,
	dealer: record.dealer ?? proposal!.dealer,
	customer: record.customer ?? proposal!.customer,
});

const payment: Shape = {
	id: 'integer',
	proposalId: 'integer',
	proposalNumber: ['integer', 'proposal.number'],
	proposalName: ['string', 'proposal.name'],
	status: 'string',
	previousStatus: 'string',
	amount: 'number',
	dueDate: 'string',
	...clientFields,
};

/** The output without *Simplify*: the record, with the full proposal next to it if it was fetched. */
const fullRecord = ({ record, ...beside }: ChangedRecord): IDataObject =>
	({ ...record, ...beside }) as unknown as IDataObject;

/** The same for a payment request or change order, with its proposal in short. */
function fullChild(changed: ChangedRecord): IDataObject {
	const { id, number, name, status, customer = null } = changed.proposal!;
	return fullRecord({ ...changed, proposal: { id, number, name, status, customer } });
}

const aboutProposals = {
	lists: proposalsBy('lastModifiedDate'),
	isDetailed: false,
	keepsOld: false,
	initialState: null,
	fetchesProposal: true,
	namesModifier: false,
	recordOf,
	full: fullRecord,
};

/** The events by the value of the parameter, which workflows are saved with. */
export const pollEvents: Record<string, PollEvent> = {
	changeOrderStatusChanged: {
		...aboutChildren('changeOrders'),
		statusField: 'statuses',
		shape: { ...changeOrderFields, previousStatus: 'string' },
	},
	contactCreatedOrUpdated: {
		...aboutProposals,
		lists: [contacts],
		stateOf: hashContact,
		changesOf: ({ record, previous }) =>
			previous.state === hashContact(record) ? [] : [{ record }],
		fetchesProposal: false,
		shape: contactShape,
	},
	paymentStatusChanged: {
		...aboutChildren('paymentRequests'),
		statusField: 'paymentStatuses',
		shape: payment,
	},
	proposalCreated: {
		...aboutProposals,
		lists: proposalsBy('createdDate'),
		stateOf: () => null,
		changesOf: ({ record }) => [{ record }],
		shape: proposalShape,
	},
	proposalStatusChanged: {
		...aboutProposals,
		keepsOld: true,
		stateOf: ({ status }) => status,
		changesOf: withNewStatus,
		statusField: 'statuses',
		shape: { ...proposalFields, previousStatus: 'string' },
	},
	proposalUpdated: {
		...aboutProposals,
		stateOf: hashProposal,
		changesOf: ({ record, previous }) => {
			const isNew = previous.state === null && isJustCreated(record);
			return isNew || previous.state === hashProposal(record) ? [] : [{ record }];
		},
		namesModifier: true,
		shape: proposalShape,
	},
};

/** Hashes the fields of the output: if Portal.io computed another field for each response, every poll would report it. */
function hashOf(shape: Shape, record: object): string {
	const output = JSON.stringify(simplifyTo(shape, record));
	return createHash('sha256').update(output).digest('base64url').slice(0, 12);
}

function hashContact(record: object): string {
	return hashOf(contactShape, record);
}

function hashProposal(record: object): string {
	return hashOf(proposalShape, record);
}

/** Whether a proposal was not modified since its creation, which writes both dates. */
const isJustCreated = ({ createdDate, lastModifiedDate }: ProposalSummary) =>
	Math.abs((parseTime(lastModifiedDate) ?? 0) - (parseTime(createdDate) ?? 0)) < 1;

/** Returns a proposal if it has a new status. */
function withNewStatus({ record, previous }: Compared): ChangedRecord[] {
	const previousStatus = previous.state as string | null;
	return isNewStatus(record.status, previousStatus) ? [{ record, previousStatus }] : [];
}

/** Whether a status is new. Without a previous status, it is unless records are created in it. */
const isNewStatus = (status: string, previousStatus: string | null): boolean =>
	previousStatus === null ? !INITIAL_STATUSES.includes(status) : status !== previousStatus;

type Child = ChangeOrder | PaymentRequest;

function aboutChildren(list: 'changeOrders' | 'paymentRequests') {
	const childrenOf = (record: object): Child[] => (record as Proposal)[list] ?? [];
	const changesOf: PollEvent['changesOf'] = ({ record, previous }) => {
		const { id, number, name, status, customer, dealer } = record as Proposal & ProposalSummary;
		// Keeps only a part of each record: a poll may find thousands.
		const proposal = { id, number, name, status, customer, dealer };
		const statuses = previous.state as Record<string, string> | null;
		const changes: ChangedRecord[] = [];
		for (const child of childrenOf(record)) {
			const previousStatus = statuses?.[child.id] ?? null;
			if (!isNewStatus(child.status, previousStatus)) continue;
			// Payments have no date: one of a proposal that was not read before would be reported years later.
			const { lastModifiedDate } = child as ChangeOrder;
			const isDatedLater = (parseTime(lastModifiedDate) ?? 0) > previous.time;
			if (statuses === null && !isDatedLater) continue;
			changes.push({ record: child, previousStatus, proposal });
		}
		return changes;
	};
	const stateOf: PollEvent['stateOf'] = (record) => {
		const statuses: Record<string, string> = {};
		for (const { id, status } of childrenOf(record)) statuses[id] = status;
		return statuses;
	};
	return {
		...aboutProposals,
		isDetailed: true,
		keepsOld: true,
		initialState: {},
		stateOf,
		changesOf,
		fetchesProposal: false,
		recordOf: childOf,
		full: fullChild,
	};
}

/** Reads the event and its parameters. Throws a NodeOperationError that names an unknown status. */
export function readSettings(context: IPollFunctions) {
	const eventName = context.getNodeParameter('event') as string;
	const event = pollEvents[eventName]!;
	const { statusField, fetchesProposal, namesModifier } = event;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const settings = {
		statusField,
		/** Empty for all. */
		statuses: statusField ? checkStatuses(context, statusField) : [],
		isSimplified: isSimplified(context),
		fetchesProposal: fetchesProposal && isOn(options.fetchProposal),
		ignoresOwnChanges: namesModifier && isOn(options.ignoreOwnChanges),
	};
	return { eventName, event, settings };
}

export type Settings = ReturnType<typeof readSettings>['settings'];
