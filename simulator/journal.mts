import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request to the API (the customer page is not recorded), in order of arrival. */
export interface RecordedRequest {
	method: string;
	/** As sent, still percent-encoded. */
	path: string;
	/** What follows the question mark, as sent; '' without one. */
	query: string;
	/** Names (as sent) and values in turn, as node:http gives them. */
	rawHeaders: string[];
	/** By lower-case name; of a repeated header, the values joined. */
	headers: Record<string, string>;
	/** The body as text; of a multipart upload only the beginning. '' without one. */
	bodyText: string;
	/** Set when the route is known, e.g. `proposal.get` or `aiContent.getMany.alternate`. */
	operationId: string | undefined;
	/** Whether it is a request that the contract allows; what is refused after that is refused for other reasons. */
	isAccepted: boolean;
	/** Status of the answer; 0 until it is sent, and for good when the connection broke before. */
	status: number;
	/** When it came in, milliseconds since 1970. */
	time: number;
}

/** Of a body that is not kept, this many bytes are. */
const BEGINNING_BYTES = 4096;

/** Records the beginning of a body that is read by somebody else; call it before that one starts. */
export function keepBeginning(request: IncomingMessage, entry: RecordedRequest): void {
	let beginning = Buffer.alloc(0);
	const keep = (chunk: Buffer) => {
		beginning = Buffer.concat([beginning, chunk.subarray(0, BEGINNING_BYTES - beginning.length)]);
		entry.bodyText = beginning.toString();
		if (beginning.length === BEGINNING_BYTES) request.off('data', keep);
	};
	request.on('data', keep);
}

/** A demo may run for days: only this many requests are kept. */
const MAX_REQUESTS = 10_000;

/** Keeps what was asked, for the assertions of tests. */
export class Journal {
	#requests: RecordedRequest[] = [];

	/** All requests since the start or the last `clear`, the latest 10000 at most. */
	get requests(): readonly RecordedRequest[] {
		return this.#requests;
	}

	/** Records an incoming request; its status follows by itself. */
	add(request: IncomingMessage, response: ServerResponse): RecordedRequest {
		const [path = '', ...query] = request.url!.split('?');
		const entry: RecordedRequest = {
			method: request.method!,
			path,
			query: query.join('?'),
			rawHeaders: request.rawHeaders,
			headers: Object.fromEntries(
				Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
			),
			bodyText: '',
			operationId: undefined,
			isAccepted: false,
			status: 0,
			time: Date.now(),
		};
		this.#requests.push(entry);
		if (this.#requests.length > MAX_REQUESTS) this.#requests.shift();
		response.once('finish', () => {
			entry.status = response.statusCode;
		});
		return entry;
	}

	/** Forgets all requests. */
	clear(): void {
		this.#requests = [];
	}
}
