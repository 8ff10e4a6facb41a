/** Compares records with their previous versions. The first poll only records the current versions as a baseline. */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { isNotFound, PortalError } from '../../client/errors';
import type { ProposalSummary } from '../../client/proposal';
import type { Session } from '../../client/session';
import { parseTime } from '../../client/time';
import { isChosenStatus } from '../shared/statuses';
import type { PollEvent, PollSettings } from './pollEvents';
import { createItem } from './createItem';
import {
	listModified,
	OVERLAP_MS,
	type ListedRecord,
	type Listing,
	type PollLimits,
} from './listModified';
import type { PollMemory, Version } from './pollMemory';
import { isHidden, TooSlowError, tryToReadProposal } from './proposalReader';

export interface PollSetup {
	session: Session;
	event: PollEvent;
	settings: PollSettings;
	time: PollLimits;
	logger: IPollFunctions['logger'];
}

export interface PollResult {
	memory: PollMemory;
	items: INodeExecutionData[];
	/** Reason why some records are left for the next poll; undefined if no records are left. */
	problem?: Error;
}

/** A record to compare with its previous version. If no list has returned the record, only its ID is known. */
interface DueRecord extends Partial<ListedRecord> {
	id: number;
	/** True if the record was already pending, so a failure to read it is only logged. */
	wasPending: boolean;
}

/** Maximum number of full proposals in memory at the same time. */
export const CONCURRENT_READS = 4;
/**
 * Time limit for reading proposals that no list returned. It is short, because a user might be waiting for the first
 * poll.
 */
const READ_PENDING_MS = 20_000;
/** Precision of Portal.io's dates. If a record changes twice within this time, both changes can have the same date. */
const DATE_STEP_MS = 1000;

/**
 * Records the current versions, so later polls can detect changes. If the event compares full proposals, the proposals
 * stay pending until a poll has time to read them.
 */
export async function recordBaseline(poll: PollSetup, source: string): Promise<PollResult> {
	const { session, event, time: limits } = poll;
	const listing = await listModified(session, event, limits);
	const seen: PollMemory['seen'] = new Map();
	for (const { record, time } of listing.records.toReversed()) {
		seen.set(record.id, { time, state: event.isDetailed ? null : event.toState(record) });
	}
	const pending = new Set(event.isDetailed ? seen.keys() : []);
	const memory = { source, since: 0, newest: listing.newest, seen, pending };
	const unlisted = Array.from(pending, (id) => ({ id, wasPending: true }));
	await compareRecords(poll, memory, listing, unlisted);
	return { memory, items: [] };
}

/** Finds changes in pending records, and in those that were modified since `memory.since`. */
export async function findChanges(poll: PollSetup, memory: PollMemory): Promise<PollResult> {
	const { session, event, time: limits } = poll;
	const { seen, pending, since } = memory;
	const listing = await listModified(session, event, limits, since);
	const dueRecords: DueRecord[] = [];
	const unlistedIds = new Set(pending);
	for (const { record, time } of listing.records) {
		const { id } = record;
		if (time < since) continue;
		const previous = seen.get(id) ?? createUnseenVersion(event, record, since);
		const wasPending = unlistedIds.delete(id);
		const isDue =
			wasPending ||
			time !== previous.time ||
			// Dates can be whole seconds, so also compare states.
			(!event.isDetailed && event.toState(record) !== previous.state);
		if (!isDue) continue;
		seen.set(id, previous);
		pending.add(id);
		dueRecords.push({ id, record, time, wasPending });
	}
	for (const id of unlistedIds) {
		if (event.isDetailed) dueRecords.push({ id, wasPending: true });
		// Forget a deleted record, which no list returns.
		else pending.delete(id);
	}
	return await compareRecords(poll, memory, listing, dueRecords);
}

/**
 * Returns the previous version of a record that no poll has seen. Its state is the event's initial state if the record
 * was created since the last poll, and unknown (null) otherwise.
 */
function createUnseenVersion(
	event: PollEvent,
	{ createdDate }: ProposalSummary,
	since: number,
): Version {
	const isNew = (parseTime(createdDate) ?? 0) >= since;
	return { time: since - 1, state: isNew ? event.initialState : null };
}

/**
 * Compares records, listed ones first, until time runs out. Remembers their versions, and drops versions
 * that later polls do not need.
 */
