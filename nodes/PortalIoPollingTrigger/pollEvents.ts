/** Declares the events: what each one compares, what counts as a change, and what it outputs. */
import { createHash } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { contactList, proposalList, type PagedList } from '../../client/lists';
import type { ChangeOrder, PaymentRequest, Proposal, ProposalSummary } from '../../client/proposal';
import { parseTime } from '../../client/time';
import {
	changeOrderFields,
	clientFields,
	contactShape,
	salespersonFields,
	triggerProposalFields,
} from '../shared/shapes';
import { simplifyTo, type Shape } from '../shared/simplify';
import { INITIAL_STATUSES, type StatusField } from '../shared/statuses';
import { readValidStatuses, isOn, isSimplified } from '../shared/triggerFields';
import type { Version } from './pollMemory';

export type DateName = 'createdDate' | 'lastModifiedDate';

/** A list that is requested with the most recently modified record first. */
export interface ModifiedList extends PagedList {
	/**
	 * Query parameter that excludes records modified before a given time; undefined if the list cannot be filtered by
	 * time.
	 */
	after?: string;
	/** Date fields with the last modification. The first one that a record has is used. */
	modificationDates: readonly DateName[];
	/**
	 * Date fields with the time of the event, which is a creation or a modification. The first one that a record has is
	 * used.
	 */
	eventDates: readonly DateName[];
}

export interface ChangedRecord {
	/** Proposal, contact, payment request, or change order, as listed. */
	record: { id: number; status?: string; customer?: unknown; dealer?: unknown };
	/** Previous status, for events about a status; null if it is unknown. */
	previousStatus?: string | null;
	/**
	 * Proposal that contains the record, or full version of a listed proposal; null if the full version could not be
	 * read.
	 */
	proposal?: Pick<Proposal, 'id' | 'number' | 'name' | 'status' | 'customer' | 'dealer'> | null;
}

/** A listed or full record, and its previous version. */
interface Comparison {
	record: ProposalSummary;
	previousVersion: Version;
}

export interface PollEvent {
	name: string;
	description: string;
	/** Lists that contain the event's records. A test run in the editor reads only the first list. */
	lists: ModifiedList[];
	/** True if polls compare full proposals, because lists do not contain payments and change orders. */
	isDetailed: boolean;
	/** Previous state of a record that was created since the last poll. */
	initialState: Version['state'];
	/**
	 * Returns the part of a record that polls compare to detect a change; null if a new modification date is enough.
	 */
	toState(record: ProposalSummary): Version['state'];
	/** Returns the changes in a record that has a new date or state. */
	detectChanges(comparison: Comparison): ChangedRecord[];
	/**
	 * Parameter with the statuses that start the workflow; undefined unless the event is about a status. The baseline
	 * of such an event reads the whole list, because later polls need the previous status of each record.
	 */
	statusField?: StatusField;
	canIncludeProposal: boolean;
	shape: Shape;
	/** Returns the record from which the fields of the shape are read. */
	shapeSource(change: ChangedRecord): object;
	rawOutput(change: ChangedRecord): IDataObject;
}

const newestFirst = { SortBy: 'ModifiedDate', SortDirection: 'Desc' };

/** Returns the lists of active and archived proposals (docs/dev/portal-api.md#proposals). */
const proposalLists = (dateOfEvent: DateName) =>
	[false, true].map((IsArchive): ModifiedList => ({
		...proposalList({ ...newestFirst, IsArchive }),
		after: 'ModifiedAfter',
		modificationDates: ['lastModifiedDate'],
		eventDates: [dateOfEvent],
	}));

/** Date fields of a contact. A contact that was never modified might have only the creation date. */
const contactDates = ['lastModifiedDate', 'createdDate'] as const;

/** List of contacts, which has no filter by time (docs/dev/portal-api.md#contacts-and-locations). */
const contacts: ModifiedList = {
	...contactList(newestFirst),
	modificationDates: contactDates,
	eventDates: contactDates,
};

