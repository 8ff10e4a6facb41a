import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { openSession } from '../../client/http/session';
import { addDetails, LATER_DETAILS, learn, recordBaseline, type Poll } from './baseline';
import { pollEvents } from './events';
import { readKnown, updateMemory, type Memory } from './memory';
import { readModified } from './readModified';
import { CONCURRENT_READS, readProposal } from './readProposal';
import { readSample } from './sample';
import type { Candidate, KnownVersion, ListedRecord } from './types';

/** The service's times may be no finer than whole seconds. */
const TIME_STEP_MS = 1000;

/** The memories of polls that are running: n8n starts the next poll although one still runs. */
const running = new WeakSet<Memory>();

/**
 * Looks for changes since the last poll.
 *
 * The first poll records a baseline and reports nothing. Each later one looks at everything that was
 * modified since shortly before the newest modification it knows, by the service's clock, compares it
 * with what it remembers and reports what is new. The memory changes only at the end: after a failure
 * the next poll begins at the same place.
 *
 * @returns null when there is nothing to report, so that n8n starts nothing
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const eventName = context.getNodeParameter('event') as string;
	const event = pollEvents[eventName]!;
	if (context.getMode() === 'manual') {
		return [toItems(await readSample(await openSession(context), event))];
	}
	const memory = context.getWorkflowStaticData('node') as Memory;
	if (running.has(memory)) return null;
	running.add(memory);
	try {
		const session = await openSession(context);
		const source = `${eventName} ${context.getNode().credentials?.portalIoApi?.id ?? ''}`;
		const records = await findChanges({ session, event, source, memory });
		return records.length === 0 ? null : [toItems(records)];
	} finally {
		running.delete(memory);
	}
}

const toItems = (records: IDataObject[]) => records.map((json) => ({ json }));

async function findChanges(poll: Poll): Promise<IDataObject[]> {
	const { session, event, memory, source } = poll;
	// IDs and times of another account or event would be misread.
	if (memory.source !== source || memory.from === undefined) {
		await recordBaseline(poll);
		return [];
	}
	const known = readKnown(memory);
	const listed = await readModified(session, event.lists, memory.from);
	const candidates = selectCandidates(poll, known, listed, memory.from);
	const changes = await mapConcurrent(
		candidates,
		CONCURRENT_READS,
		async (candidate) => await event.detectChange(candidate),
	);
	changes.forEach((change, index) => learn(known, candidates[index]!.record.id, change));
	const pending = await addDetails(poll, known, [...(memory.pending ?? [])], LATER_DETAILS);

	updateMemory(memory, known, listed, event.baseline !== 'recent');
	if (memory.pending !== undefined) memory.pending = pending;
	return changes.flatMap((change) => change?.items ?? []);
}

/** The records that may have changed since the last poll, in the order of their changes. */
function selectCandidates(
	{ session, event, memory }: Poll,
	known: Map<number, KnownVersion>,
	listed: ListedRecord[],
	from: number,
): Candidate[] {
	const selected = listed
		.map((one) => ({ ...one, time: event.timeOf(one), previous: known.get(one.record.id) }))
		.filter(({ time, previous }) => time >= from && time >= (previous?.time ?? 0))
		.sort((one, other) => one.time - other.time || one.record.id - other.record.id);
	const recheck = idsToRecheck(selected, memory.cursor ?? 0);
	const pending = new Set(memory.pending);
	return selected.map(({ record, modifiedAt, previous }) => {
		const { id } = record;
		const isNew = memory.isComplete && !pending.has(id);
		return {
			record,
			modifiedAt,
			previous,
			needsRecheck: recheck.has(id),
			reportedUntil: isNew ? -Infinity : Math.max(from - 1, memory.baseline ?? 0),
			readProposal: async () => await readProposal(session, id),
		};
	});
}

/**
 * The records that may have changed once more after the last poll saw them, without getting a later
 * time: the newest ones of that poll, as the service's times may be whole seconds.
 */
function idsToRecheck(listed: ListedRecord[], cursor: number): Set<number> {
	const newest = listed.filter(({ modifiedAt }) => modifiedAt >= cursor - TIME_STEP_MS);
	return new Set(newest.slice(-LATER_DETAILS).map(({ record }) => record.id));
}