async function compareRecords(
	poll: PollSetup,
	memory: PollMemory,
	listing: Listing,
	dueRecords: DueRecord[],
): Promise<PollResult> {
	const { event, logger } = poll;
	// Let the next poll start at the previous newest time, so at least two polls list each modification. A single poll
	// might miss one, because a list can change while it is read.
	const previousNewest = Math.min(memory.newest, listing.now);
	memory.since = Math.max(memory.since, previousNewest - OVERLAP_MS);
	memory.newest = Math.max(memory.newest, listing.newest);

	const readPendingUntil = Date.now() + READ_PENDING_MS;
	const results: INodeExecutionData[][] = [];
	const problems: PortalError[] = [];
	const repeatedProblems: PortalError[] = [];
	await mapConcurrent(dueRecords, CONCURRENT_READS, async (due, index) => {
		if (due.record === undefined && Date.now() >= readPendingUntil) return;
		const result = await compareRecord(poll, memory, due, listing.now);
		results[index] = result instanceof PortalError ? [] : result;
		if (!(result instanceof PortalError)) return;
		const what = `Proposal ${due.id} could not be read: ${result.message}`;
		(due.wasPending ? repeatedProblems : problems).push(result.with({ what }));
	}).catch((error: PortalError) => {
		if (!(error instanceof TooSlowError) || results.length === 0) problems.unshift(error);
	});
	// Only log these problems, because a proposal that can never be read must not make every poll fail.
	if (repeatedProblems.length > 0) {
		const [{ message }] = repeatedProblems as [PortalError];
		const others =
			repeatedProblems.length === 1 ? '' : ` (and ${repeatedProblems.length - 1} others)`;
		logger.warn(`Portal.io Polling Trigger: the next poll will try again: ${message}${others}`);
	}
	for (const [index, { time }] of dueRecords.entries()) {
		// Make the next poll list the records that were not compared, so it reports changes in the order in which they
		// happened.
		if (results[index] === undefined && time !== undefined) {
			memory.since = Math.min(memory.since, time);
		}
	}
	dropOldVersions(event, memory);
	return { memory, items: results.flat(), problem: problems[0] };
}

/**
 * Returns the output items for a record's changes since its previous version. If the record cannot be read, returns the
 * failure, and keeps the record pending. Returns no items for a record that was deleted or is not accessible.
 */
async function compareRecord(
	poll: PollSetup,
	{ seen, pending }: PollMemory,
	due: DueRecord,
	now: number,
): Promise<INodeExecutionData[] | PortalError> {
	const { session, event, settings } = poll;
	const { id } = due;
	const previous = seen.get(id)!;
	const listedTime = due.time ?? previous.time;
	const record = event.isDetailed ? await tryToReadProposal(session, id) : due.record!;
	if (record instanceof PortalError) {
		// Move the proposal to the end, because unreadable proposals must not use up the time of each poll.
		pending.delete(id);
		if (!isHidden(record)) {
			pending.add(id);
			return record;
		}
		// Remember the new time, so the proposal is skipped until it is modified again.
		seen.set(id, { ...previous, time: listedTime });
		const isGone: boolean = isNotFound(record);
		// Retry a listed record, because a server that lags behind might not have it yet.
		if (isGone && due.record !== undefined) pending.add(id);
		if (!isGone) {
			poll.logger.warn(
				`Portal.io Polling Trigger: proposal ${id} is skipped until its next change: ${record.message}`,
			);
		}
		return [];
	}
	const time = event.isDetailed ? (parseTime(record.lastModifiedDate) ?? listedTime) : listedTime;
	if (time < previous.time && previous.time <= now) {
		// Ignore an earlier version from a server that lags behind. Otherwise, this version and the return to the later
		// one would both be reported as changes. If the clock was set back instead, the next poll finds the same
		// version again, and compares it.
		seen.set(id, { ...previous, time });
		return [];
	}
	const items: INodeExecutionData[] = [];
	for (const change of event.detectChanges({ record, previousVersion: previous })) {
		if (!isChosenStatus(change.record.status, settings.statuses, settings.statusField)) continue;
		items.push(await createItem(session, event, settings, change));
	}
	seen.set(id, { time, state: event.toState(record) });
	if (!event.isDetailed || time < now - DATE_STEP_MS) pending.delete(id);
	return items;
}

/**
 * Forgets versions of records that later polls will not list. Keeps all versions if the event is about a status,
 * because later polls need the previous status of every record.
 */
function dropOldVersions({ statusField }: PollEvent, { seen, pending, since }: PollMemory): void {
	if (statusField !== undefined) return;
	for (const [id, { time }] of seen) {
		if (time < since && !pending.has(id)) seen.delete(id);
	}
}
