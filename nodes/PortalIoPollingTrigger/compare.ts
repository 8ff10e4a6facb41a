/** Compares records with their last versions, which the first poll records as a baseline. */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { httpStatusOf, PortalError } from '../../client/errors';
import type { ProposalSummary } from '../../client/proposal';
import type { Session } from '../../client/session';
import { parseTime } from '../../client/time';
import { isChosenStatus } from '../shared/statuses';
import type { PollEvent, PollSettings } from './events';
import { toItem, type ItemSource } from './item';
import { listModified, OVERLAP_MS, type ListedRecord, type Listing, type PollTime } from './list';
import type { PollMemory, Version } from './memory';
import { ProposalReader, TooSlowError } from './proposalReader';

export interface Poll {
	session: Session;
	event: PollEvent;
	settings: PollSettings;
	time: PollTime;
	/** True for the first poll after a start of n8n. */
	isFirstOfProcess: boolean;
	logger: IPollFunctions['logger'];
}

export interface PollResult {
	memory: PollMemory;
	items: INodeExecutionData[];
	/** The reason that something is left to the next poll. */
	problem?: Error;
}

/** A record to compare with its last version; only its ID if no list has returned it. */
interface Candidate extends Partial<ListedRecord> {
	id: number;
}

/** Events that compare full proposals read this many of those that no list returned: in the first poll of a process, and in later ones. */
const FIRST_UNLISTED_READS = 250;
const LATER_UNLISTED_READS = 50;
export const CONCURRENT_READS = 4;
/** Dates may be whole seconds: a record that changes again in the second in which it is read keeps its date. */
const DATE_STEP_MS = 1000;
/** A proposal is skipped after this many failed polls in a row: otherwise every later poll would fail. */
const MAX_FAILED_POLLS = 3;

/**
 * Records the current versions, so that later polls can detect changes. Later polls compare proposals
 * that have to be read in full and are not read yet.
 */
export async function recordBaseline(poll: Poll, source: string): Promise<PollResult> {
	const { session, event, time: limits } = poll;
	const listing = await listModified(session, event, limits);
	const versions: PollMemory['versions'] = new Map();
	for (const { record, time } of listing.records.toReversed()) {
		versions.set(record.id, { time, state: event.isDetailed ? null : event.stateOf(record) });
	}
	const recheck = new Set(event.isDetailed ? versions.keys() : []);
	const { newest } = listing;
	const memory = { source, from: 0, newest, versions, recheck, failures: new Map() };
	const candidates = [...recheck].slice(0, FIRST_UNLISTED_READS).map((id) => ({ id }));
	await compareCandidates(poll, memory, listing, candidates);
	return { memory, items: [] };
}

/**
 * Compares the records listed since the time in the memory, and those to compare again, with their
 * last versions. The next poll compares records again that could not be read.
 */
export async function findChanges(poll: Poll, memory: PollMemory): Promise<PollResult> {
	const { session, event, time: limits } = poll;
	const { versions, recheck, from } = memory;
	const listing = await listModified(session, event, limits, from);
	// When Portal.io starts or stops dating contacts, all of them would look changed. An empty list shows neither.
	const isEmpty = versions.size === 0 || listing.records.length === 0;
	if (!isEmpty && listing.isUndated !== (memory.newest === 0)) {
		return await recordBaseline(poll, memory.source);
	}
	const candidates: Candidate[] = [];
	const unlistedIds = new Set(recheck);
	for (const { record, time } of listing.records) {
		const { id } = record;
		if (time < from) continue;
		unlistedIds.delete(id);
		const previous = versions.get(id) ?? firstVersion(event, record, from);
		if (time < previous.time && previous.time <= listing.now) {
			// A machine of Portal.io that lags behind would make the next poll report the change again. If the
			// clock went back instead, the next poll lists the same version.
			versions.set(id, { ...previous, time });
			recheck.add(id);
			continue;
		}
		// Without the comparison of states, a second change within the same second would be lost.
		const isDue =
			time !== previous.time ||
			recheck.has(id) ||
			(!event.isDetailed && event.stateOf(record) !== previous.state);
		if (!isDue) continue;
		versions.set(id, previous);
		recheck.add(id);
		candidates.push({ id, record, time });
	}
	// n8n saves the memory of the first poll after its start, and that of a later one only with an event: a
	// restart would lose the rest of what was read.
	const maxReads = poll.isFirstOfProcess ? FIRST_UNLISTED_READS : LATER_UNLISTED_READS;
	for (const id of [...unlistedIds].slice(0, maxReads)) candidates.push({ id });
	return await compareCandidates(poll, memory, listing, candidates);
}

