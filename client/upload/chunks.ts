/**
 * How a file is cut for an upload (specification, *Upload AI content* and *Limits*).
 *
 * The service says MB and GB and not what it means by them. A limit that may not be exceeded is
 * taken by its smaller reading and one that must be reached by its larger, so that either reading
 * is kept: a file is cut from 25,000,001 bytes on, and no chunk but the last is under 5 x 1,048,576.
 * Only of the largest file the two cannot both be had, and there the larger one stands: whether
 * Portal.io takes the last 7 % is its own to say.
 */
const MEGABYTE = 1_000_000;
const MEBIBYTE = 1_048_576;

/** The largest file that goes in one piece. */
export const MAX_SINGLE_BYTES = 25 * MEGABYTE;

/** The largest file. */
export const MAX_FILE_BYTES = 1024 * MEBIBYTE;

/** In the unit of the *Chunk Size* option: 5 by the limits, 25 by what one request may carry. */
export const CHUNK_MEBIBYTES = { min: 5, max: 25 } as const;

/** From here on the service recommends larger chunks. */
const LARGE_FILE_BYTES = 500 * MEBIBYTE;

/**
 * The sizes of the chunks of a file, in order; a single one when the file goes in one piece.
 *
 * @param fileBytes from 1 to MAX_FILE_BYTES
 * @param chunkMebibytes what the user wants instead of the recommendation; for files that are cut
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
