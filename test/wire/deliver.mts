/** Signs deliveries with a tool of its own: what is checked must not sign what checks it. */
import { execFileSync } from 'node:child_process';

/** The HMAC-SHA256 of a text under a secret, in hexadecimal form. */
export function digest(secret: string, signed: string): string {
	return execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `key:${secret}`], {
		input: signed,
	})
		.toString()
		.trim()
		.split(' ')
		.at(-1)!;
}

/** The headers of a delivery that Portal.io signs at a time, in unix seconds. */
export const signedHeaders = (
	secret: string,
	text: string,
	time = Math.floor(Date.now() / 1000),
) => ({
	'x-webhook-signature': `t=${time},v1=${digest(secret, `${time}.${text}`)}`,
});
