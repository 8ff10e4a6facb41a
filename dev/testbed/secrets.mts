/** Knows what must stand nowhere but in n8n's encrypted credentials, and looks for it. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { seed } from '../simulator/index.mts';
import type { Simulator } from '../simulator/index.mts';
import { owner } from './n8n/n8n.mts';

/**
 * Everything secret that there is right now, by what it is: passwords and keys, all that the requests
 * to the service were signed with, and what its deliveries are signed with.
 */
export function secretsOf({ control }: Simulator): Record<string, string> {
	const header = (name: string) =>
		control.requests.map(({ headers }) => headers[name] ?? '').filter((value) => value !== '');
	return {
		password: seed.dealer.password,
		'secret key': seed.dealer.secretKey,
		"password of n8n's owner": owner.password,
		...numbered('user key', new Set(header('x-mss-api-userkey'))),
		...numbered('signature', header('x-mss-signature')),
		...numbered(
			'webhook secret',
			control.subscriptions().map((row) => String(row.secret_key)),
		),
	};
}

function numbered(what: string, secrets: Iterable<string>): Record<string, string> {
	return Object.fromEntries([...secrets].map((secret, index) => [`${what} ${index + 1}`, secret]));
}

/** No secret is shorter, in whatever spelling. */
const BEGINNING = 8;

/** How many characters a hash is made of. */
const HASHED = 4;

/** What a text is gone through with. */
interface Index {
	byBeginning: Map<string, [what: string, spelling: string][]>;
	/** Whether a spelling begins with characters of this hash. */
	isPossible: Uint8Array;
}

/** Of all secrets that are looked for more than once, as there are thousands. */
const indexes = new WeakMap<Record<string, string>, Index>();

/** Which of the secrets stand in a text, plainly or in one of the ways in which URLs encode them. */
export function findSecrets(text: string, secrets: Record<string, string>): string[] {
	const { byBeginning, isPossible } = indexes.get(secrets) ?? indexOf(secrets);
	const found = new Set<string>();
	let hash = 0;
	for (let end = 0; end < text.length; end++) {
		hash = hashWith(hash, text.charCodeAt(end));
		const at = end - HASHED + 1;
		if (isPossible[hash] === 0 || at < 0) continue;
		const candidates = byBeginning.get(text.slice(at, at + BEGINNING)) ?? [];
		for (const [what, spelling] of candidates) if (text.startsWith(spelling, at)) found.add(what);
	}
	return Object.keys(secrets).filter((what) => found.has(what));
}

function indexOf(secrets: Record<string, string>): Index {
	// A database has megabytes and there are thousands of signatures: it is gone through once.
	const byBeginning: Index['byBeginning'] = new Map();
	for (const [what, secret] of Object.entries(secrets)) {
		for (const spelling of new Set(spellings(secret))) {
			if (spelling.length < BEGINNING) throw new Error(`${what} is too short to be looked for`);
			const beginning = spelling.slice(0, BEGINNING);
			const known = byBeginning.get(beginning);
			if (known) known.push([what, spelling]);
			else byBeginning.set(beginning, [[what, spelling]]);
		}
	}
	// Megabytes are searched for thousands of secrets: most places are ruled out by four characters.
	const isPossible = new Uint8Array(1 << 20);
	for (const beginning of byBeginning.keys()) {
		const codes = [...beginning.slice(0, HASHED)].map((character) => character.charCodeAt(0));
		isPossible[codes.reduce(hashWith, 0)] = 1;
	}
	const index = { byBeginning, isPossible };
	indexes.set(secrets, index);
	return index;
}

/** The next hash, of 20 bits: each character moves the one before by five, and the fifth one out. */
const hashWith = (hash: number, code: number) => ((hash << 5) + code) & 0xfffff;

/**
 * Which of the secrets stand in the files of a folder, as `<file>: <secret>`: databases with what was
 * deleted in them, logs, binary data. Installed packages are left out.
 *
 * @param since leaves out what was not written since then, in milliseconds since 1970
 */
export function findSecretsInFiles(
	folder: string,
	secrets: Record<string, string>,
	since = 0,
): string[] {
	const isWanted = (file: string) => {
		if (file.split(sep).includes('node_modules')) return false;
		const stats = lstatSync(join(folder, file), { throwIfNoEntry: false });
		return stats?.isFile() && stats.mtimeMs >= since;
	};
	// Not by a pattern: those leave out what begins with a dot, and with it the folder of n8n's data.
	// Running, n8n may remove one between the listing and the search.
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isWanted);
	return files.flatMap((file) => {
		const text = existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'latin1') : '';
		return findSecrets(text, secrets).map((what) => `${file}: ${what}`);
	});
}

function spellings(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inQuery = new URLSearchParams({ '': secret }).toString().slice(1);
	const inBase64 = Buffer.from(secret).toString('base64');
	return [secret, inJson, encodeURIComponent(secret), inQuery, inBase64];
}
