import { timeOf, type Modified } from './recent';

/** What a polling trigger remembers in the static data of its workflow, always bounded. */
export interface Memory {
	/** Which event of which credential this is about; another one starts afresh. */
	source?: string;
	/** The newest modification that was read, by the service's clock, in milliseconds. */
	cursor?: number;
	/** The newest modification when stock was taken. */
	stock?: number;
	/** Whether every proposal is known or pending: what is neither must be new. */
	isComplete?: boolean;
	/** The next poll looks at modifications from here on. */
	from?: number;
	/** By ID: the time of the version that was looked at last, and its state. */
	known?: Record<string, string>;
	/** IDs of proposals that stock is still to be taken of. */
	pending?: number[];
}

/** A version of a record that was looked at. */
export interface Known {
	time: number;
	/** What its changes are told by: a status, or those of what belongs to it. */
	state: string;
}

/** How many records are remembered, those modified last: some 150 kB at the most. */
export const KNOWN_RECORDS = 5000;
/**
 * How far behind the newest modification each poll looks once more. What the service stamped first
 * and showed later is found up to this late.
 */
export const OVERLAP_MS = 10 * 60_000;
/** A time further ahead than this is a mistake, and would hide all that comes before it. */
const AHEAD_MS = 24 * 3600_000;

/** Reads the known records. They are kept as text, as n8n watches each object in static data. */
export function knownOf(memory: Memory): Map<number, Known> {
	return new Map(
		Object.entries(memory.known ?? {}).map(([id, text]) => {
			const [time = '', ...state] = text.split(' ');
			return [Number(id), { time: parseInt(time, 36), state: state.join(' ') }];
		}),
	);
}

/** Notes what a poll has seen, and forgets what is no longer needed. */
export function note(
	memory: Memory,
	known: Map<number, Known>,
	records: Modified[],
	keepsOld: boolean,
): void {
	const latest = Date.now() + AHEAD_MS;
	const cursor = records
		.map(({ lastModifiedDate }) => timeOf(lastModifiedDate))
		.reduce(
			(newest, time) => (time > newest && time <= latest ? time : newest),
			memory.cursor ?? 0,
		);
	let from = Math.max(memory.from ?? 0, cursor - OVERLAP_MS);
	const entries = [...known].sort(([, one], [, other]) => other.time - one.time);
	// What is forgotten must not be looked at again, or it would seem new.
	const [, forgotten] = entries[KNOWN_RECORDS] ?? [];
	if (forgotten !== undefined) {
		from = Math.max(from, forgotten.time + 1);
		memory.isComplete = false;
	}
	memory.cursor = cursor;
	memory.from = from;
	memory.known = Object.fromEntries(
		entries
			.slice(0, KNOWN_RECORDS)
			.filter(([, { time }]) => keepsOld || time >= from)
			.map(([id, { time, state }]) => [id, `${time.toString(36)} ${state}`]),
	);
}
