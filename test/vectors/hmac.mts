/**
 * Signatures of the other side of the wire, made without the published code, and those that openssl
 * has computed, to check both (openssl.json; `node test/vectors/remake.mts` computes them again).
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A signature that openssl has computed. */
export interface Vector {
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

/** The file of the vectors. */
export const vectorsFile = new URL('openssl.json', import.meta.url);

/** All vectors. */
export const vectors: Vector[] = JSON.parse(readFileSync(vectorsFile, 'utf8'));

/** The vector about something. */
export function vector(about: string): Vector {
	const found = vectors.find((one) => one.about === about);
	if (!found) throw new Error(`openssl.json has nothing about '${about}'.`);
	return found;
}

/** The text that a vector signs. */
export const messageOf = ({ message, times = 1 }: Pick<Vector, 'message' | 'times'>): string =>
	message.repeat(times);

/** The HMAC-SHA256 of a message, which test/unit/vectors.test.mts compares with openssl's. */
export const hmac = (key: string, message: string | Buffer): Buffer =>
	createHmac('sha256', key).update(message).digest();
