/** Knows what must stand nowhere but in n8n's encrypted credentials, and looks for it. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { seed, type Simulator } from '../simulator/index.mts';
import { owner } from './n8n/n8n.mts';

/** The number of recent signatures to search for: a leak of one would leak them all. */
const SIGNATURES = 5;

/** By what they are. */
type Secrets = Record<string, string>;

export function secretsOf({ control }: Pick<Simulator, 'control'>): Secrets {
	const header = (name: string) =>
		control.requests.map(({ headers }) => headers[name] ?? '').filter((value) => value !== '');
	const ofWebhooks = control.subscriptions().map((row) => String(row.secret_key));
	return {
		password: seed.dealer.password,
		'secret key': seed.dealer.secretKey,
		"password of n8n's owner": owner.password,
		...numbered('user key', new Set(header('x-mss-api-userkey'))),
		...numbered('signature', header('x-mss-signature').slice(-SIGNATURES)),
		...numbered('webhook secret', ofWebhooks),
	};
}

const numbered = (what: string, secrets: Iterable<string>): Secrets =>
	Object.fromEntries([...secrets].map((secret, index) => [`${what} ${index + 1}`, secret]));

/** Which of the secrets stand in a text, plainly or in one of the ways in which URLs encode them. */
export const findSecrets = (text: string, secrets: Secrets): string[] =>
	Object.keys(secrets).filter((what) =>
		spellings(secrets[what]!).some((spelling) => text.includes(spelling)),
	);

/** The secrets in the files of a folder that were written since a time, without packages. */
export function findSecretsInFiles(folder: string, secrets: Secrets, since: number): string[] {
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
	return [...new Set([secret, inJson, encodeURIComponent(secret), inQuery, inBase64])];
}
