/** The openssl command of a vector, written from what it signs. */
import type { Vector } from './hmac.mts';

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A line for a shell, which prints the signature. */
export function commandOf({
	key,
	message,
	times,
	form,
}: Omit<Vector, 'command' | 'result'>): string {
	const print = times
		? `yes ${quote(message)} | head -n ${times} | tr -d '\\n'`
		: `printf '%s' ${quote(message)}`;
	const sign = `openssl dgst -sha256 -mac HMAC -macopt ${quote(`key:${key}`)} -binary`;
	const show = form === 'base64' ? 'base64' : "od -An -v -tx1 | tr -d ' \\n'";
	return `${print} | ${sign} | ${show}`;
}
