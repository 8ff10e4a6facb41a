/** One part of a multipart body; with a filename it is a file. */
export interface Part {
	name: string;
	value: string | Buffer;
	filename?: string | undefined;
	type?: string;
}

/** The boundary of `multipart`. */
export const boundary = 'simulator-test-7f3a';

/** A multipart body, framed by hand and by nothing of ours. */
export function multipart(parts: Part[]): Buffer {
	const pieces = parts.flatMap(({ name, value, filename, type }) => [
		Buffer.from(
			`--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
				(filename === undefined ? '' : `; filename="${filename}"`) +
				(type === undefined ? '' : `\r\nContent-Type: ${type}`) +
				'\r\n\r\n',
		),
		Buffer.from(value),
		Buffer.from('\r\n'),
	]);
	return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** A file part as the service requires it: field name and file name are the same. */
export const file = (name: string, value: string | Buffer): Part => ({
	name,
	value,
	filename: name,
	type: 'application/octet-stream',
});

/** A form field. */
export const field = (name: string, value: string | number): Part => ({
	name,
	value: String(value),
});
