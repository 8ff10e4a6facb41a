/** Computes signatures as Portal.io would, without the package's code, and returns signatures that openssl computed. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Signature that openssl computed. */
interface Vector {
	/** Name of the vector, such as `a GET`. */
	about: string;
	key: string;
	message: string;
	/** Number of times that `message` is repeated. Defaults to 1. */
	times?: number;
	/** Encoding of the result: Base64 for requests, hexadecimal digits for deliveries. */
	form: 'base64' | 'hex';
	/** Command that computed the result, to paste into a shell. */
	command: string;
	result: string;
}

const vectors: Vector[] = JSON.parse(
	readFileSync(new URL('openssl.json', import.meta.url), 'utf8'),
);

/** Returns a vector by its name, with the complete message. */
export function vector(about: string): Vector {
	const vector = vectors.find((one) => one.about === about);
	if (!vector) throw new Error(`openssl.json has nothing about '${about}'.`);
	return { ...vector, message: vector.message.repeat(vector.times ?? 1) };
}

/** Computes the HMAC-SHA256 of a message. */
export const hmac = (key: string, message: string | Buffer): Buffer =>
	createHmac('sha256', key).update(message).digest();
