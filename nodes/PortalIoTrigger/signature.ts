import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Delivery {
	/** The `X-Webhook-Signature` header: `t=<unix seconds>,v1=<hex>`. */
	header: unknown;
	/** The bytes of the body before any parsing. */
	body: Buffer | undefined;
	/** The subscriptions that deliver to this URL, by event. */
	subscriptions: Record<string, { secretKey: string }>;
	/** The time in milliseconds. */
	now: number;
	toleranceSeconds: number;
}

/** The event of the subscription that signed a delivery, or a reason that only n8n's log may show. */
export type Verdict = { event: string } | { rejection: string };

/** Portal.io requires receivers to reject deliveries that are older. */
const TOLERANCE_SECONDS = 300;
/** Portal.io sends its last retry after 14 hours and 36 minutes. */
export const MAX_TOLERANCE_SECONDS = 14 * 3600 + 40 * 60;
/** The clock of the n8n server may be this much behind Portal.io's. */
const MAX_AHEAD_SECONDS = 300;
/** Unix seconds have ten digits until the year 2286. */
const UNIX_SECONDS = /^\d{1,11}(\.\d+)?$/;
const HEX_DIGEST = /^[0-9a-f]{64}$/i;
/** Fifty signatures fit in a header of this length. */
const MAX_HEADER_LENGTH = 4096;

/** Returns the tolerance in seconds. An invalid value must not turn the check off. */
export function readTolerance(value: unknown): number {
	const seconds = Number(value ?? TOLERANCE_SECONDS);
	if (!Number.isFinite(seconds) || seconds <= 0) return TOLERANCE_SECONDS;
	return Math.min(seconds, MAX_TOLERANCE_SECONDS);
}

/** Portal.io does not document whether it signs a retry again, or sends the signature of the first attempt. */
function reasonTooOld(age: number, toleranceSeconds: number): string {
	const reason = `too old: it was signed ${Math.floor(age)} seconds ago, and 'Max Event Age (Seconds)' is ${toleranceSeconds}`;
	if (toleranceSeconds === MAX_TOLERANCE_SECONDS) return reason;
	return `${reason}. If the clock of the n8n server is correct, Portal.io signs an event only once. To accept all of its retries, set 'Max Event Age (Seconds)' to ${MAX_TOLERANCE_SECONDS}`;
}

/**
 * Checks the signature of a delivery against the secrets of its subscriptions
 * (docs/dev/portal-api.md#webhook-deliveries).
 *
 * Compares every secret with every `v1` value in constant time, so the duration shows neither how many
 * bytes match nor which secret matched. Ignores parts other than `t` and `v1`, because Portal.io may
 * add a later scheme to the header.
 */
export function checkSignature(delivery: Delivery): Verdict {
	const { header, body, subscriptions, now, toleranceSeconds } = delivery;
	if (!Buffer.isBuffer(body)) return { rejection: 'no body' };
	if (typeof header !== 'string' || header === '') return { rejection: 'no signature' };
	if (header.length > MAX_HEADER_LENGTH) return { rejection: 'malformed signature' };

	// A proxy may join the header with a copy of itself, so equal parts count once.
	const parts = new Set(header.split(',').map((part) => part.trim()));
	const valuesOf = (name: string) =>
		[...parts].filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
	// Two times in a header would leave open which of them was signed.
	const [time, secondTime] = valuesOf('t=');
	const digests = valuesOf('v1=').filter((digest) => HEX_DIGEST.test(digest));
	if (secondTime !== undefined || !UNIX_SECONDS.test(String(time)) || digests.length === 0) {
		return { rejection: 'malformed signature' };
	}

	const age = now / 1000 - Number(time);
	if (age > toleranceSeconds) return { rejection: reasonTooOld(age, toleranceSeconds) };
	if (-age > Math.min(toleranceSeconds, MAX_AHEAD_SECONDS)) return { rejection: 'in the future' };

	let signer: string | undefined;
	for (const [event, { secretKey }] of Object.entries(subscriptions)) {
		const expectedDigest = createHmac('sha256', secretKey).update(`${time}.`).update(body).digest();
		for (const digest of digests) {
			if (timingSafeEqual(expectedDigest, Buffer.from(digest, 'hex'))) signer = event;
		}
	}
	return signer === undefined ? { rejection: 'wrong signature' } : { event: signer };
}
