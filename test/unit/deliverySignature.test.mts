/** Tests the verification of deliveries. openssl computed the digests (test/vectors/openssl.json). */
import { timingSafeEqual } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { Delivery } from '../../nodes/PortalIoTrigger/deliverySignature.ts';
import { hmac, vector } from '../vectors/hmac.mts';

vi.mock('node:crypto', { spy: true });
// Load the module again, because another test file might have loaded it with the original `timingSafeEqual`.
vi.resetModules();
const { checkSignature } = await import('../../nodes/PortalIoTrigger/deliverySignature.ts');

const { key, result: digest, message } = vector('a delivery');
const other = 'a'.repeat(64);
const sentAt = 1775434939;
const bodyOf = (text: string) => Buffer.from(text.slice(`${sentAt}.`.length));
/** Returns subscriptions with these secrets, keyed by the secret instead of an event. */
const having = (...secrets: string[]) =>
	Object.fromEntries(secrets.map((secretKey) => [secretKey, { secretKey }]));
const genuine: Delivery = {
	header: `t=${sentAt},v1=${digest}`,
	body: bodyOf(message),
	subscriptions: having(key),
	now: sentAt * 1000,
	toleranceSeconds: 300,
};
const check = (changes: Partial<Delivery>) => {
	const verdict = checkSignature({ ...genuine, ...changes });
	return 'rejection' in verdict ? verdict.rejection : undefined;
};

it.each([
	'',
	' with an empty body',
	' in many scripts',
	' of several lines',
	' of a megabyte',
	' under a secret beyond ASCII',
])('accepts a delivery%s with the digest that openssl computed', (about) => {
	const { key: secret, result, message: text } = vector(`a delivery${about}`);
	const delivery = { header: `t=${sentAt},v1=${result}`, body: bodyOf(text) };
	expect(check({ ...delivery, subscriptions: having(secret) })).toBeUndefined();
	const subscriptions = having(`${secret} `);
	expect(check({ ...delivery, subscriptions })).toBe('wrong signature');
});

it.each<[string, Partial<Delivery>]>([
	['as old as is allowed', { now: (sentAt + 300) * 1000 }],
	// The tolerance of five minutes applies in both directions.
	['from a clock that is ahead', { now: (sentAt - 300) * 1000 }],
])('accepts a delivery %s', (_case, changes) => expect(check(changes)).toBeUndefined());

it.each<[string, string, Partial<Delivery>]>([
	['no body', 'without a body', { body: undefined }],
	['no signature', 'without a header', { header: undefined }],
	['no signature', 'with an empty header', { header: '' }],
	['malformed signature', 'signed under another name', { header: `t=${sentAt},v0=${digest}` }],
	['malformed signature', 'with two times', { header: `t=${sentAt},t=1,v1=${digest}` }],
	['malformed signature', 'with a long header', { header: `${genuine.header},v0=`.padEnd(4097) }],
	// Reject times far ahead, because such a delivery would stay valid for longer than it is remembered.
	[
		'in the future',
		'signed more than five minutes ahead',
		{ now: (sentAt - 301) * 1000, toleranceSeconds: 52_800 },
	],
	[
		'in the future',
		'signed further ahead than the maximum age',
		{ now: (sentAt - 11) * 1000, toleranceSeconds: 10 },
	],
])("gives the reason '%s' for rejecting a delivery %s", (reason, _case, changes) =>
	expect(check(changes)).toBe(reason),
);

it.each([
	[
		300,
		"too old: it was signed 301 seconds ago, and 'Max Event Age (Seconds)' is 300. If the n8n server's clock is correct, Portal.io probably signs an event only once, and this is a retry. To accept all retries, set 'Max Event Age (Seconds)' to 52800",
	],
	[52_800, "too old: it was signed 52801 seconds ago, and 'Max Event Age (Seconds)' is 52800"],
])('rejects a delivery older than %i seconds', (...row) => {
	const [toleranceSeconds, reason] = row;
	const now = (sentAt + toleranceSeconds + 1) * 1000;
	expect(check({ now, toleranceSeconds })).toBe(reason);
});

it.each([
	['the right digest last', `t=${sentAt},v1=${other},v1=${digest}`],
	['the right digest first', `t=${sentAt},v1=${digest},v1=${other}`],
	['values that are not digests', `t=${sentAt},v1=,v1=abcd,v1=${digest},v1=${'g'.repeat(64)}`],
	['unknown parts', `v0=x,t=${sentAt},v1=${digest},v2=${other}`],
	['parts without a name or a value', `t,v1,,=,t=${sentAt},x,v1=${digest},`],
	['white space between the parts', `t=${sentAt}, v1=${digest}`],
	['a copy of itself behind it', `t=${sentAt},v1=${digest}, t=${sentAt},v1=${digest}`],
	['each of its parts twice', `t=${sentAt},t=${sentAt},v1=${digest},v1=${digest}`],
	['capital letters', `t=${sentAt},v1=${digest.toUpperCase()}`],
	['4,096 characters', `t=${sentAt},v1=${digest},v0=`.padEnd(4096, 'x')],
])('reads a signature header that has %s', (_what, header) =>
	expect(check({ header })).toBeUndefined(),
);

it.each([
	[`0${sentAt}`, undefined],
	[`${sentAt}.5`, undefined],
	[`${sentAt}.1234567890123`, undefined],
	[`${sentAt}.`, 'malformed signature'],
	[`.${sentAt}`, 'malformed signature'],
	[`${sentAt}.5.5`, 'malformed signature'],
	[`00${sentAt}`, 'malformed signature'],
	[`${sentAt}\nx`, 'malformed signature'],
	['1e9', 'malformed signature'],
	['', 'malformed signature'],
])(
	'accepts only up to eleven digits, optionally with a fraction, as a signature time: "%s"',
	(time, outcome) => {
		const signed = Buffer.concat([Buffer.from(`${time}.`), bodyOf(message)]);
		const header = `t=${time},v1=${hmac(key, signed).toString('hex')}`;
		expect(check({ header })).toBe(outcome);
	},
);

it.each([
	['the first secret matches', [key, 'whsec_2', 'whsec_3'], [digest, other], { event: key }],
	['the last secret matches', ['whsec_2', 'whsec_3', key], [other, digest], { event: key }],
	[
		'no secret matches',
		['whsec_2', 'whsec_3', 'whsec_4'],
		[other, digest],
		{ rejection: 'wrong signature' },
	],
])('compares each signature in constant time: %s', (_, secrets, digests, verdict) => {
	vi.mocked(timingSafeEqual).mockClear();
	const header = `t=${sentAt},${digests.map((one) => `v1=${one}`).join(',')}`;
	const subscriptions = having(...secrets);
	expect(checkSignature({ ...genuine, subscriptions, header })).toEqual(verdict);
	expect(timingSafeEqual).toHaveBeenCalledTimes(6);
	for (const pair of vi.mocked(timingSafeEqual).mock.calls) {
		expect(pair.map((one) => one.byteLength)).toEqual([32, 32]);
	}
});
