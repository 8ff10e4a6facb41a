import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request to the API (the client's page is not recorded), in order of arrival. */
export type RecordedRequest = ReturnType<typeof entryOf>;

/** A demo may run for days, so only the latest requests are kept. */
const MAX_REQUESTS = 10_000;

function entryOf(request: IncomingMessage, time: number) {
	const [path = '', ...query] = request.url!.split('?');
	const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
	return {
		/** As sent, still percent-encoded. The query has no question mark. */
		...{ method: request.method!, path, query: query.join('?'), time },
		/** By lower-case name; the values of a repeated header are joined. */
		headers: Object.fromEntries(headers) as Record<string, string>,
		/** The body as text, '' without one, and for an upload. */
		bodyText: '',
		/** Set once the route is found: `proposal.get` or `aiContent.getMany.alternate`, for example. */
		operationId: undefined as string | undefined,
		/** Whether it passed validation against the contract. The handler may still refuse it. */
		isAccepted: false,
		/** Status of the response; 0 until it is sent, and if the connection broke before that. */
		status: 0,
	};
}

export function record(
	requests: RecordedRequest[],
	request: IncomingMessage,
	response: ServerResponse,
	time: number,
): RecordedRequest {
	const entry = entryOf(request, time);
	requests.push(entry);
	if (requests.length > MAX_REQUESTS) requests.shift();
	response.once('finish', () => (entry.status = response.statusCode));
	return entry;
}
