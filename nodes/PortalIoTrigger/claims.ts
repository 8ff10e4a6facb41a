import { REMEMBERED_SECONDS } from './seen';

/** Claims that a process may hold; reached only by a flood of genuine deliveries. */
const MAX_CLAIMS = 50_000;

interface Claim {
	/** Unix seconds. */
	time: number;
	/** Whether the delivery was taken in the end; undefined while that is open. */
	isTaken?: boolean;
	settled: Promise<void>;
}

/** Ends a claim. With false, the next attempt may claim the delivery again. */
export type Settle = (isTaken: boolean) => void;

/**
 * The deliveries that one process is taking or has taken, by node and by the key of the delivery.
 *
 * Static data cannot tell duplicates that arrive together: each reads them before the other is saved.
 */
export class Claims {
	private readonly byNode = new Map<string, Map<string, Claim>>();

	/**
	 * Claims a delivery for the caller. Waits while an earlier claim on it is open.
	 *
	 * @returns undefined when the delivery was taken before
	 */
	async claim(node: string, key: string, now: number): Promise<Settle | undefined> {
		const claims = this.byNode.get(node) ?? this.addNode(node, now);
		for (;;) {
			const earlier = claims.get(key);
			if (earlier === undefined || now - earlier.time > REMEMBERED_SECONDS) break;
			if (earlier.isTaken) return undefined;
			if (earlier.isTaken === false) break;
			await earlier.settled;
		}
		// The claims stand in the order of their time: the new one goes to the end.
		claims.delete(key);
		prune(claims, now);
		let resolve = () => {};
		const settled = new Promise<void>((settle) => (resolve = settle));
		const claim: Claim = { time: now, settled };
		claims.set(key, claim);
		return (isTaken) => {
			claim.isTaken = isTaken;
			resolve();
		};
	}

	/** The deliveries of a node that this process took: their keys and times. */
	*taken(node: string): Generator<[string, number]> {
		// A node without claims has taken nothing.
		for (const [key, { time, isTaken }] of this.byNode.get(node) ?? []) {
			if (isTaken) yield [key, time];
		}
	}

	/** Adds a node, and drops those without recent deliveries. */
	private addNode(node: string, now: number): Map<string, Claim> {
		for (const [other, claims] of this.byNode) {
			prune(claims, now);
			if (claims.size === 0) this.byNode.delete(other);
		}
		const claims = new Map<string, Claim>();
		this.byNode.set(node, claims);
		return claims;
	}
}

/** Drops claims that no retry can refer to. */
function prune(claims: Map<string, Claim>, now: number) {
	for (const [key, { time }] of claims) {
		if (now - time <= REMEMBERED_SECONDS && claims.size < MAX_CLAIMS) return;
		claims.delete(key);
	}
}
