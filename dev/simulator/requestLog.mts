import type { IncomingMessage, ServerResponse } from 'node:http';

/** Request to the API, not to the client's page. Requests are in order of arrival. */
export type RecordedRequest = ReturnType<typeof createEntry>;

/** Maximum number of recorded requests, which limits the memory of a demo that runs for days. */
const MAX_REQUESTS = 10_000;

function createEntry(request: IncomingMessage, time: number) {
	const [path = '', ...query] = request.url!.split('?');
	const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
	return {
		method: request.method!,
		path,
		query: query.join('?'),
		time,
		headers: Object.fromEntries(headers) as Record<string, string>,
		bodyText: '',
		operationId: undefined as string | undefined,
		isAccepted: false,
		status: 0,
	};
}

export function record(
	requests: RecordedRequest[],
	request: IncomingMessage,
	response: ServerResponse,
	time: number,
): RecordedRequest {
	const entry = createEntry(request, time);
	requests.push(entry);
	if (requests.length > MAX_REQUESTS) requests.shift();
	response.once('finish', () => (entry.status = response.statusCode));
	return entry;
}