/** Returns the version to compare an unknown record with: all of it is new if it was created since `from`. */
function firstVersion(event: PollEvent, { createdDate }: ProposalSummary, from: number): Version {
	const isCreatedSince = (parseTime(createdDate) ?? 0) >= from;
	return { time: from - 1, state: isCreatedSince ? event.initialState : null };
}

/**
 * Compares the candidates, remembers their versions and which of them to compare again, and drops
 * versions that later polls do not list.
 */
async function compareCandidates(
	poll: Poll,
	memory: PollMemory,
	listing: Listing,
	candidates: Candidate[],
): Promise<PollResult> {
	// At least two polls list each modification, because a list may change while it is read.
	const previousNewest = Math.min(memory.newest, listing.now);
	memory.from = Math.max(memory.from, previousNewest - OVERLAP_MS);
	memory.newest = Math.max(memory.newest, listing.newest);
	const { versions, recheck, failures } = memory;
	const reader = new ProposalReader(poll.session);
	const source = { event: poll.event, settings: poll.settings, reader };
	const results = await mapConcurrent(candidates, CONCURRENT_READS, async (candidate) =>
		compareCandidate(source, memory, candidate, listing.now).catch((error: Error) => error),
	);

	const items: INodeExecutionData[] = [];
	const errors: Error[] = [];
	for (const [index, { id, time }] of candidates.entries()) {
		const result = results[index]!;
		const failure = reader.errors.get(id);
		const failedPolls = (failures.get(id) ?? 0) + 1;
		// Only failures with a response count: otherwise an outage would skip proposals and lose their changes.
		const hasResponse = failure instanceof PortalError && failure.facts?.code === undefined;
		const isSkipped =
			failure &&
			(httpStatusOf(failure) === '403' || (hasResponse && failedPolls >= MAX_FAILED_POLLS));
		if (result instanceof Error || (failure && !isSkipped)) {
			errors.push(failure ?? (result as Error));
			if (hasResponse) failures.set(id, failedPolls);
			// Later polls list the record until it was compared.
			if (time !== undefined) memory.from = Math.min(memory.from, time);
			continue;
		}
		if (failure) {
			const { message } = failure;
			poll.logger.warn(`Portal.io Polling Trigger: proposal ${id} could not be read: ${message}`);
		}
		items.push(...result.items);
		versions.set(id, result.version);
		if (!result.isDueAgain) recheck.delete(id);
		failures.delete(id);
	}
	dropOldVersions(poll.event, memory, listing);
	const slowError = errors.length === candidates.length ? errors[0] : undefined;
	const readError = errors.find((error) => !(error instanceof TooSlowError));
	return { memory, items, problem: reader.failure ?? readError ?? slowError };
}

/** Compares a record with its last version; throws if the next poll has to compare it. */
async function compareCandidate(
	source: ItemSource,
	{ versions, newest }: PollMemory,
	{ id, ...listed }: Candidate,
	now: number,
): Promise<{ items: INodeExecutionData[]; version: Version; isDueAgain: boolean }> {
	const { event, settings, reader } = source;
	const previous = versions.get(id)!;
	const listedAt = listed.time ?? previous.time;
	const record = event.isDetailed ? await reader.read(id) : listed.record;
	const items: INodeExecutionData[] = [];
	// A proposal that was deleted or is skipped keeps its state until it is modified again.
	if (!record) return { items, version: { ...previous, time: listedAt }, isDueAgain: false };
	for (const change of event.changesOf({ record, previous })) {
		if (!isChosenStatus(change.record.status, settings.statuses, settings.statusField)) continue;
		if (settings.ignoresOwnChanges && (await reader.isOwnChange(id))) continue;
		items.push(await toItem(source, change));
	}
	const modifiedAt = event.isDetailed ? parseTime(record.lastModifiedDate) : undefined;
	const time = modifiedAt ?? listedAt;
	const isNewVersion = previous.state === null || time !== previous.time;
	// A clock may be wrong: the second of a new version has ended only if a list shows a later date.
	const reached = isNewVersion ? Math.min(newest, now) : now;
	const isDueAgain = event.isDetailed && time >= reached - DATE_STEP_MS;
	return { items, version: { time, state: event.stateOf(record) }, isDueAgain };
}

function dropOldVersions(
	{ keepsOldVersions }: PollEvent,
	{ versions, recheck, from }: PollMemory,
	{ records, isUndated }: Listing,
): void {
	const listedIds = new Set(records.map(({ record }) => record.id));
	for (const [id, { time }] of versions) {
		// A list without dates is always whole, so that a record missing from it was deleted.
		const isOld = isUndated ? !listedIds.has(id) : !keepsOldVersions && time < from;
		if (isOld && !recheck.has(id)) versions.delete(id);
	}
}
