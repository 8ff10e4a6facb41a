import { sleep } from 'n8n-workflow';

/**
 * Each delivery once: what the retries and duplicates of a delivery are told from the first by.
 *
 * Two memories work together. The static data of the workflow outlasts a restart and is shared by
 * all processes of n8n, but n8n writes it as a whole and only after a delivery was taken: two at the
 * same instant do not see each other there, and the later write undoes the earlier. So each process
 * also keeps its claims, which two deliveries at once do see, and adds to the static data what
 * another write undid.
 */

/** How long a delivery is remembered: its five retries end after 14 h 36 min (*Delivery*). */
export const REMEMBERED_SECONDS = 15 * 3600;
/** How many deliveries of one node are remembered in its static data, the latest ones. */
export const REMEMBERED_DELIVERIES = 2000;

/** In the static data: when a delivery was taken, in unix seconds, by its key. */
export type Seen = Record<string, number>;

/** Claims that a process may hold; reached only by a flood of genuine deliveries. */
const MAX_CLAIMS = 50_000;

/** How n8n's answer to a delivery can be known. */
export interface Outcome {
	/** Whether n8n took the delivery; undefined while it has not answered. */
	isTaken(): boolean | undefined;
	/** When the sender got the answer, or hung up. */
	closed: Promise<void>;
}

interface Claim extends Outcome {
	/** Unix seconds. */
	time: number;
}

/** A sender has hung up long before, and n8n has not answered: it never will. */
const LONGEST_WAIT_MS = 5 * 60_000;

/** The claims of one process: by node, then by the key of a delivery. */
export class Claims {
	private readonly byNode = new Map<string, Map<string, Claim>>();

	/**
	 * Claims a delivery for the caller, waiting for an earlier claim on it that is still open.
	 *
	 * @returns false when it was taken before
	 */
	async claim(node: string, key: string, now: number, outcome: Outcome): Promise<boolean> {
		const claims = this.byNode.get(node) ?? new Map<string, Claim>();
		this.byNode.set(node, claims);
		for (;;) {
			const earlier = claims.get(key);
			if (earlier === undefined || now - earlier.time > REMEMBERED_SECONDS) break;
			if (await isTakenAtLast(earlier)) return false;
			// Of several that waited, one is first to put its own claim here.
			if (claims.get(key) === earlier) claims.delete(key);
		}
		prune(claims, now);
		const claim: Claim = { ...outcome, time: now };
		claims.set(key, claim);
		void outcome.closed.then(() => {
			const isTaken = outcome.isTaken();
			// What is known needs the answer no longer, which holds on to much.
			if (isTaken !== undefined) claim.isTaken = () => isTaken;
		});
		return true;
	}

	/** The deliveries of a node that this process took, for its static data. */
	taken(node: string): Seen {
		const seen: Seen = {};
		for (const [key, claim] of this.byNode.get(node) ?? []) {
			if (claim.isTaken()) seen[key] = claim.time;
		}
		return seen;
	}
}

async function isTakenAtLast(claim: Claim): Promise<boolean> {
	if (claim.isTaken() === undefined) await claim.closed;
	// When the sender hung up, what it sent is still on its way into the workflow.
	for (let wait = 1; claim.isTaken() === undefined && wait < LONGEST_WAIT_MS; wait *= 2) {
		await sleep(wait);
	}
	return claim.isTaken() === true;
}

/** Drops claims that no retry can ask for any more. Claims stand in the order of their time. */
function prune(claims: Map<string, Claim>, now: number) {
	for (const [key, { time }] of claims) {
		if (now - time <= REMEMBERED_SECONDS && claims.size < MAX_CLAIMS) return;
		claims.delete(key);
	}
}

/** The latest deliveries of several memories, without those that no retry can ask for any more. */
export function latest(now: number, ...memories: Array<Seen | undefined>): Seen {
	const all: Seen = Object.assign({}, ...memories);
	const entries = Object.entries(all).filter(([, time]) => now - time <= REMEMBERED_SECONDS);
	entries.sort(([, one], [, other]) => one - other);
	return Object.fromEntries(entries.slice(-REMEMBERED_DELIVERIES));
}
