import type { IExecuteFunctions } from 'n8n-workflow';
import type { Multipart } from './multipart';

/** A stream as n8n opens it; Node's own type of it cannot be imported in a community node. */
export type FileStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** The body of an upload. */
export interface Body {
	/** A Buffer where n8n holds the file in memory. */
	content: FileStream | Buffer;
	/**
	 * How many of its bytes were sent: when in doubt, the service has received them. Undefined for a
	 * Buffer, which Node sends on its own.
	 */
	sentBytes(): number | undefined;
	/** Why the file could not be read to its end; undefined while it could. */
	fileError(): Error | undefined;
	/** Ends the reading of the file, whatever became of the request. */
	close(): void;
}

/** Puts a file into its form; a stream is read as fast as it is sent. */
export async function buildBody(form: Multipart, file: FileStream | Buffer): Promise<Body> {
	return Buffer.isBuffer(file) ? await inMemory(form, file) : streamed(form, file);
}

async function inMemory(form: Multipart, file: Buffer): Promise<Body> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of form.frame([file])) chunks.push(chunk);
	return {
		content: Buffer.concat(chunks),
		sentBytes: () => undefined,
		fileError: () => undefined,
		close: () => {},
	};
}

function streamed(form: Multipart, file: FileStream): Body {
	const sizes: number[] = [];
	const content = file.compose(async function* (chunks: AsyncIterable<Uint8Array>) {
		for await (const chunk of form.frame(chunks)) {
			sizes.push(chunk.byteLength);
			yield chunk;
		}
	}) as FileStream;
	let fileError: Error | undefined;
	// What fails on the way to the service ends the request: an error here is about the file.
	content.on('error', (error: Error) => (fileError ??= error));
	return {
		content,
		// The chunks that still wait in the stream were not sent.
		sentBytes: () =>
			sizes
				.slice(0, Math.max(0, sizes.length - content.readableLength))
				.reduce((sum, size) => sum + size, 0),
		fileError: () => fileError,
		// n8n does not do it when a request fails or is refused early.
		close: () => {
			content.destroy();
			file.destroy();
		},
	};
}
