/** Signatures of the other side of the wire: made without the published code, or computed by openssl. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A signature that openssl has computed. */
interface Vector {
	/** What is signed. */
	about: string;
	key: string;
	message: string;
	/** How often the message is repeated, where one is long; once when left out. */
	times?: number;
	/** The form of the result: requests are signed in Base64, deliveries in hexadecimal digits. */
	form: 'base64' | 'hex';
	/** What computed the result, to be pasted into a shell. */
	command: string;
	result: string;
}

const vectors: Vector[] = JSON.parse(
	readFileSync(new URL('openssl.json', import.meta.url), 'utf8'),
);

/** The vector about something, with the whole text that it signs. */
export function vector(about: string): Vector {
	const found = vectors.find((one) => one.about === about);
	if (!found) throw new Error(`openssl.json has nothing about '${about}'.`);
	return { ...found, message: found.message.repeat(found.times ?? 1) };
}

/** The HMAC-SHA256 of a message. */
export const hmac = (key: string, message: string | Buffer): Buffer =>
	createHmac('sha256', key).update(message).digest();
