import type { IDataObject } from 'n8n-workflow';
import type { ListedRecord, ModifiedList } from './modifiedRecords';
import type { Proposal } from '../../client/model';
import type { Shape } from '../shared/shape';
import type { StatusField } from '../shared/triggerFields';

/** The status of each child of a proposal, by ID. */
export type ChildStatuses = Record<string, string>;

/** The version of a record that an earlier poll saw. */
export interface KnownVersion {
	time: number;
	/** What a change shows in: the record's status, the statuses of its children, or a hash of it. */
	state: string | ChildStatuses;
}

/** A record that may have changed, and what is known of it. */
export interface Candidate extends ListedRecord {
	/** Undefined when no earlier version is remembered. */
	previous: KnownVersion | undefined;
	/** Whether it may have changed since the previous version without getting a later time. */
	needsRecheck: boolean;
	/** Changes up to this time were reported, or are part of the baseline. */
	reportedUntil: number;
	/** Reads the proposal in full; undefined when it was deleted or is skipped. */
	readProposal(): Promise<Proposal | undefined>;
}

/** A record with a change that the event is about. */
export interface ChangedRecord {
	/** The proposal, contact, payment request or change order, as it was listed. */
	record: { id: number; status?: string };
	/** For events about a status; null when it is not known. */
	previousStatus?: string | null;
	/** The one that the record belongs to, or its full version; null when it was deleted meanwhile. */
	proposal?: Pick<Proposal, 'id' | 'number' | 'name' | 'status' | 'customer' | 'dealer'> | null;
}

/** The version of a record that is there now, and what to report of it. */
export interface Change extends KnownVersion {
	changed: ChangedRecord[];
}

/** An event of the trigger. */
export interface PollEvent {
	lists: ModifiedList[];
	/** What the baseline consists of: recent versions only, all statuses, or all details too. */
	baseline: 'details' | 'recent' | 'statuses';
	/** The time by which a record is new to a poll. */
	timeOf(listed: ListedRecord): number;
	/** Whether records are compared as they are listed where the service does not say when they changed. */
	comparesListed?: boolean;
	/** Compares a record with its known version; undefined when nothing needed comparing. */
	detectChange(candidate: Candidate): Promise<Change | undefined>;
	/** The parameter that limits the event to some statuses, if it has one. */
	statusField?: StatusField;
	/** Whether the full proposal can be fetched with a change. */
	fetchesProposal: boolean;
	/** Whether each change is one of the user that the full proposal names as the last. */
	namesModifier?: boolean;
	/** The simplified output. */
	shape: Shape<ChangedRecord>;
	/** The output without *Simplify*. */
	full(changed: ChangedRecord): IDataObject;
}
