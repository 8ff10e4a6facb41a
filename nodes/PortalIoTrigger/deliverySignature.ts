import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Delivery {
	/** `X-Webhook-Signature` header: `t=<unix seconds>,v1=<hex>`. */
	header: unknown;
	/** Bytes of the body before any parsing. */
	body: Buffer | undefined;
	/** Subscriptions that deliver to this URL, by event. */
	subscriptions: Record<string, { secretKey: string }>;
	/** Current time in milliseconds. */
	now: number;
	toleranceSeconds: number;
}

/** Event of the subscription whose secret matches, or the reason for a rejection, which goes only to n8n's log. */
export type Verdict = { event: string } | { rejection: string };

/** Default of *Max Event Age (Seconds)*. Portal.io requires receivers to reject an older delivery. */
const TOLERANCE_SECONDS = 300;
/** Maximum value of *Max Event Age (Seconds)*. Portal.io sends its last retry after 14 hours and 36 minutes. */
export const MAX_TOLERANCE_SECONDS = 14 * 3600 + 40 * 60;
/** Maximum time by which Portal.io's clock is allowed to be ahead of the n8n server's. */
const MAX_AHEAD_SECONDS = 300;
/** Pattern of a Unix time in seconds, which has ten digits until the year 2286. */
const UNIX_SECONDS = /^\d{1,11}(\.\d+)?$/;
const HEX_DIGEST = /^[0-9a-f]{64}$/i;
/** Maximum length of the header, with space for fifty signatures. */
const MAX_HEADER_LENGTH = 4096;

/** Returns the tolerance in seconds. Uses the default for an invalid value, which must not turn the check off. */
export function readTolerance(value: unknown): number {
	const seconds = Number(value ?? TOLERANCE_SECONDS);
	if (!Number.isFinite(seconds) || seconds <= 0) return TOLERANCE_SECONDS;
	return Math.min(seconds, MAX_TOLERANCE_SECONDS);
}

/**
 * Returns the reason for rejecting an old delivery. Adds advice about retries, because Portal.io does not document
 * whether it signs each of them again.
 */
function describeTooOld(age: number, toleranceSeconds: number): string {
	const reason = `too old: it was signed ${Math.floor(age)} seconds ago, and 'Max Event Age (Seconds)' is ${toleranceSeconds}`;
	if (toleranceSeconds === MAX_TOLERANCE_SECONDS) return reason;
	return `${reason}. If the n8n server's clock is correct, Portal.io probably signs an event only once, and this is a retry. To accept all retries, set 'Max Event Age (Seconds)' to ${MAX_TOLERANCE_SECONDS}`;
}

/**
 * Checks the signature of a delivery against the secrets of the node's subscriptions
 * (docs/dev/portal-api.md#webhook-deliveries).
 *
 * Compares every secret with every `v1` value in constant time, so the duration shows neither how many bytes match nor
 * which secret matched. Ignores parts other than `t` and `v1`, because Portal.io might add a newer scheme to the
 * header.
 */
export function checkSignature(delivery: Delivery): Verdict {
	const { header, body, subscriptions, now, toleranceSeconds } = delivery;
	if (!Buffer.isBuffer(body)) return { rejection: 'no body' };
	if (typeof header !== 'string' || header === '') return { rejection: 'no signature' };
	if (header.length > MAX_HEADER_LENGTH) return { rejection: 'malformed signature' };

	// Drop duplicate parts, because a proxy can join two copies of the header.
	const parts = new Set(header.split(',').map((part) => part.trim()));
	const valuesOf = (name: string) =>
		[...parts].filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
	// Reject two timestamps, because it would be unclear which one was signed.
	const [time, secondTime] = valuesOf('t=');
	const digests = valuesOf('v1=').filter((digest) => HEX_DIGEST.test(digest));
	if (secondTime !== undefined || !UNIX_SECONDS.test(String(time)) || digests.length === 0) {
		return { rejection: 'malformed signature' };
	}

	const age = now / 1000 - Number(time);
	if (age > toleranceSeconds) return { rejection: describeTooOld(age, toleranceSeconds) };
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
