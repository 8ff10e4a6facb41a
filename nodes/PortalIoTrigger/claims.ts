/**
 * Each delivery once: what the retries and duplicates of a delivery are told from the first by.
 *
 * Two memories work together. The static data of the workflow outlasts a restart and is shared by
 * all processes of n8n, but n8n writes it as a whole and only after a delivery was taken: two at the
 * same instant do not see each other there, and the later write undoes the earlier. So each process
 * also keeps its claims, which two deliveries at once do see, and adds to the static data what
 * another write undid.
 */

import { REMEMBERED_SECONDS } from './seen';

/** Claims that a process may hold; reached only by a flood of genuine deliveries. */
const MAX_CLAIMS = 50_000;

interface Claim {
	/** Unix seconds. */
	time: number;
	/** Whether the delivery was taken in the end; false while that is open. */
	isTaken: boolean;
	settled: Promise<void>;
}

/** The claims of one process: by node, then by the key of a delivery. */
export class Claims {
	private readonly byNode = new Map<string, Map<string, Claim>>();

	/**
	 * Claims a delivery for the caller, waiting for an earlier claim on it that is still open.
	 *
	 * @returns undefined when the delivery was taken before; otherwise what to call once it is known
	 * whether it was taken now: with false, the next attempt may claim it again
	 */
	async claim(
		node: string,
		key: string,
		now: number,
	): Promise<((isTaken: boolean) => void) | undefined> {
		const claims = this.byNode.get(node) ?? this.begin(node, now);
		for (;;) {
			const earlier = claims.get(key);
			if (earlier === undefined || now - earlier.time > REMEMBERED_SECONDS) break;
			if (earlier.isTaken) return undefined;
			await earlier.settled;
		}
		prune(claims, now);
		let settle = () => {};
		const settled = new Promise<void>((resolve) => (settle = resolve));
		const claim: Claim = { time: now, isTaken: false, settled };
		claims.set(key, claim);
		return (isTaken) => {
			claim.isTaken = isTaken;
			if (!isTaken && claims.get(key) === claim) claims.delete(key);
			settle();
		};
	}

	/** Begins with a node, and ends with those that nothing came to of late. */
	private begin(node: string, now: number): Map<string, Claim> {
		for (const [other, claims] of this.byNode) {
			prune(claims, now);
			if (claims.size === 0) this.byNode.delete(other);
		}
		const claims = new Map<string, Claim>();
		this.byNode.set(node, claims);
		return claims;
	}

	/** The deliveries of a node that this process took, for its static data: their keys and times. */
	*taken(node: string): Generator<[string, number]> {
		for (const [key, { time, isTaken }] of this.byNode.get(node) ?? []) {
			if (isTaken) yield [key, time];
		}
	}
}

/** Drops claims that no retry can ask for any more. Claims stand in the order of their time. */
function prune(claims: Map<string, Claim>, now: number) {
	for (const [key, { time }] of claims) {
		if (now - time <= REMEMBERED_SECONDS && claims.size < MAX_CLAIMS) return;
		claims.delete(key);
	}
}
