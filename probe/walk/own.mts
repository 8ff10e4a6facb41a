/** Which records are the probe's own: nothing else is ever changed. */
import { isSuccess } from '../attempt.mts';
import type { Answer } from '../model.mts';
import type { Json } from './walk.mts';

/** How far the dates of a record that was just made may be from that of the response. */
const JUST_NOW_MS = 120_000;

/**
 * Whether a record is the one that a request has just made, whatever ID the response had: it shows a
 * text that was sent, which no other record has, or it was made at the time of the response.
 *
 * @param made the response to the creation
 * @param read the response to reading the record with that ID
 * @param texts pairs of what was sent and what the record shows
 */
export function isOwn(
	made: Answer,
	read: Answer,
	texts: (record: Json) => [sent: unknown, shown: unknown][],
): boolean {
	const record = (isSuccess(read) ? read.data : made.data) as Json;
	if (typeof record !== 'object' || record === null) return false;
	if (texts(record).some(([sent, shown]) => shown === sent)) return true;
	// Without a read, nothing but the text tells whose record it is.
	if (!isSuccess(read)) return false;
	const date = Date.parse(record.createdDate ?? record.lastModifiedDate);
	return Math.abs(date - Date.parse(String(made.headers.date))) < JUST_NOW_MS;
}
