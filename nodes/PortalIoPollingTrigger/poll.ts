import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { openSession, type Session } from '../../client/session';
import {
	addDetails,
	recordBaseline,
	selectCandidates,
	type Poll,
	learn,
	readKnown,
	updateMemory,
	newCandidate,
} from './memory';
import { isChosen, readSettings, toItems, type Settings } from './items';
import { pollEvents } from './events';
import { CONCURRENT_READS, ProposalReader } from './proposalReader';
import { readModified } from '../../client/modifiedRecords';
import type { Memory, ChangedRecord, PollEvent } from './types';
import { readPage } from '../../client/pagination';
import type { ProposalSummary } from '../../client/model';

/** How many proposals that the baseline left out each poll reads in full. */
const LATER_DETAILS = 50;

/** The memories of polls that are running: n8n starts the next poll although one still runs. */
const running = new WeakSet<Memory>();

/**
 * Looks for changes since the last poll.
 *
 * The first poll records a baseline and reports nothing. Each later one looks at everything that was
 * modified since shortly before the newest modification it knows, by the service's clock, compares it
 * with what it remembers and reports what is new and chosen. It remembers what is not chosen too. The
 * memory changes only at the end: after a failure the next poll begins at the same place.
 *
 * @returns null when there is nothing to report, so that n8n starts nothing
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const eventName = context.getNodeParameter('event') as string;
	const event = pollEvents[eventName]!;
	const settings = readSettings(context, event);
	if (context.getMode() === 'manual') {
		const session = await openSession(context);
		const reader = new ProposalReader(session, {});
		const sample = await readSample(session, reader, event, settings);
		return [await toItems(reader, event, settings, [sample])];
	}
	const memory = context.getWorkflowStaticData('node') as Memory;
	if (running.has(memory)) return null;
	running.add(memory);
	try {
		const session = await openSession(context);
		const source = `${eventName} ${context.getNode().credentials?.portalIoApi?.id ?? ''}`;
		const reader = new ProposalReader(session, memory);
		const { logger } = context;
		const items = await findChanges({ session, event, settings, source, memory, reader, logger });
		return items.length === 0 ? null : [items];
	} finally {
		running.delete(memory);
	}
}

async function findChanges(poll: Poll): Promise<INodeExecutionData[]> {
	const { session, event, settings, memory, source, reader } = poll;
	// IDs and times of another account or event would be misread.
	if (memory.source !== source || memory.from === undefined) {
		await recordBaseline(poll);
		return [];
	}
	const known = readKnown(memory);
	const listed = await readModified(session, event.lists, memory.from);
	const candidates = selectCandidates(poll, known, listed, memory.from);
	const changes = await mapConcurrent(candidates, CONCURRENT_READS, async (candidate) => {
		const change = await event.detectChange(candidate);
		return reader.skipped.has(candidate.record.id) ? undefined : change;
	});
	changes.forEach((change, index) => learn(known, candidates[index]!.record.id, change));
	const pending = await addDetails(poll, known, memory.pending ?? [], LATER_DETAILS);
	const changed = changes.flatMap((change) => change?.changed ?? []);
	const chosen = changed.filter((one) => isChosen(one, settings));
	const items = await toItems(reader, event, settings, chosen);
	reader.finish(poll.logger, listed);

	updateMemory(memory, known, listed, event.baseline !== 'recent');
	if (memory.pending?.some((id) => reader.skipped.has(id))) memory.isComplete = false;
	if (memory.pending !== undefined) memory.pending = pending;
	return items;
}

/** How many of the newest records are searched for one that the event can occur on. */
const NEWEST = 20;

/**
 * Returns the newest record as if it had just changed, for a test run in the editor: one with a
 * chosen status if there is one.
 */
async function readSample(
	session: Session,
	reader: ProposalReader,
	event: PollEvent,
	settings: Settings,
): Promise<ChangedRecord> {
	const [list] = event.lists;
	const { records } = await readPage<ProposalSummary>(session, list!, 1, NEWEST);
	let other: ChangedRecord | undefined;
	for (const record of records) {
		const read = async () => await reader.read(record.id);
		const { changed = [] } = (await event.detectChange(newCandidate(record, read))) ?? {};
		const sample = changed.find((one) => isChosen(one, settings));
		if (sample !== undefined) return sample;
		other ??= changed[0];
	}
	if (other !== undefined) return other;
	const [unreadable] = reader.skipped.values();
	if (unreadable !== undefined) throw unreadable;
	throw new NodeOperationError(session.node, 'There is nothing yet to show as a sample', {
		description:
			'A test run shows the newest record of the chosen event, and there is none. Once the workflow is published, it starts when there is one.',
	});
}
