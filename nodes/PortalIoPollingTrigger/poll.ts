import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { openSession } from '../../client/session';
import { addDetails, recordBaseline } from './baseline';
import { selectCandidates } from './candidates';
import { isChosen, readSettings, toItems } from './changes';
import type { Poll } from './context';
import { pollEvents } from './events';
import { learn, readKnown, updateMemory } from './memory';
import { CONCURRENT_READS, ProposalReader } from './proposalReader';
import { readModified } from './readModified';
import { readSample } from './sample';
import type { Memory } from './types';

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
