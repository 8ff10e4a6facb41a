/**
 * How a file is split for an upload (docs/dev/portal-api.md#ai-content-uploads).
 *
 * Portal.io does not say whether an MB is 1,000,000 or 1,048,576 bytes. An upper limit is read as the
 * smaller and a lower limit as the larger of the two: a file is split from 25,000,001 bytes on, and
 * no chunk but the last is under 5 x 1,048,576. Only the largest file is read as the larger: Portal.io
 * itself may refuse the last 7 %.
 */
const MEGABYTE = 1_000_000;
const MEBIBYTE = 1_048_576;

/** The largest file that goes in one piece. */
const MAX_SINGLE_BYTES = 25 * MEGABYTE;

/** The largest file. */
export const MAX_FILE_BYTES = 1024 * MEBIBYTE;

/** The range of the *Chunk Size* option: 5 is the documented minimum, 25 what one request may carry. */
export const CHUNK_MEBIBYTES = { min: 5, max: 25 } as const;

/** From here on the service recommends larger chunks. */
const LARGE_FILE_BYTES = 500 * MEBIBYTE;

/**
 * The sizes of the chunks of a file, in order; a single one when the file goes in one piece.
 *
 * @param fileBytes from 1 to MAX_FILE_BYTES
 * @param chunkMebibytes what the user wants instead of the recommendation
 */
export function planChunks(fileBytes: number, chunkMebibytes?: number): number[] {
	if (fileBytes <= MAX_SINGLE_BYTES) return [fileBytes];
	const recommended = fileBytes <= LARGE_FILE_BYTES ? 8 : 16;
	// The largest that a user can choose is a limit not to be exceeded too.
	const chunkBytes = Math.min(
		Math.round((chunkMebibytes ?? recommended) * MEBIBYTE),
		MAX_SINGLE_BYTES,
	);
	const whole = Math.floor(fileBytes / chunkBytes);
	const rest = fileBytes - whole * chunkBytes;
	return [...Array<number>(whole).fill(chunkBytes), ...(rest > 0 ? [rest] : [])];
}
