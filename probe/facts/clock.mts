/** How far the date of a request may be off. */
import type { Walk } from '../walk/walk.mts';

/** Nobody's clock is further off without noticing. */
const MOST_SECONDS = 86_400;
/** Tolerances that services have, in seconds. */
const USUAL = [0, 30, 60, 120, 300, 600, 900, 1800, 3600, MOST_SECONDS];

/** Between which seconds the limit is; without `refused`, it is above what was tried. */
interface Limit {
	accepted: number;
	refused?: number;
}

/**
 * The tolerance in seconds for dates ahead of the service's clock and behind it. Each is found by
 * halves, at a read that changes nothing.
 */
export async function clockTolerance(walk: Walk): Promise<unknown> {
	const skew = await measureSkew(walk);
	const isAccepted = async (seconds: number) => {
		const answer = await walk.probe.service.send({
			method: 'GET',
			path: '/public/users',
			dateOffsetMs: skew + seconds * 1000,
		});
		return answer.status !== 401;
	};
	if (!(await isAccepted(0))) return 'not known: not even the time of the service is accepted';
	return {
		ahead: await findLimit(isAccepted),
		behind: await findLimit(async (seconds) => await isAccepted(-seconds)),
	};
}

/** How far the clock of the service is ahead of this machine's, in milliseconds. */
async function measureSkew({ probe }: Walk): Promise<number> {
	const { headers } = await probe.service.send({ method: 'GET', path: '/public/users' });
	const date = Date.parse(String(headers.date));
	const skew = date - Date.now();
	// The header has no fractions of a second: less than two of them are no difference.
	return Number.isNaN(skew) || Math.abs(skew) < 2000 ? 0 : skew;
}

async function findLimit(isAccepted: (seconds: number) => Promise<boolean>): Promise<Limit> {
	let [low, high] = [0, USUAL.length];
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (await isAccepted(USUAL[middle]!)) low = middle;
		else high = middle;
	}
	let accepted = USUAL[low]!;
	let refused = USUAL[high];
	if (refused === undefined) return { accepted };
	// To a few seconds, or to a hundredth of long times.
	while (refused - accepted > Math.max(5, accepted / 100)) {
		const middle = Math.round((accepted + refused) / 2);
		if (await isAccepted(middle)) accepted = middle;
		else refused = middle;
	}
	return { accepted, refused };
}
