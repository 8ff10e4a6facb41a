import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request to the API (the client's page is not recorded), in order of arrival. */
export interface RecordedRequest {
	method: string;
	/** As sent, still percent-encoded. */
	path: string;
	/** The query after the question mark, as sent; '' without one. */
	query: string;
	/** By lower-case name; the values of a repeated header are joined. */
	headers: Record<string, string>;
	/** The body as text, '' without one, and for an upload. */
	bodyText: string;
	/** Set once the route is found: `proposal.get` or `aiContent.getMany.alternate`, for example. */
	operationId: string | undefined;
	/** Whether it passed validation against the contract. The handler may still refuse it. */
	isAccepted: boolean;
	/** Status of the response; 0 until it is sent, and if the connection broke before that. */
	status: number;
	time: number;
}

/** A demo may run for days, so only the latest requests are kept. */
const MAX_REQUESTS = 10_000;

export function record(
	requests: RecordedRequest[],
	request: IncomingMessage,
	response: ServerResponse,
	time: number,
): RecordedRequest {
	const [path = '', ...query] = request.url!.split('?');
	const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
	const entry: RecordedRequest = {
		...{ method: request.method!, path, query: query.join('?'), time },
		headers: Object.fromEntries(headers),
		...{ bodyText: '', operationId: undefined, isAccepted: false, status: 0 },
	};
	requests.push(entry);
	if (requests.length > MAX_REQUESTS) requests.shift();
	response.once('finish', () => (entry.status = response.statusCode));
	return entry;
}
