/** Errors of the service: the response body, and the exceptions that lead to it. */
import { STATUS_CODES } from 'node:http';

export interface FieldError {
	errorCode: string;
	fieldName: string;
	message: string;
}

export class ServiceError extends Error {
	readonly status: number;
	readonly fields: FieldError[];
	/** The name of the exception; by default that of the status. */
	readonly errorCode: string;

	constructor(status: number, message: string, fields: FieldError[] = [], errorCode?: string) {
		super(message);
		this.status = status;
		this.fields = fields;
		this.errorCode = errorCode ?? fields[0]?.errorCode ?? nameOf(status);
	}
}

/** 400 for one wrong field. `fieldName` is the wire name of the parameter, as the caller sent it. */
export const invalid = (fieldName: string, message: string) =>
	new ServiceError(400, message, [{ errorCode: 'Invalid', fieldName, message }]);

/** 404 with a body. `fieldName` is set when the ID came from the body instead of the path. */
export function notFound(what: string, fieldName?: string): ServiceError {
	const message = `${what} not found.`;
	const fields = fieldName ? [{ errorCode: 'NotFound', fieldName, message }] : [];
	return new ServiceError(404, message, fields);
}

/** Returns a record that was looked for; `notFound` without one. */
export function found<T>(record: T | undefined, what: string, fieldName?: string): T {
	if (record === undefined) throw notFound(what, fieldName);
	return record;
}

export const conflict = (message: string) => new ServiceError(409, message);

const nameOf = (status: number) => (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(' ', '');

/** The body as ServiceStack writes it. */
export function errorBody({ message, errorCode, fields }: ServiceError) {
	const errors = fields.length > 0 && { errors: fields };
	return { responseStatus: { errorCode, message, ...errors } };
}
