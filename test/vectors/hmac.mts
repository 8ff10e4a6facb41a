/** Signatures of the other side of the wire: made without the published code, or computed by openssl. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A signature that openssl has computed. */
interface Vector {
	/** The signed message. */
	about: string;
	key: string;
	message: string;
	/** The number of repetitions of the message, for long ones; 1 by default. */
	times?: number;
	/** The form of the result: requests are signed in Base64, deliveries in hexadecimal digits. */
	form: 'base64' | 'hex';
	/** The command that computed the result, to paste into a shell. */
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
