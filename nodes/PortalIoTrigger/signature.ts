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

/** A sender's clock may be this much ahead of ours. */
const FUTURE_SECONDS = 60;
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
 *
 * @returns undefined when the delivery is genuine, otherwise the reason to refuse it: for n8n's log,
 * never for the sender
 */
export function refusal(delivery: Delivery): string | undefined {
	const { header, body, secrets, now, toleranceSeconds } = delivery;
	if (typeof header !== 'string' || header === '') return 'no signature';

	if (header.length > MAX_HEADER) return 'malformed signature';

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
	if (!UNIX_SECONDS.test(time) || digests.length === 0) return 'malformed signature';

	const age = now / 1000 - Number(time);
	if (age > toleranceSeconds) return 'too old';
	if (age < -FUTURE_SECONDS) return 'in the future';

	let genuine = false;
	for (const secret of secrets) {
		const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
		for (const digest of digests) {
			if (timingSafeEqual(expected, Buffer.from(digest, 'hex'))) genuine = true;
		}
	}
	return genuine ? undefined : 'wrong signature';
}
