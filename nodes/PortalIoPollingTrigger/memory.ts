/**
 * What a polling trigger remembers between polls, in the static data of its workflow. A poll reads it
 * when it begins and changes it when it ends (poll.ts).
 */
import { jsonParse, type IPollFunctions } from 'n8n-workflow';
import { isRecord } from '../../client/list';
import type { ListedRecord } from './modifiedRecords';
import type { KnownVersion } from './types';

/** The state after a poll. Its size is limited. */
export interface Memory {
	/** The event and the account that this is about; another one gets a new baseline. */
	source: string;
	/** The newest modification that was read, by the service's clock, in milliseconds. */
	cursor: number;
	/** When a poll last found something new, by n8n's clock; 0 when that needs no second look. */
	unsettledSince: number;
	/** The newest modification when the baseline was recorded. */
	baseline: number;
	/** The next poll looks at modifications from here on. */
	from: number;
	/** Whether every record is known or pending: any other one must be new. */
	isComplete: boolean;
	/** By ID: the time and the state of the last version that was seen. */
	known: Record<string, [time: number, state: KnownVersion['state']]>;
	/** IDs of proposals that belong to the baseline but were not read in full yet. */
	pending: number[];
	/** By ID: in how many polls in a row a proposal could not be read. */
	failures: Record<string, number>;
	/** By ID: the modification of a proposal that was given up because it cannot be read. */
	skipped: Record<string, number>;
}

/** Changes with the shape of `Memory`, or with what a value of it means. */
const FORMAT = 1;

/**
 * The static data of the node. The state is text: n8n wraps every entry of an object in a proxy, which
 * makes thousands of entries slow.
 */
interface StaticData {
	format?: number;
	state?: string;
}

/**
 * The states that n8n has not saved, by workflow and node, with the state that the poll began with. n8n
 * saves static data when a poll starts the workflow; its durable scheduler gives the next poll what is
 * in the database, without what polls have learned that failed or started nothing.
 */
const unsaved = new Map<string, { given: string; state: string }>();

/** The static data that the last polls began with that started a workflow, by workflow and node. */
const started = new Map<string, { given: string; at: number }>();
/** For so long n8n may still be saving what such a poll has changed; polls are a minute apart. */
const SAVING_MS = 30_000;

/** What tells static data of a node from those that were saved since. */
const textOf = (stored: StaticData) => stored.state ?? Object.keys(stored).join();

/** Which node of which workflow polls: what n8n gives a poll may be new objects each time. */
export const nodeKey = (context: IPollFunctions) =>
	`${context.getWorkflow().id} ${context.getNode().id}`;

/**
 * Whether n8n gives a poll what it read before it saved the last one, as its durable scheduler does
 * when it is busy. Everything would be reported a second time.
 */
export function isOutdated(context: IPollFunctions): boolean {
	const last = started.get(nodeKey(context));
	if (last === undefined || Date.now() - last.at >= SAVING_MS) return false;
	return last.given === textOf(context.getWorkflowStaticData('node'));
}

/** The memory of the last poll; undefined when there is none for this source, or none that can be read. */
export function readMemory(context: IPollFunctions, source: string): Memory | undefined {
	const stored: StaticData = context.getWorkflowStaticData('node');
	const key = nodeKey(context);
	const kept = unsaved.get(key);
	// n8n has saved since, or somebody else has changed it.
	if (kept !== undefined && kept.given !== textOf(stored)) unsaved.delete(key);
	const own = unsaved.get(key)?.state ?? (stored.format === FORMAT ? stored.state : undefined);
	if (own === undefined && Object.keys(stored).length === 0) return undefined;
	const memory = parse(own);
	if (memory === undefined) {
		context.logger.warn(
			'Portal.io Polling Trigger: what earlier polls remembered cannot be read. Changes are reported from now on.',
		);
	}
	return memory?.source === source ? memory : undefined;
}

/**
 * Writes the memory.
 *
 * @param startsWorkflow then n8n saves it. If that fails, the next poll finds the same changes where n8n
 * gives it what is in the database.
 */
export function saveMemory(context: IPollFunctions, memory: Memory, startsWorkflow: boolean): void {
	const stored: StaticData = context.getWorkflowStaticData('node');
	const state = JSON.stringify(memory);
	if (stored.state === state && stored.format === FORMAT) return;
	const given = textOf(stored);
	if (startsWorkflow) started.set(nodeKey(context), { given, at: Date.now() });
	else unsaved.set(nodeKey(context), { given, state });
	for (const name of Object.keys(stored)) delete stored[name as keyof StaticData];
	stored.format = FORMAT;
	stored.state = state;
}

function parse(state: unknown): Memory | undefined {
	const memory = jsonParse<unknown>(String(state), { fallbackValue: null });
	return isMemory(memory) ? memory : undefined;
}

