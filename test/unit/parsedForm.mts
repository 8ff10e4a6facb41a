import busboy from 'busboy';

/** Field or file in a form. */
export interface Part {
	name: string;
	filename?: string;
	value: Buffer;
}

/** Parses a form with a library, and returns the form's parts in order. */
export async function parse(contentType: string, body: Buffer): Promise<Part[]> {
	const parts: Part[] = [];
	const headers = { 'content-type': contentType };
	const parser = busboy({ headers, defParamCharset: 'utf8', preservePath: true });
	parser.on('field', (name, value) => parts.push({ name, value: Buffer.from(value) }));
	parser.on('file', (name, file, { filename }) => {
		const chunks: Buffer[] = [];
		const part: Part = { name, filename, value: Buffer.alloc(0) };
		parts.push(part);
		file.on('data', (chunk: Buffer) => chunks.push(chunk));
		file.on('end', () => (part.value = Buffer.concat(chunks)));
	});
	const closed = new Promise((resolve, reject) => parser.on('close', resolve).on('error', reject));
	parser.end(body);
	await closed;
	return parts;
}
