import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import type { ProposalSummary } from '../../client/model';
import { newer, readRecent, timeOf } from './recent';
import { mapConcurrent } from '../../client/concurrency';
import { openSession, type Session } from '../../client/http/session';
import { CONCURRENT_READS, readDetail } from './detail';
import { pollEvents, type Finding, type PollEvent } from './events';
import { KNOWN_RECORDS, knownOf, note, OVERLAP_MS, type Known, type Memory } from './memory';
import { sample, unknown } from './sample';

/** How many proposals the first poll reads in full, where an event needs that. */
const FIRST_DETAILS = 250;
/** How many of the others each later poll reads. */
const LATER_DETAILS = 50;

/** The service's times may be no finer than whole seconds. */
const MOMENT_MS = 1000;

/** Memories that a poll is working with: n8n starts the next one also while one still runs. */
const busy = new WeakSet<object>();

/**
 * Looks for changes since the last poll.
 *
 * The first poll takes stock and says nothing. Each later one looks at everything modified since a
 * little before the newest modification it knows, by the service's own times, and tells what is new
 * by what it remembers. It changes its memory only at the end: when it fails, the next one begins at
 * the same place.
 *
 * @returns null when there is nothing to say, so that n8n starts nothing
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const event = pollEvents[context.getNodeParameter('event') as string] as PollEvent;
	if (context.getMode() === 'manual')
		return [toItems(await sample(await openSession(context), event))];
	const memory = context.getWorkflowStaticData('node') as Memory;
	if (busy.has(memory)) return null;
	busy.add(memory);
	try {
		const session = await openSession(context);
		const items = await lookForChanges(context, session, event, memory);
		return items.length === 0 ? null : [toItems(items)];
	} finally {
		busy.delete(memory);
	}
}

const toItems = (records: IDataObject[]) => records.map((json) => ({ json }));

async function lookForChanges(
	context: IPollFunctions,
	session: Session,
	event: PollEvent,
	memory: Memory,
): Promise<IDataObject[]> {
	// IDs and times of another account, or of another event, would mean something else.
	const account = context.getNode().credentials?.portalIoApi?.id ?? '';
	const source = `${context.getNodeParameter('event') as string} ${account}`;
	if (memory.source !== source || memory.from === undefined) {
		await takeStock(session, event, memory, source);
		return [];
	}
	const { from } = memory;
	const known = knownOf(memory);
	const records = await readAll(session, event, from);
	const changed = records
		.filter((record) => event.timeOf(record) >= from)
		.filter((record) => (known.get(record.id)?.time ?? 0) <= event.timeOf(record))
		.sort((one, other) => event.timeOf(one) - event.timeOf(other) || one.id - other.id);
	const pending = new Set(memory.pending);
	const restless = restlessOf(changed, memory.cursor ?? 0);
	const findings = await mapConcurrent(changed, CONCURRENT_READS, async (record) => {
		const { id } = record;
		const isNew = memory.isComplete && !pending.has(id);
		const horizon = isNew ? -Infinity : Math.max(from - 1, memory.stock ?? 0);
		const detail = async () => await readDetail(session, id);
		const previous = known.get(id);
		return await event.look({ record, previous, isRestless: restless.has(id), horizon, detail });
	});
	findings.forEach((finding, index) => learn(known, changed[index] as ProposalSummary, finding));
	const remaining = await takeMoreStock(session, event, known, [...pending], LATER_DETAILS);

	note(memory, known, records, event.remembers !== 'recent');
	if (memory.pending !== undefined) memory.pending = remaining;
	return findings.flatMap((finding) => finding?.items ?? []);
}

/**
 * The records that may have changed once more within the moment of their last modification, as far
 * as the service's times tell, after they were looked at: those that were the newest of all.
 */
function restlessOf(records: ProposalSummary[], cursor: number): Set<number> {
	const newest = records.filter((one) => timeOf(one.lastModifiedDate) >= cursor - MOMENT_MS);
	return new Set(newest.slice(-LATER_DETAILS).map(({ id }) => id));
}

/** Notes how everything is, so that later polls can tell what has changed. */
async function takeStock(
	session: Session,
	event: PollEvent,
	memory: Memory,
	source: string,
): Promise<void> {
	const isDeep = event.remembers !== 'recent';
	const newest = await readAll(session, event, 0, isDeep ? KNOWN_RECORDS + 1 : 1);
	const stock: Memory = { source };
	note(stock, new Map(), newest, false);
	// Once more and complete: what the next poll looks at again must all be known.
	const recent = await readAll(session, event, Math.max(0, (stock.cursor ?? 0) - OVERLAP_MS));
	const records = new Map([...newest, ...recent].map((record) => [record.id, record]));
	const sorted = [...records.values()].sort(
		(one, other) => timeOf(other.lastModifiedDate) - timeOf(one.lastModifiedDate),
	);
	const known = new Map<number, Known>();
	if (event.remembers === 'details') {
		const ids = sorted.slice(0, KNOWN_RECORDS).map(({ id }) => id);
		stock.pending = await takeMoreStock(session, event, known, ids, FIRST_DETAILS);
	} else {
		for (const record of sorted) {
			learn(known, record, await stateAtStock(event, record));
		}
	}
	stock.isComplete = isDeep && records.size <= KNOWN_RECORDS;
	note(stock, known, sorted, isDeep);
	stock.stock = stock.cursor;
	for (const key of Object.keys(memory) as Array<keyof Memory>) delete memory[key];
	Object.assign(memory, stock);
}

/** How a record is, told without reading it in full. */
async function stateAtStock(event: PollEvent, record: ProposalSummary) {
	const previous = { time: event.timeOf(record), state: record.status ?? '' };
	const detail = async () => undefined;
	return await event.look({ record, previous, isRestless: false, horizon: 0, detail });
}

/**
 * Reads some of the proposals in full that stock is still to be taken of.
 *
 * @returns those that remain
 */
async function takeMoreStock(
	session: Session,
	event: PollEvent,
	known: Map<number, Known>,
	pending: number[],
	count: number,
): Promise<number[]> {
	const open = pending.filter((id) => !known.has(id));
	const proposals = await mapConcurrent(
		open.slice(0, count),
		CONCURRENT_READS,
		async (id) => await readDetail(session, id),
	);
	for (const proposal of proposals) {
		if (proposal === undefined) continue;
		const detail = async () => proposal;
		const look = { ...unknown, record: proposal, horizon: Infinity, detail };
		learn(known, proposal, await event.look(look));
	}
	return open.slice(count);
}

function learn(known: Map<number, Known>, { id }: { id: number }, finding: Finding | undefined) {
	if (finding !== undefined) known.set(id, { time: finding.time, state: finding.state });
}

async function readAll(
	session: Session,
	{ lists }: PollEvent,
	since: number,
	max?: number,
): Promise<ProposalSummary[]> {
	const records = new Map<number, ProposalSummary>();
	for (const list of lists) {
		for (const record of await readRecent<ProposalSummary>(session, list, since, max)) {
			assertDated(session, record);
			// What moved from one list to the other in between is in both.
			records.set(record.id, newer(records.get(record.id), record));
		}
	}
	return [...records.values()];
}

/** Without a time there is nothing to tell old from new by. */
function assertDated(session: Session, { id, lastModifiedDate }: ProposalSummary): void {
	if (timeOf(lastModifiedDate) > 0) return;
	throw new NodeOperationError(
		session.node,
		`Portal.io does not say when the record with the ID ${id} was modified`,
		{ description: 'Without that, changes cannot be told from what was there before.' },
	);
}