/** Returns the proposal with the listed status, because the full proposal might have changed since it was listed. */
const toProposalRecord = ({ record, previousStatus, proposal }: ChangedRecord): object => ({
	...(proposal ?? record),
	status: record.status,
	previousStatus,
});

/**
 * Returns a payment or change order with its proposal. If the payment or change order has no client or salesperson,
 * uses the proposal's.
 */
const toChildRecord = ({ record, previousStatus, proposal }: ChangedRecord): object => ({
	...record,
	previousStatus,
	proposal,
	proposalId: proposal!.id,
	dealer: record.dealer ?? proposal!.dealer,
	customer: record.customer ?? proposal!.customer,
});

/** Shape for events about proposals, except for status changes. */
const changedProposalShape: Shape = { ...triggerProposalFields, lastModifiedDate: 'string' };

const paymentShape: Shape = {
	paymentId: ['integer', 'id'],
	proposalId: 'integer',
	proposalNumber: ['integer', 'proposal.number'],
	proposalName: ['string', 'proposal.name'],
	status: 'string',
	previousStatus: 'string',
	amount: 'number',
	dueDate: 'string',
	...clientFields,
};

const toRawRecord = ({ record, ...additions }: ChangedRecord): IDataObject =>
	({ ...record, ...additions }) as unknown as IDataObject;

function toRawChild(change: ChangedRecord): IDataObject {
	const { id, number, name, status, customer = null } = change.proposal!;
	return toRawRecord({ ...change, proposal: { id, number, name, status, customer } });
}

const proposalEventDefaults = {
	lists: proposalLists('lastModifiedDate'),
	isDetailed: false,
	initialState: null,
	canIncludeProposal: true,
	shapeSource: toProposalRecord,
	rawOutput: toRawRecord,
};

/**
 * Events by the value of *Trigger On*, in the order of the editor, with the most used ones first. Saved workflows
 * contain these values, so they must stay the same.
 */
export const pollEvents: Record<string, PollEvent> = {
	proposalStatusChanged: {
		...proposalEventDefaults,
		name: 'Proposal Status Changed',
		description:
			'A proposal was submitted, viewed, accepted, declined, or changed to another status',
		toState: ({ status }) => status,
		detectChanges: findStatusChange,
		statusField: 'statuses',
		shape: { ...triggerProposalFields, previousStatus: 'string' },
	},
	proposalCreated: {
		...proposalEventDefaults,
		name: 'Proposal Created',
		description: 'A proposal was created',
		lists: proposalLists('createdDate'),
		toState: () => null,
		detectChanges: ({ record }) => [{ record }],
		shape: changedProposalShape,
	},
	proposalUpdated: {
		...proposalEventDefaults,
		name: 'Proposal Updated',
		description:
			"A proposal was changed in any way, including its status. If the workflow itself changes proposals, add a Filter step on 'lastModifiedBy' so that it does not trigger itself in a loop.",
		toState: hashProposal,
		detectChanges: ({ record, previousVersion }) => {
			const isNew = previousVersion.state === null && isUnmodified(record);
			return isNew || previousVersion.state === hashProposal(record) ? [] : [{ record }];
		},
		shape: changedProposalShape,
	},
	paymentStatusChanged: {
		...childEventDefaults('paymentRequests'),
		name: 'Payment Status Changed',
		description: 'A payment request was submitted, paid, refunded, or changed to another status',
		statusField: 'paymentStatuses',
		shape: paymentShape,
	},
	changeOrderStatusChanged: {
		...childEventDefaults('changeOrders'),
		name: 'Change Order Status Changed',
		description: 'A change order was submitted, accepted, declined, or changed to another status',
		statusField: 'statuses',
		shape: { ...changeOrderFields, ...salespersonFields, previousStatus: 'string' },
	},
	contactCreatedOrUpdated: {
		...proposalEventDefaults,
		name: 'Contact Created or Updated',
		description: 'A contact was created or changed',
		lists: [contacts],
		toState: hashContact,
		detectChanges: ({ record, previousVersion }) =>
			previousVersion.state === hashContact(record) ? [] : [{ record }],
		canIncludeProposal: false,
		shape: contactShape,
	},
};

