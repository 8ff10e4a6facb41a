/** A body as it goes over the wire, encoded by the client of this package. */
import { createRequire } from 'node:module';
import type { Body, FileBody } from './model.mts';

const load = createRequire(import.meta.url);
const { encodeFields, FORM } = load('../dist/client/http/form.js');
const { multipart } = load('../dist/client/upload/multipart.js');

/** Body and content type of a request. */
export interface Encoded {
	headers: { 'Content-Type': string };
	body: string | Buffer;
}

/** Encodes a body in its format. */
export async function encode(body: Body | FileBody): Promise<Encoded> {
	if (body.format === 'multipart') return await encodeFile(body);
	const { format, values, lists } = body;
	const sent = Object.fromEntries(
		Object.entries(values).map(([name, value]) => [name, listAs(value, lists)]),
	);
	return format === 'json'
		? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(sent) }
		: { headers: { 'Content-Type': FORM }, body: encodeFields(sent) };
}

function listAs(value: unknown, lists: Body['lists']): unknown {
	if (!Array.isArray(value) || value.some((entry) => typeof entry === 'object')) return value;
	if (lists === 'commas') return value.join(',');
	return lists === 'brackets' ? JSON.stringify(value) : value;
}

async function encodeFile({ fields, fileName, content }: FileBody): Promise<Encoded> {
	const form = multipart(fields, [{ name: fileName, bytes: content.byteLength }]);
	const chunks: Uint8Array[] = [];
	for await (const chunk of form.frame([content])) chunks.push(chunk);
	return { headers: { 'Content-Type': form.contentType }, body: Buffer.concat(chunks) };
}
