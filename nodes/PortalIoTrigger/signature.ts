import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a delivery brings, and what it is checked against. */
export interface Delivery {
	/** The `X-Webhook-Signature` header: `t=<unix seconds>,v1=<hex>`; absent when not sent. */
	header: unknown;
	/** The body as it arrived, before any parsing. */
	body: Buffer;
	/** The secrets of the subscriptions that deliver to this address. */
	secrets: string[];
	/** The local time in milliseconds. */
	now: number;
	/** How many seconds `t` may lie in the past; the service says 300. */
	toleranceSeconds: number;
}

/** The secret that a delivery was signed with, or why it is refused: for n8n's log, never for the sender. */
export type Verdict = { secret: string } | { refusal: string };

/**
 * How much our clock may be behind. No longer than this, however old a delivery may be: one from the
 * future stays fresh for longer than it is remembered.
 */
const AHEAD_SECONDS = 300;
/** Unix seconds have ten digits until the year 2286; more digits are not a time. */
const UNIX_SECONDS = /^\d{1,11}$/;
const HEX_DIGEST = /^[0-9a-f]{64}$/i;
/** Room for fifty signatures; a longer header is not read. */
const MAX_HEADER = 4096;

/**
 * Checks the signature of a delivery against the secrets of its subscriptions
 * (docs/portal-api.md#webhook-deliveries).
 *
 * Every secret and every `v1` value is compared, each in constant time, so that neither the number
 * of matching bytes nor which secret matched shows in the time taken. Parts of the header other
 * than `t` and `v1` are ignored: a later scheme may stand beside this one.
 */
export function checkSignature(delivery: Delivery): Verdict {
	const { header, body, secrets, now, toleranceSeconds } = delivery;
	if (typeof header !== 'string' || header === '') return { refusal: 'no signature' };

	if (header.length > MAX_HEADER) return { refusal: 'malformed signature' };

	const times: string[] = [];
	const digests: string[] = [];
	for (const part of header.split(',')) {
		// A part without '=' is ignored.
		const [, name, value = ''] = /^([^=]*)=(.*)$/.exec(part.trim()) ?? [];
		if (name === 't') times.push(value);
		if (name === 'v1' && HEX_DIGEST.test(value)) digests.push(value);
	}
	// Two times would leave open which one was signed.
	const time = times.length === 1 ? times[0]! : '';
	if (!UNIX_SECONDS.test(time) || digests.length === 0) {
		return { refusal: 'malformed signature' };
	}

	const age = now / 1000 - Number(time);
	if (age > toleranceSeconds) return { refusal: 'too old' };
	if (-age > Math.min(toleranceSeconds, AHEAD_SECONDS)) return { refusal: 'in the future' };

	let signedWith: string | undefined;
	for (const secret of secrets) {
		const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
		for (const digest of digests) {
			if (timingSafeEqual(expected, Buffer.from(digest, 'hex'))) signedWith = secret;
		}
	}
	return signedWith === undefined ? { refusal: 'wrong signature' } : { secret: signedWith };
}
