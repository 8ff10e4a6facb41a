/** Lists the secrets that are allowed only in n8n's encrypted credentials, and searches for them. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { seed, type Simulator } from '../simulator/index.mts';
import { owner } from './n8n/n8n.mts';

/**
 * Number of recent signatures to search for. A few are enough, because code that leaks one would leak every signature.
 */
const SIGNATURES = 5;

/** Secrets by description. */
type Secrets = Record<string, string>;

export function collectSecrets({ control }: Pick<Simulator, 'control'>): Secrets {
	const header = (name: string) =>
		control.requests.map(({ headers }) => headers[name] ?? '').filter((value) => value !== '');
	const ofWebhooks = control.subscriptions().map((row) => String(row.secret_key));
	return {
		password: seed.dealer.password,
		'secret key': seed.dealer.secretKey,
		"password of n8n's owner": owner.password,
		...numberSecrets('user key', new Set(header('x-mss-api-userkey'))),
		...numberSecrets('signature', header('x-mss-signature').slice(-SIGNATURES)),
		...numberSecrets('webhook secret', ofWebhooks),
	};
}

const numberSecrets = (what: string, secrets: Iterable<string>): Secrets =>
	Object.fromEntries([...secrets].map((secret, index) => [`${what} ${index + 1}`, secret]));

/** Returns the descriptions of the secrets that a text contains, plain or encoded for JSON, a URL, or Base64. */
export const findSecrets = (text: string, secrets: Secrets): string[] =>
	Object.keys(secrets).filter((what) =>
		encodings(secrets[what]!).some((spelling) => text.includes(spelling)),
	);

/**
 * Searches the files in a folder for secrets, except files in packages and files that were written before `since`.
 * Returns each secret's file and description.
 */
export function findSecretsInFiles(folder: string, secrets: Secrets, since: number): string[] {
	const isWanted = (file: string) => {
		if (file.split(sep).includes('node_modules')) return false;
		const stats = lstatSync(join(folder, file), { throwIfNoEntry: false });
		return stats?.isFile() && stats.mtimeMs >= since;
	};
	// Don't use a pattern, because it would skip files that start with a dot, including the folder of n8n's data.
	// Ignore missing files, because a running n8n can remove a file between the listing and the search.
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isWanted);
	return files.flatMap((file) => {
		const text = existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'latin1') : '';
		return findSecrets(text, secrets).map((what) => `${file}: ${what}`);
	});
}

function encodings(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inQuery = new URLSearchParams({ '': secret }).toString().slice(1);
	const inBase64 = Buffer.from(secret).toString('base64');
	return [...new Set([secret, inJson, encodeURIComponent(secret), inQuery, inBase64])];
}
