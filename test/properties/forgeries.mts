/** Forged, malformed and mutated deliveries, all made from one that is genuine. */
import fc from 'fast-check';
import { runs } from './runCount.mts';

export interface Forgery {
	header?: string;
	body: Buffer;
}

export interface Genuine {
	time: number;
	digest: string;
	body: Buffer;
	wrongSecret: string;
	old: { time: number; digest: string };
}

/** Some 4,000 forgeries. */
export function forgeries({ body, ...genuine }: Genuine): Forgery[] {
	const { time, digest } = genuine;
	const header = `t=${time},v1=${digest}`;
	const all: Forgery[] = [
		{ body },
		...[...madeHeaders(genuine), ...mutatedHeaders(header), ...randomHeaders(genuine)].map(
			(one) => ({ header: one, body }),
		),
		...otherBodies(body).map((one) => ({ header, body: one })),
	];
	// An unchanged delivery is not a forgery.
	return all.filter((one) => one.header !== header || !one.body.equals(body));
}

function madeHeaders({ time, digest, wrongSecret, old }: Omit<Genuine, 'body'>): string[] {
	const bytes = Buffer.from(digest, 'hex');
	const times = [
		...['', ' ', 'NaN', 'now', 'Infinity', '-1', '+1', '0', '1e10', '0x10', 'null', '٣٣', '१२'],
		...[`${time}.0`, `-${time}`, `+${time}`, `0${time}0`, `${time}000`, `${time}e0`, `${time}n`],
		...[`${time} ${time}`, `t=${time}`, `"${time}"`, `${time + 3600}`, `${time - 361}`, old.time],
		...['9'.repeat(400), `${2 ** 53}`, `${time},t=${time + 1}`],
	];
	const digests = [
		...[wrongSecret, old.digest, digest.slice(0, 32), digest.repeat(2), ` ${digest}`.repeat(2)],
		...[bytes.toString('base64'), bytes.toString('latin1'), [...digest].reverse().join('')],
		...[`0x${digest}`, `"${digest}"`, `sha256=${digest}`, encodeURIComponent(`=${digest}`)],
		...['', '0', '0'.repeat(64), '[object Object]', 'true', 'undefined', '%00', 'a'.repeat(15_000)],
	];
	const names = ['V1', 'v0', 'v2', 'v01', 'v1 ', 'v1:', 'sig', '', '__proto__', 'constructor'];
	const timeNames = ['T', 'time', 'ts', 't ', '', 't0', '__proto__', 'constructor.t'];
	const separators = [';', ' ', '&', '|', '\t', ':', '/', '.', '%2C', '，'];
	return [
		`t=${old.time},v1=${old.digest}`,
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

/** The genuine header cut anywhere, and with one digit of its digest changed, missing or more. */
function mutatedHeaders(header: string): string[] {
	const start = header.length - 64;
	const flipped = (digit: string) => ((parseInt(digit, 16) + 1) % 16).toString(16);
	return Array.from(header, (character, at) => {
		const [before, after] = [header.slice(0, at), header.slice(at + 1)];
		const ofDigest = [flipped(character), '', `0${character}`, 'g'].map(
			(other) => before + other + after,
		);
		return [before, after, ...(at < start ? [] : ofDigest)];
	}).flat();
}

const random = runs(600);

function randomHeaders({ time, wrongSecret, old }: Omit<Genuine, 'body'>): string[] {
	const digit = fc.constantFrom(...'0123456789abcdef');
	const digests = fc.string({ unit: digit, minLength: 64, maxLength: 64 });
	const parts = [
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
	];
	return [
		...fc.sample(digests, random).map((guess) => `t=${time},v1=${guess}`),
		...fc.sample(fc.string({ maxLength: 200 }), random),
		...fc
			.sample(fc.array(fc.constantFrom(...parts), { maxLength: 9 }), random)
			.map((some) => some.join(',')),
	];
}

/** The body with one bit changed, cut or longer at every byte, written otherwise, and any JSON. */
function otherBodies(body: Buffer): Buffer[] {
	const text = body.toString();
	const mutated = Array.from(body, (byte, at) => {
		const [before, after] = [body.subarray(0, at), body.subarray(at)];
		const changed = Buffer.from(body);
		changed[at] = byte ^ (1 << (at % 8));
		return [changed, before, Buffer.concat([before, Buffer.from(' '), after])];
	}).flat();
	const written = [
		...[JSON.stringify(JSON.parse(text), null, 2), `${text}\n`, `\ufeff${text}`],
		...[text.normalize('NFD'), text.toUpperCase(), `${text}${text}`, '{}', '[]', 'null'],
		...['['.repeat(100_000), '{"a":'.repeat(100_000), '9'.repeat(100_000)],
		`{"__proto__":{"isAdmin":true},${text.slice(1)}`,
		...fc.sample(fc.json(), random),
	];
	return [
		...mutated,
		...written.map((one) => Buffer.from(one)),
		Buffer.from(text, 'utf16le'),
		Buffer.from(text, 'latin1'),
	];
}
