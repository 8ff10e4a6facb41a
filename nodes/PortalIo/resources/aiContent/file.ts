import type { IBinaryData } from 'n8n-workflow';
import { FieldError } from '../../fields/values';

/**
 * The accepted extensions (docs/dev/portal-api.md#ai-content-uploads), with the types of files that
 * have no extension, or another one such as `.oga`. `text/plain` is not among them: n8n uses it for
 * every file whose type it does not know.
 */
const TYPES: Record<string, string[]> = {
	txt: [],
	mp3: ['audio/mp3', 'audio/mpeg'],
	mp4: ['video/mp4', 'video/x-m4v'],
	mp2: [],
	aac: ['audio/aac'],
	wav: ['audio/vnd.wave', 'audio/wav', 'audio/wave', 'audio/x-wav'],
	flac: ['audio/flac', 'audio/x-flac'],
	pcm: ['audio/l16', 'audio/pcm'],
	m4a: ['audio/m4a', 'audio/mp4', 'audio/x-m4a'],
	ogg: ['audio/ogg'],
	opus: ['audio/opus'],
	webm: ['audio/webm', 'video/webm'],
	mov: ['video/quicktime'],
	mpeg: ['video/mpeg'],
	mpg: [],
};

const EXTENSIONS = Object.keys(TYPES);

/** Servers reject headers with longer names. */
const MAX_LENGTH = 120;

/**
 * Portal.io reads the type of a file from the extension. Characters that end a header or separate
 * folders are replaced; the name that people see is a separate field. Throws a FieldError for other
 * types.
 */
export function sentFileName(file: Partial<IBinaryData>, label: string): string {
	const given = (file.fileName ?? '')
		.replace(/\p{Cc}+/gu, ' ')
		.replace(/"/g, "'")
		.replace(/[\\/]/g, '-')
		.trim();
	// An extension begins with a letter: 'Tour v1.2' has none.
	const [, base, extension] = /^(.*)\.(\p{L}[\p{L}\d]*)$/su.exec(given) ?? [given, given, ''];
	const accepted = extensionOf(extension!, file);
	if (accepted === undefined) {
		const problem =
			extension === ''
				? `has a file without an extension${given === '' ? '' : ` ('${given}')`}, and its type '${file.mimeType ?? ''}' does not identify the format`
				: `has a file of the type '.${extension}'`;
		throw new FieldError(
			label,
			`${problem}: Portal.io accepts ${EXTENSIONS.map((one) => `.${one}`).join(', ')}`,
		);
	}
	const short = [...base!].slice(0, MAX_LENGTH).join('');
	return `${short === '' ? 'content' : short}.${accepted}`;
}

function extensionOf(extension: string, file: Partial<IBinaryData>): string | undefined {
	const known = (one = '') => EXTENSIONS.find((accepted) => accepted === one.toLowerCase());
	const type = (file.mimeType ?? '').split(';')[0]!.trim().toLowerCase();
	const byType = EXTENSIONS.find((one) => TYPES[one]!.includes(type));
	if (extension !== '') return known(extension) ?? byType;
	// n8n sets an extension only if it knows the type.
	return byType ?? known(file.fileExtension);
}

/**
 * Splits a file for an upload (docs/dev/portal-api.md#ai-content-uploads).
 *
 * Portal.io does not say whether an MB is 1,000,000 or 1,048,576 bytes. An upper limit is read as the
 * smaller and a lower limit as the larger of the two: a file is split from 25,000,001 bytes on, and
 * no chunk but the last is under 5 x 1,048,576. Only the largest file is read as the larger: Portal.io
 * itself may reject the last 7%.
 */
const MEGABYTE = 1_000_000;
const MEBIBYTE = 1_048_576;

const MAX_SINGLE_BYTES = 25 * MEGABYTE;

export const MAX_FILE_BYTES = 1024 * MEBIBYTE;

/** The range of the *Chunk Size* option: 5 is the documented minimum, 25 what one request may carry. */
export const CHUNK_MEBIBYTES = { min: 5, max: 25 } as const;

/** From here on the service recommends larger chunks. */
const LARGE_FILE_BYTES = 500 * MEBIBYTE;

/** The sizes of the chunks in bytes; one chunk for a small file. */
export function planChunks(fileBytes: number, chunkMebibytes?: number): number[] {
	if (fileBytes <= MAX_SINGLE_BYTES) return [fileBytes];
	const recommended = fileBytes <= LARGE_FILE_BYTES ? 8 : 16;
	// The largest chunk that a user can choose is above the limit of a request.
	const chunkBytes = Math.min(
		Math.round((chunkMebibytes ?? recommended) * MEBIBYTE),
		MAX_SINGLE_BYTES,
	);
	const whole = Math.floor(fileBytes / chunkBytes);
	const rest = fileBytes - whole * chunkBytes;
	return [...Array<number>(whole).fill(chunkBytes), ...(rest > 0 ? [rest] : [])];
}
