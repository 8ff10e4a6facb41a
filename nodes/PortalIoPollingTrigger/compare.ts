/** Compares records with their previous versions. The first poll records them as a baseline. */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { apiStatusOf, httpStatusOf, PortalError } from '../../client/errors';
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
	/** True for the first poll after n8n has started. */
	isFirstOfProcess: boolean;
	logger: IPollFunctions['logger'];
}

export interface PollResult {
	memory: PollMemory;
	items: INodeExecutionData[];
	/** The reason if something is left to the next poll. */
	problem?: Error;
}

/** A record to compare with its previous version; only its ID if no list has returned it. */
interface Candidate extends Partial<ListedRecord> {
	id: number;
}

/** A poll reads at most this many proposals that no list returned: the first poll of a process, and later polls. */
const FIRST_UNLISTED_READS = 250;
const LATER_UNLISTED_READS = 50;
export const CONCURRENT_READS = 4;
/** Dates may be whole seconds, so a record that changes again in the second of its reading keeps its date. */
const DATE_STEP_MS = 1000;
/** A proposal is skipped after this many failed polls in a row, so later polls do not fail, too. */
const MAX_FAILED_POLLS = 3;

/**
 * Records the current versions, so later polls can detect changes. If an event compares full proposals, it
 * reads only some of them, and later polls read the rest.
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
 * Compares the records that were modified since the time in the memory, and records that are due again, with
 * their previous versions. Records that could not be read are compared by the next poll.
 */
export async function findChanges(poll: Poll, memory: PollMemory): Promise<PollResult> {
	const { session, event, time: limits } = poll;
	const { versions, recheck, from } = memory;
	const listing = await listModified(session, event, limits, from);
	// All contacts would look changed after Portal.io starts or stops dating them. An empty list shows neither.
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
		const previousVersion = versions.get(id) ?? versionBefore(event, record, from);
		if (time < previousVersion.time && previousVersion.time <= listing.now) {
			// A Portal.io server that lags behind lists an older version, which the next poll would report again
			// as a change. If the clock was set back instead, the next poll lists the same version.
			versions.set(id, { ...previousVersion, time });
			recheck.add(id);
			continue;
		}
		// Only the states show a second change within the same second.
		const isDue =
			time !== previousVersion.time ||
			recheck.has(id) ||
			(!event.isDetailed && event.stateOf(record) !== previousVersion.state);
		if (!isDue) continue;
		versions.set(id, previousVersion);
		recheck.add(id);
		candidates.push({ id, record, time });
	}
	// n8n saves the memory of its first poll after a start, and of a later poll only if it reports an event. A
	// restart would lose what the other polls have read.
	const maxReads = poll.isFirstOfProcess ? FIRST_UNLISTED_READS : LATER_UNLISTED_READS;
	for (const id of [...unlistedIds].slice(0, maxReads)) candidates.push({ id });
	return await compareCandidates(poll, memory, listing, candidates);
}

/** Returns the previous version of a record that no poll has seen: all of it is new if created since `from`. */
function versionBefore(event: PollEvent, { createdDate }: ProposalSummary, from: number): Version {
	const isCreatedSince = (parseTime(createdDate) ?? 0) >= from;
	return { time: from - 1, state: isCreatedSince ? event.initialState : null };
}

/**
 * Compares the candidates, remembers their versions and which of them are due again, and drops versions
 * that later polls do not need.
 */
async function compareCandidates(
	poll: Poll,
	memory: PollMemory,
	listing: Listing,
	candidates: Candidate[],
): Promise<PollResult> {
	// A list may change while it is read, so at least two polls list each modification.
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
		const isOfProposal = failure !== undefined && mayConcernProposal(failure);
		const isSkipped =
			isOfProposal && (apiStatusOf(failure) === '403' || failedPolls >= MAX_FAILED_POLLS);
		if (result instanceof Error || (failure && !isSkipped)) {
			errors.push(failure ?? (result as Error));
			if (isOfProposal) failures.set(id, failedPolls);
			// Later polls list the record until a poll has compared it.
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

/**
 * Returns false if there was no response, or if a proxy or firewall rejected the request. Such an outage would
 * otherwise skip proposals and lose their changes.
 */
function mayConcernProposal(failure: Error): boolean {
	if (!(failure instanceof PortalError) || failure.facts?.code !== undefined) return false;
	return apiStatusOf(failure) !== '' || !httpStatusOf(failure).startsWith('4');
}

/** Compares a record with its previous version; throws if the next poll has to compare it. */
async function compareCandidate(
	source: ItemSource,
	{ versions, newest }: PollMemory,
	candidate: Candidate,
	now: number,
): Promise<{ items: INodeExecutionData[]; version: Version; isDueAgain: boolean }> {
	const { event, settings, reader } = source;
	const { id } = candidate;
	const previousVersion = versions.get(id)!;
	const listedTime = candidate.time ?? previousVersion.time;
	const record = event.isDetailed ? await reader.read(id) : candidate.record;
	const items: INodeExecutionData[] = [];
	// A proposal that was deleted or is skipped keeps its state until it is modified again.
	if (!record) {
		return { items, version: { ...previousVersion, time: listedTime }, isDueAgain: false };
	}
	for (const change of event.changesOf({ record, previousVersion })) {
		if (!isChosenStatus(change.record.status, settings.statuses, settings.statusField)) continue;
		if (settings.ignoresOwnChanges && (await reader.isOwnChange(id))) continue;
		items.push(await toItem(source, change));
	}
	const modifiedTime = event.isDetailed ? parseTime(record.lastModifiedDate) : undefined;
	const time = modifiedTime ?? listedTime;
	const isNewVersion = previousVersion.state === null || time !== previousVersion.time;
	// The clock may be wrong. The second of a new version has ended only if a list shows a later date.
	const currentTime = isNewVersion ? Math.min(newest, now) : now;
	const isDueAgain = event.isDetailed && time >= currentTime - DATE_STEP_MS;
	return { items, version: { time, state: event.stateOf(record) }, isDueAgain };
}

function dropOldVersions(
	{ keepsOldVersions }: PollEvent,
	{ versions, recheck, from }: PollMemory,
	{ records, isUndated }: Listing,
): void {
	const listedIds = new Set(records.map(({ record }) => record.id));
	for (const [id, { time }] of versions) {
		// A list without dates is always complete, so a record missing from it was deleted.
		const isOld = isUndated ? !listedIds.has(id) : !keepsOldVersions && time < from;
		if (isOld && !recheck.has(id)) versions.delete(id);
	}
}
