/** Refusals as Xero words them. */

/** A refusal with its status and body. */
export class XeroError extends Error {
	readonly status: number;
	readonly body: object;

	constructor(status: number, body: object) {
		super('refused');
		this.status = status;
		this.body = body;
	}
}

/** A record that cannot be saved, with the reasons. */
export function invalidRecord(record: object, messages: string[]): XeroError {
	return new XeroError(400, {
		ErrorNumber: 10,
		Type: 'ValidationException',
		Message: 'A validation exception occurred',
		Elements: [{ ...record, ValidationErrors: messages.map((Message) => ({ Message })) }],
	});
}

/** A filter that cannot be read. */
export function badQuery(message: string): XeroError {
	return new XeroError(400, { ErrorNumber: 16, Type: 'QueryParseException', Message: message });
}

/** A body that cannot be read. */
export function badJson(message: string): XeroError {
	return new XeroError(400, {
		ErrorNumber: 17,
		Type: 'PostDataInvalidException',
		Message: `JSON for post data was invalid,${message}`,
	});
}

/** A request whose sender is not known (401) or has no access to the organization (403). */
export function unauthorized(status: 401 | 403, detail: string): XeroError {
	const Title = status === 401 ? 'Unauthorized' : 'Forbidden';
	return new XeroError(status, { Type: null, Title, Status: status, Detail: detail });
}

/** A record or address that does not exist. */
export const notFound = () =>
	new XeroError(404, {
		ErrorNumber: 404,
		Type: 'NotFoundException',
		Message: 'The resource you are looking for cannot be found',
	});
