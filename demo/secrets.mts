/** Knows what must stand nowhere but in n8n's encrypted credentials, and looks for it. */
import { seed } from '../simulator/index.mts';
import type { Simulator } from '../simulator/index.mts';
import { owner } from './n8n.mts';

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

/** Which of the secrets stand in a text, plainly or in one of the ways in which URLs encode them. */
export function findSecrets(text: string, secrets: Record<string, string>): string[] {
	return Object.entries(secrets)
		.filter(([, secret]) => spellings(secret).some((spelling) => text.includes(spelling)))
		.map(([what]) => what);
}

function spellings(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inQuery = new URLSearchParams({ '': secret }).toString().slice(1);
	const inBase64 = Buffer.from(secret).toString('base64');
	return [secret, inJson, encodeURIComponent(secret), inQuery, inBase64];
}
