import type { INodeExecutionData } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { TooSlowError, type ListedRecord } from './modifiedRecords';
import type { Proposal } from '../../client/model';
import { readPending, recordBaseline } from './baseline';
import { selectCandidates, TIME_STEP_MS } from './candidates';
import { isChosen, toItems } from './items';
import { isUndated, readListed } from './listing';
import { isKnownVersion, learn, memoryAfter, readKnown, type Known, type Memory } from './memory';
import { readOwnUser } from './ownUser';
import { CONCURRENT_READS } from './proposalReader';
import type { Outcome, Poll } from './steps';
import type { Candidate, Change } from './types';

/** How many proposals that the baseline left out each poll reads in full. */
const LATER_DETAILS = 50;

/**
 * Looks at everything that was modified since shortly before the newest modification that is known, by
 * the service's clock, compares it with what is remembered and reports what is new and chosen. What is
 * not chosen is remembered too. What could not be read, for whatever reason, is left to the next poll,
 * which begins at the same place.
 */
export async function findChanges(poll: Poll, memory: Memory): Promise<Outcome> {
	const { session, event, source, reader, time } = poll;
	const known = readKnown(memory);
	const listed = await readListed(session, event, {
		since: memory.from,
		isOver: time.isOver,
		isKnown: (one) => isKnownVersion(memory, known, one, event.timeOf(one)),
	});
	if (event.comparesListed && hasOtherTimes(memory, listed)) return await recordBaseline(poll);
	const candidates = selectCandidates(poll, memory, known, listed);
	let ownUser: ReturnType<typeof readOwnUser> | undefined;
	const isOwn = async (proposal: Proposal) => (await (ownUser ??= readOwnUser(session)))(proposal);
	const examined = await mapConcurrent(candidates, CONCURRENT_READS, async (candidate) =>
		examine(poll, candidate, isOwn).catch((error: Error) => ({ error })),
	);
	await readPending(poll, known, memory.pending, LATER_DETAILS);
	const failures = reader.finish();

	const items: INodeExecutionData[] = [];
	const errors: Error[] = [];
	const left = candidates.filter((candidate, index) => {
		const one = examined[index]!;
		const { id } = candidate.record;
		if ('error' in one) errors.push(one.error);
		if ('error' in one || reader.failed.has(id)) return true;
		items.push(...one.items);
		learn(known, id, one.change);
		return false;
	});
	const problem =
		reader.outage ??
		errors.find((error) => !(error instanceof TooSlowError)) ??
		[...reader.failed.values()][0] ??
		// There is progress otherwise.
		(left.length === candidates.length ? errors[0] : undefined);

	if (isUndated(listed)) forgetOthers(known, listed);
	const next = memoryAfter(memory, {
		source,
		listed,
		isPartial: left.length > 0,
		known,
		keepsOld: event.baseline !== 'recent',
		pending: memory.pending,
		isDone: (id) => reader.isDone(id),
		skipped: reader.skipped,
		failures,
		unsettledSince: unsettledSince(poll, memory, candidates, left),
	});
	return { memory: next, items, problem };
}

/** Compares a record with what is known, and makes the items of what is new and chosen. */
async function examine(
	{ event, settings, reader }: Poll,
	candidate: Candidate,
	isOwn: (proposal: Proposal) => Promise<boolean>,
): Promise<{ change: Change | undefined; items: INodeExecutionData[] }> {
	const change = await event.detectChange(candidate);
	// What it shows in could not be read.
	if (reader.skipped.has(candidate.record.id)) return { change: undefined, items: [] };
	const chosen = (change?.changed ?? []).filter((one) => isChosen(one, settings));
	if (chosen.length > 0 && settings.ignoresOwnChanges) {
		const proposal = await candidate.readProposal();
		if (proposal !== undefined && (await isOwn(proposal))) return { change, items: [] };
	}
	return { change, items: await toItems(reader, event, settings, chosen) };
}

/** Since when something is known whose time may be shown by one more change. */
function unsettledSince(
	{ event, time }: Poll,
	memory: Memory,
	candidates: Candidate[],
	left: Candidate[],
): number {
	// Elsewhere a list shows every change.
	if (event.baseline !== 'details') return 0;
	const isNews = (one: Candidate) =>
		one.previous === undefined || one.previous.time < event.timeOf(one);
	if (candidates.some(isNews)) return time.start;
	const isOld = time.start - memory.unsettledSince > 2 * TIME_STEP_MS;
	return isOld && left.length === 0 ? 0 : memory.unsettledSince;
}

/** Whether the service has begun or ceased to say when records were modified. */
function hasOtherTimes(memory: Memory, listed: ListedRecord[]): boolean {
	const times = Object.values(memory.known).map(([time]) => time);
	return listed.length > 0 && times.length > 0 && isUndated(listed) !== times.includes(0);
}

/** Records that can only be compared are all listed; what is not was deleted. */
function forgetOthers(known: Known, listed: ListedRecord[]): void {
	const ids = new Set(listed.map(({ record }) => record.id));
	for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
}
