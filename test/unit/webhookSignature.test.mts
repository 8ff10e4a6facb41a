/** The digests are openssl's (test/vectors/openssl.json). */
import { timingSafeEqual } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../../nodes/PortalIoTrigger/signature.ts';
import { messageOf, vector } from '../vectors/hmac.mts';

vi.mock('node:crypto', { spy: true });
// Another file may have loaded it already, with a comparison that nobody watches.
vi.resetModules();
const { refusal } = await import('../../nodes/PortalIoTrigger/signature.ts');

const { result: digest, message } = vector('a delivery');
const other = 'a'.repeat(64);
const sentAt = 1775434939;
const genuine: Delivery = {
	header: `t=${sentAt},v1=${digest}`,
	body: Buffer.from(message.slice(`${sentAt}.`.length)),
	secrets: ['whsec_1'],
	now: sentAt * 1000,
	toleranceSeconds: 300,
};
const check = (changes: Partial<Delivery>) => refusal({ ...genuine, ...changes });

describe('a delivery', () => {
	it('is accepted as it was sent', () => expect(check({})).toBeUndefined());

	it.each<[string, Partial<Delivery>]>([
		['with any of several secrets', { secrets: ['whsec_0', 'whsec_1', 'whsec_2'] }],
		['with several signatures, the last right', { header: `t=${sentAt},v1=${other},v1=${digest}` }],
		[
			'with several signatures, the first right',
			{ header: `t=${sentAt},v1=${digest},v1=${other}` },
		],
		[
			'with several signatures, one of them no digest',
			{ header: `t=${sentAt},v1=,v1=abcd,v1=${digest},v1=${'g'.repeat(64)}` },
		],
		['with parts that are not known', { header: `v0=x,t=${sentAt},v1=${digest},v2=${other}` }],
		['with white space between the parts', { header: `t=${sentAt}, v1=${digest}` }],
		['in capital letters', { header: `t=${sentAt},v1=${digest.toUpperCase()}` }],
		['as old as is allowed', { now: (sentAt + 300) * 1000 }],
		['from a clock a little ahead', { now: (sentAt - 60) * 1000 }],
	])('is accepted %s', (_case, changes) => expect(check(changes)).toBeUndefined());

	it.each([
		'a delivery with an empty body',
		'a delivery in many scripts',
		'a delivery of several lines',
		'a delivery of a megabyte',
		'a delivery under a secret beyond ASCII',
	])('is accepted with the digest of openssl: %s', (about) => {
		const { key, result, ...text } = vector(about);
		const body = Buffer.from(messageOf(text).slice(`${sentAt}.`.length));
		const header = `t=${sentAt},v1=${result}`;
		expect(check({ header, body, secrets: [key] })).toBeUndefined();
		expect(check({ header, body, secrets: [`${key} `] })).toBe('wrong signature');
	});

	it.each<[string, string, Partial<Delivery>]>([
		['no signature', 'without a header', { header: undefined }],
		['no signature', 'with an empty header', { header: '' }],
		['no signature', 'with the header twice', { header: [genuine.header, genuine.header] }],
		['malformed signature', 'without a time', { header: `v1=${digest}` }],
		['malformed signature', 'with two times', { header: `t=1,t=${sentAt},v1=${digest}` }],
		['malformed signature', 'with a time that is no number', { header: `t=now,v1=${digest}` }],
		['malformed signature', 'with a negative time', { header: `t=-1,v1=${digest}` }],
		['malformed signature', 'with a time in scientific form', { header: `t=1e9,v1=${digest}` }],
		['malformed signature', 'without a digest', { header: `t=${sentAt}` }],
		['malformed signature', 'with a short digest', { header: `t=${sentAt},v1=abcd` }],
		['too old', 'older than is allowed', { now: (sentAt + 301) * 1000 }],
		['in the future', 'from the far future', { now: (sentAt - 61) * 1000 }],
		['wrong signature', 'with a wrong digest', { header: `t=${sentAt},v1=${other}` }],
		['wrong signature', 'with another time', { header: `t=${sentAt + 1},v1=${digest}` }],
		[
			'wrong signature',
			'with a changed body',
			{ body: Buffer.concat([genuine.body, Buffer.from(' ')]) },
		],
		['wrong signature', 'with another secret', { secrets: ['whsec_2'] }],
		['wrong signature', 'without any secret known', { secrets: [] }],
	])('is refused (%s) %s', (reason, _case, changes) => expect(check(changes)).toBe(reason));
});

describe('the comparison', () => {
	it.each([
		['the first', ['whsec_1', 'whsec_2', 'whsec_3'], [digest, other]],
		['the last', ['whsec_2', 'whsec_3', 'whsec_1'], [other, digest]],
		['none', ['whsec_2', 'whsec_3', 'whsec_4'], [other, digest]],
	])(
		'takes as long whichever is right, being of each pair and in constant time: %s',
		(_which, secrets, digests) => {
			vi.mocked(timingSafeEqual).mockClear();
			check({ secrets, header: `t=${sentAt},${digests.map((one) => `v1=${one}`).join(',')}` });
			expect(timingSafeEqual).toHaveBeenCalledTimes(6);
			for (const pair of vi.mocked(timingSafeEqual).mock.calls) {
				expect(pair.map((one) => one.byteLength)).toEqual([32, 32]);
			}
		},
	);

	it('is none where the header is refused already', () => {
		vi.mocked(timingSafeEqual).mockClear();
		check({ header: `t=now,v1=${digest}` });
		check({ now: (sentAt + 301) * 1000 });
		check({ header: 'x'.repeat(5000) });
		expect(timingSafeEqual).not.toHaveBeenCalled();
	});
});
