/**
 * Deliveries that nobody must take: forged, malformed, mutated. They are all made from one genuine
 * delivery, and none of them is genuine by accident.
 */
import fc from 'fast-check';

/** One attempt at a trigger. */
export interface Forgery {
	kind: string;
	/** `X-Webhook-Signature`; absent when it is not sent. */
	header?: string;
	body: Buffer;
}

/** What the forger has got hold of. */
export interface Genuine {
	/** Unix seconds, fresh. */
	time: number;
	/** 64 hexadecimal digits over `time`, a dot and the body. */
	digest: string;
	body: Buffer;
	/** Digests that another secret gives for the same text, and the right secret for an old time. */
	wrongSecret: string;
	old: { time: number; digest: string };
}

const flip = (text: string, at: number) =>
	text.slice(0, at) + ((parseInt(text[at]!, 16) + 1) % 16).toString(16) + text.slice(at + 1);

/** Some 6,000 forgeries. */
export function forgeries(genuine: Genuine): Forgery[] {
	const { time, digest, body, wrongSecret, old } = genuine;
	const header = `t=${time},v1=${digest}`;
	const all: Forgery[] = [];
	const add = (kind: string, one: { header?: string; body?: Buffer }) =>
		all.push({ kind, body, ...one });

	add('without a header', {});
	add('replayed', { header: `t=${old.time},v1=${old.digest}` });
	add('replayed with a fresh time', { header: `t=${time},v1=${old.digest}` });
	add('with an old time', { header: `t=${old.time},v1=${digest}` });
	add('with another secret', { header: `t=${time},v1=${wrongSecret}` });
	for (let length = 0; length < header.length; length++) {
		add('truncated header', { header: header.slice(0, length) });
		add('beheaded header', { header: header.slice(length + 1) });
	}
	for (let at = 0; at < 64; at++) {
		add('one digit changed', { header: `t=${time},v1=${flip(digest, at)}` });
		add('one digit missing', {
			header: `t=${time},v1=${digest.slice(0, at)}${digest.slice(at + 1)}`,
		});
		add('one digit more', { header: `t=${time},v1=${digest.slice(0, at)}0${digest.slice(at)}` });
		add('not hexadecimal', {
			header: `t=${time},v1=${digest.slice(0, at)}g${digest.slice(at + 1)}`,
		});
	}
	for (const t of [
		...['', ' ', 'NaN', 'now', 'Infinity', '-1', '+1', '0', '1e10', '0x10', 'null', '٣٣', '१२'],
		...[`${time}.0`, `-${time}`, `+${time}`, `0${time}0`, `${time}000`, `${time}e0`, `${time}n`],
		...[`${time} ${time}`, `t=${time}`, `"${time}"`, `${time + 3600}`, `${time * 10}`],
		...[`${time + 61 + 86_400}`, '9'.repeat(400), `${2 ** 53}`, `${time - 301 - 60}`],
	]) {
		add('time', { header: `t=${t},v1=${digest}` });
		add('time', { header: `v1=${digest},t=${t}` });
	}
	const bytes = Buffer.from(digest, 'hex');
	for (const v1 of [
		...[bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('latin1')],
		...[
			`0x${digest}`,
			`"${digest}"`,
			` ${digest}`.repeat(2),
			digest.repeat(2),
			digest.slice(0, 32),
		],
		...['', '0', '0'.repeat(64), 'f'.repeat(64), '[object Object]', 'true', 'undefined', '%00'],
		...[encodeURIComponent(`=${digest}`), `sha256=${digest}`, [...digest].reverse().join('')],
	]) {
		add('encoding', { header: `t=${time},v1=${v1}` });
	}
	for (const name of [
		'V1',
		'v0',
		'v2',
		'v01',
		'v1 ',
		'v1:',
		'sig',
		'',
		'__proto__',
		'constructor',
	]) {
		add('scheme', { header: `t=${time},${name}=${digest}` });
	}
	for (const name of ['T', 'time', 'ts', 't ', '', 't0', '__proto__', 'constructor.t']) {
		add('name of the time', { header: `${name}=${time},v1=${digest}` });
	}
	for (const between of [';', ' ', '&', '|', '\t', ':', '/', '.', '%2C', '，']) {
		add('separator', { header: `t=${time}${between}v1=${digest}` });
	}
	add('two times', { header: `t=${time},t=${time},v1=${digest}` });
	add('two times', { header: `t=${old.time},v1=${digest},t=${time}` });
	add('huge header', { header: `${header},${'v2=x,'.repeat(2000)}` });
	add('huge header', { header: `t=${time},${`v1=${wrongSecret},`.repeat(150)}v1=${digest}` });
	add('huge header', { header: `t=${time},v1=${'a'.repeat(15_000)}` });
	add('huge header', { header: ','.repeat(15_000) });
	add('huge header', { header: '='.repeat(15_000) });

	for (let at = 0; at < body.length; at++) {
		const changed = Buffer.from(body);
		changed[at]! ^= 1 << (at % 8);
		add('one bit of the body', { header, body: changed });
		add('truncated body', { header, body: body.subarray(0, at) });
		add('a byte more', {
			header,
			body: Buffer.concat([body.subarray(0, at), Buffer.from(' '), body.subarray(at)]),
		});
	}
	const text = body.toString();
	for (const other of [
		...[
			JSON.stringify(JSON.parse(text), null, 2),
			`${text}\n`,
			`\ufeff${text}`,
			text.normalize('NFD'),
		],
		...['', '{}', '[]', 'null', text.toUpperCase(), `${text}${text}`, text.replaceAll('"', "'")],
		...['['.repeat(100_000), '{"a":'.repeat(100_000), `"${'\\u0000'.repeat(50_000)}"`],
		...['9'.repeat(100_000), `{"__proto__":{"isAdmin":true},${text.slice(1)}`],
	]) {
		add('another body', { header, body: Buffer.from(other) });
	}
	add('another encoding of the body', { header, body: Buffer.from(text, 'utf16le') });
	add('another encoding of the body', { header, body: Buffer.from(text, 'latin1') });

	const random = { numRuns: 1200, seed: 2026 };
	const digests = fc.string({
		unit: fc.constantFrom(...'0123456789abcdef'),
		minLength: 64,
		maxLength: 64,
	});
	for (const one of fc.sample(digests, random)) add('guess', { header: `t=${time},v1=${one}` });
	for (const one of fc.sample(fc.string({ maxLength: 200 }), random)) {
		add('anything', { header: one });
	}
	const parts = fc.array(
		fc.constantFrom(
			't=',
			`t=${old.time}`,
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
	for (const one of fc.sample(parts, random)) add('grammar', { header: one.join(',') });
	for (const one of fc.sample(fc.json(), random))
		add('any JSON', { header, body: Buffer.from(one) });
	// What a mutation left as it was is no forgery.
	return all.filter((one) => one.header !== header || !one.body.equals(body));
}