function isMemory(value: unknown): value is Memory {
	if (!isRecord(value)) return false;
	const { source, cursor, unsettledSince, baseline, from, isComplete } = value;
	const { known, pending, failures, skipped } = value;
	const numbers = [cursor, unsettledSince, baseline, from, failures, skipped, pending].flatMap(
		(part) => (isRecord(part) ? Object.values(part) : part),
	);
	return (
		typeof source === 'string' &&
		typeof isComplete === 'boolean' &&
		numbers.every((one) => Number.isFinite(one)) &&
		isRecord(known) &&
		Object.values(known).every(isVersion)
	);
}

const isVersion = (value: unknown): boolean =>
	Array.isArray(value) &&
	Number.isFinite(value[0]) &&
	(typeof value[1] === 'string' || isRecord(value[1]));

/**
 * How many records are remembered, the ones modified last: about 200 kB of JSON for 5,000 statuses and
 * 450 kB where each proposal has three payment requests.
 */
export const KNOWN_RECORDS = 5000;
/**
 * How far each poll looks back behind the newest modification. A record that shows up in the list
 * later than its time is found up to this late.
 */
export const OVERLAP_MS = 10 * 60_000;
/** A time further ahead than this is a mistake, and would hide everything before it. */
const AHEAD_MS = 24 * 3600_000;

/** The known versions, by the ID of the record. */
export type Known = Map<number, KnownVersion>;

export const readKnown = ({ known }: Memory): Known =>
	new Map(Object.entries(known).map(([id, [time, state]]) => [Number(id), { time, state }]));

/** The newest modification, apart from times that must be mistakes. */
export function newestTime(listed: ListedRecord[], cursor = 0): number {
	const latest = Date.now() + AHEAD_MS;
	return listed.reduce(
		(newest, { modifiedAt }) => (modifiedAt <= latest ? Math.max(newest, modifiedAt) : newest),
		cursor,
	);
}

/** What a poll has learned. */
export interface Learned {
	/** The event and the account. */
	source: string;
	/** The records that it has listed. */
	listed: ListedRecord[];
	/** Whether these are all that there are: a baseline says so. */
	isWhole?: boolean;
	/** Whether something of them is left to the next poll. */
	isPartial?: boolean;
	/** The versions that are known now. */
	known: Known;
	/** Whether versions stay known that are older than what the next poll looks at. */
	keepsOld: boolean;
	/** The proposals of the baseline that were to be read in full. */
	pending: number[];
	/** Whether one of them was read, was deleted, or is given up. */
	isDone(id: number): boolean;
	/** The proposals that are given up. */
	skipped: ReadonlyMap<number, unknown>;
	failures: Memory['failures'];
	unsettledSince: number;
}

/** The memory after a poll; no other place makes one. */
export function memoryAfter(before: Memory | undefined, learned: Learned): Memory {
	const { source, listed, isWhole = false, isPartial = false, known, keepsOld } = learned;
	const { pending, skipped, failures, unsettledSince } = learned;
	const cursor = newestTime(listed, before?.cursor);
	const seen = Math.max(before?.from ?? 0, cursor - OVERLAP_MS);
	const versions = [...known].sort(([, one], [, other]) => other.time - one.time);
	const [, forgotten] = versions[KNOWN_RECORDS] ?? [];
	const from = Math.max(
		// What is left is found at the same place.
		isPartial ? (before?.from ?? 0) : seen,
		// A forgotten record must not be looked at again, or it would seem new.
		forgotten === undefined ? 0 : forgotten.time + 1,
	);
	return {
		source,
		cursor,
		unsettledSince,
		baseline: before?.baseline ?? cursor,
		from,
		isComplete:
			(before?.isComplete ?? isWhole) &&
			forgotten === undefined &&
			// One that was given up is not new when it can be read later.
			!pending.some((id) => skipped.has(id)),
		known: Object.fromEntries(
			versions
				.slice(0, KNOWN_RECORDS)
				.filter(([, { time }]) => keepsOld || time >= from)
				.map(([id, { time, state }]) => [id, [time, state]]),
		),
		pending: pending.filter((id) => !learned.isDone(id)),
		failures,
		skipped: Object.fromEntries(
			listed
				.filter(
					({ record: { id }, modifiedAt }) => skipped.has(id) || before?.skipped[id] === modifiedAt,
				)
				.map(({ record, modifiedAt }) => [record.id, modifiedAt]),
		),
	};
}

/** Remembers the version of a record that was compared, if it was. */
export function learn(known: Known, id: number, version: KnownVersion | undefined): void {
	if (version !== undefined) known.set(id, { time: version.time, state: version.state });
}

/** Whether a poll with this memory has nothing to learn from a record. */
export const isKnownVersion = (
	{ from, skipped }: Memory,
	known: Known,
	{ record, modifiedAt }: ListedRecord,
	time: number,
): boolean =>
	time < from || (known.get(record.id)?.time ?? -1) >= time || skipped[record.id] === modifiedAt;
