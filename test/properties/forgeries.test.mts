/**
 * Sends thousands of forged, malformed, and mutated deliveries through n8n's own webhook context. The trigger must
 * reject every one.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hmac } from '../vectors/hmac.mts';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';
import { fileService, seed } from '../wire/account.mts';
import { watchLog } from '../wire/subscribing.mts';
import { runs } from './runCount.mts';

const EVENT = 'proposal.status_changed';
const text = JSON.stringify({
	id: 'evt_1',
	type: EVENT,
	created: '2026-04-06T00:22:19Z',
	data: {
		id: seed.proposals.accepted,
		status: 'Accepted',
		name: 'Küche',
	},
});
const body = Buffer.from(text);
const time = Math.floor(Date.now() / 1000);
const computeDigest = (secret: string, at = time) =>
	hmac(secret, Buffer.concat([Buffer.from(`${at}.`), body])).toString('hex');
const oldTime = time - 3600;
const wrongSecret = computeDigest('another secret');
const random = runs(600);

function malformedHeaders(digest: string, oldDigest: string): string[] {
	const bytes = Buffer.from(digest, 'hex');
	const times = [
		'',
		' ',
		'NaN',
		'now',
		'Infinity',
		'-1',
		'+1',
		'0',
		'1e10',
		'0x10',
		'null',
		'٣٣',
		'१२',
		`${time}.0`,
		`-${time}`,
		`+${time}`,
		`0${time}0`,
		`${time}000`,
		`${time}e0`,
		`${time}n`,
		`${time} ${time}`,
		`t=${time}`,
		`"${time}"`,
		`${time + 3600}`,
		`${time - 361}`,
		oldTime,
		'9'.repeat(400),
		`${2 ** 53}`,
		`${time},t=${time + 1}`,
	];
	const digests = [
		wrongSecret,
		oldDigest,
		digest.slice(0, 32),
		digest.repeat(2),
		` ${digest}`.repeat(2),
		bytes.toString('base64'),
		bytes.toString('latin1'),
		[...digest].reverse().join(''),
		`0x${digest}`,
		`"${digest}"`,
		`sha256=${digest}`,
		encodeURIComponent(`=${digest}`),
		'',
		'0',
		'0'.repeat(64),
		'[object Object]',
		'true',
		'undefined',
		'%00',
		'a'.repeat(15e3),
	];
	const names = ['V1', 'v0', 'v2', 'v01', 'v1 ', 'v1:', 'sig', '', '__proto__', 'constructor'];
	const timeNames = ['T', 'time', 'ts', 't ', '', 't0', '__proto__', 'constructor.t'];
	const separators = [';', ' ', '&', '|', '\t', ':', '/', '.', '%2C', '，'];
	return [
		`t=${oldTime},v1=${oldDigest}`,
		...times.flatMap((t) => [`t=${t},v1=${digest}`, `v1=${digest},t=${t}`]),
		...digests.map((v1) => `t=${time},v1=${v1}`),
		...names.map((name) => `t=${time},${name}=${digest}`),
		...timeNames.map((name) => `${name}=${time},v1=${digest}`),
		...separators.map((between) => `t=${time}${between}v1=${digest}`),
		`t=${time},v1=${digest},${'v2=x,'.repeat(2000)}`,
		`t=${time},${`v1=${wrongSecret},`.repeat(150)}v1=${digest}`,
		','.repeat(15_000),
		'='.repeat(15_000),
	];
}

/**
 * Returns variants of the genuine header: truncated before or after each character, or with one digit of the digest
 * changed, removed, or added.
 */
function mutatedHeaders(header: string): string[] {
	const start = header.length - 64;
	const nextDigit = (digit: string) => ((parseInt(digit, 16) + 1) % 16).toString(16);
	return Array.from(header, (character, at) => {
		const [before, after] = [header.slice(0, at), header.slice(at + 1)];
		const others = at < start ? [] : [nextDigit(character), '', `0${character}`, 'g'];
		return [before, after, ...others.map((other) => before + other + after)];
	}).flat();
}

function randomHeaders(): string[] {
	const digit = fc.constantFrom(...'0123456789abcdef');
	const digests = fc.string({ unit: digit, minLength: 64, maxLength: 64 });
	const lists = fc.array(
		fc.constantFrom(
			't=',
			`t=${oldTime}`,
			'v1=',
			`v1=${wrongSecret}`,
			'v0=1',
			'=',
			't',
			'v1',
			' ',
			'',
		),
		{ maxLength: 9 },
	);
	return [
		...fc.sample(digests, random).map((guess) => `t=${time},v1=${guess}`),
		...fc.sample(fc.string({ maxLength: 200 }), random),
		...fc.sample(lists, random).map((some) => some.join(',')),
	];
}

/**
 * Returns variants of the body: with a changed bit, truncated, or with an added space at each byte, reformatted, or
 * replaced by other JSON.
 */
function forgedBodies(): Buffer[] {
	const mutated = Array.from(body, (byte, at) => {
		const [before, after] = [body.subarray(0, at), body.subarray(at)];
		const changed = Buffer.from(body);
		changed[at] = byte ^ (1 << (at % 8));
		return [changed, before, Buffer.concat([before, Buffer.from(' '), after])];
	}).flat();
	const written = [
		JSON.stringify(JSON.parse(text), null, 2),
		`${text}\n`,
		`\ufeff${text}`,
		text.normalize('NFD'),
		text.toUpperCase(),
		`${text}${text}`,
		'{}',
		'[]',
		'null',
		'['.repeat(100_000),
		'{"a":'.repeat(100_000),
		'9'.repeat(100_000),
		`{"__proto__":{"isAdmin":true},${text.slice(1)}`,
		...fc.sample(fc.json(), random),
	].map((one) => Buffer.from(one));
	return [...mutated, ...written, Buffer.from(text, 'utf16le'), Buffer.from(text, 'latin1')];
}

const service = fileService();

it('rejects every forged delivery with status 401', async () => {
	const node = triggerNode({ credential: service.account, parameters: { events: [EVENT] } });
	await node.create();
	service.control.clearRequests();
	const secret = String(service.control.subscriptions()[0]!.secret_key);
	const genuine = `t=${time},v1=${computeDigest(secret)}`;
	const headers = [
		...malformedHeaders(computeDigest(secret), computeDigest(secret, oldTime)),
		...mutatedHeaders(genuine),
		...randomHeaders(),
	];
	const corpus: { header?: string; sent: Buffer }[] = [
		{ sent: body },
		...headers.filter((header) => header !== genuine).map((header) => ({ header, sent: body })),
		...forgedBodies().map((sent) => ({ header: genuine, sent })),
	];
	expect(corpus.length).toBeGreaterThan(3000);

	const before = JSON.stringify(node.staticData());
	const lines = watchLog();
	const receive = async (sent: Buffer, header?: string) =>
		await node.receive(header === undefined ? {} : { 'x-webhook-signature': header }, sent);
	for (const { header, sent } of corpus) {
		expect(await receive(sent, header), header?.slice(0, 200)).toEqual({
			noWebhookResponse: true,
			answer: { status: 401, ended: true },
		});
	}
	expect(lines).toHaveLength(corpus.length);
	expect(lines.filter((line) => !line.includes('delivery rejected: '))).toEqual([]);
	expect(lines.join('')).not.toContain(secret);
	expect(lines.join(''), 'of a body').not.toContain('evt_1');
	expect(JSON.stringify(node.staticData())).toBe(before);
	expect(service.control.requests).toEqual([]);
	expect(await receive(body, genuine)).toHaveProperty('workflowData');
});