/**
 * Hashes only the fields of the output. Other fields might differ in each response, and every poll would then report
 * the record.
 */
function hashOutput(shape: Shape, record: object): string {
	const output = JSON.stringify(simplifyTo(shape, record));
	return createHash('sha256').update(output).digest('base64url').slice(0, 12);
}

function hashContact(record: object): string {
	return hashOutput(contactShape, record);
}

function hashProposal(record: object): string {
	return hashOutput(changedProposalShape, record);
}

/** Returns whether a proposal was never modified. Portal.io writes both dates when it creates a proposal. */
const isUnmodified = ({ createdDate, lastModifiedDate }: ProposalSummary) =>
	Math.abs((parseTime(lastModifiedDate) ?? 0) - (parseTime(createdDate) ?? 0)) < 1;

function findStatusChange({ record, previousVersion }: Comparison): ChangedRecord[] {
	const previousStatus = previousVersion.state as string | null;
	return isNewStatus(record.status, previousStatus) ? [{ record, previousStatus }] : [];
}

/**
 * Returns whether a status is new. The first status that a poll sees is also new, unless Portal.io creates records with
 * that status.
 */
const isNewStatus = (status: string, previousStatus: string | null): boolean =>
	previousStatus === null ? !INITIAL_STATUSES.includes(status) : status !== previousStatus;

type ProposalChild = ChangeOrder | PaymentRequest;

function childEventDefaults(list: 'changeOrders' | 'paymentRequests') {
	const childrenOf = (record: object): ProposalChild[] => (record as Proposal)[list] ?? [];
	const detectChanges: PollEvent['detectChanges'] = ({ record, previousVersion }) => {
		const { id, number, name, status, customer, dealer } = record as Proposal & ProposalSummary;
		// Keep only these fields, because a poll can find thousands of changes, and full proposals would use up the
		// memory.
		const proposal = { id, number, name, status, customer, dealer };
		const previousStatuses = previousVersion.state as Record<string, string> | null;
		const changes: ChangedRecord[] = [];
		for (const child of childrenOf(record)) {
			const previousStatus = previousStatuses?.[child.id] ?? null;
			if (!isNewStatus(child.status, previousStatus)) continue;
			// If no poll has compared the proposal yet, skip payments and change orders that have no date after the
			// previous version's. Payments never have a date, and can be years old.
			const { lastModifiedDate } = child as ChangeOrder;
			const isDatedLater = (parseTime(lastModifiedDate) ?? 0) > previousVersion.time;
			if (previousStatuses === null && !isDatedLater) continue;
			changes.push({ record: child, previousStatus, proposal });
		}
		return changes;
	};
	const toState: PollEvent['toState'] = (record) => {
		const statuses: Record<string, string> = {};
		for (const { id, status } of childrenOf(record)) statuses[id] = status;
		return statuses;
	};
	return {
		...proposalEventDefaults,
		isDetailed: true,
		initialState: {},
		toState,
		detectChanges,
		canIncludeProposal: false,
		shapeSource: toChildRecord,
		rawOutput: toRawChild,
	};
}

/** Reads the event and its parameters. Throws a NodeOperationError for an unknown status. */
export function readSettings(context: IPollFunctions) {
	const eventName = context.getNodeParameter('event') as string;
	const event = pollEvents[eventName]!;
	const { statusField } = event;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const settings = {
		statusField,
		/** Chosen statuses; an empty list allows any status. */
		statuses: statusField ? readValidStatuses(context, statusField) : [],
		isSimplified: isSimplified(context),
		includesProposal: event.canIncludeProposal && isOn(options.fetchProposal),
	};
	return { eventName, event, settings };
}

export type PollSettings = ReturnType<typeof readSettings>['settings'];
