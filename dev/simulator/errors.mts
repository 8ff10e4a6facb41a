/** Defines the service's errors: exceptions and their response bodies. */
import { STATUS_CODES } from 'node:http';

export interface FieldError {
	errorCode: string;
	fieldName: string;
	message: string;
}

export class ServiceError extends Error {
	readonly status: number;
	readonly fields: FieldError[];
	/** Name of the exception. Defaults to the name of the status. */
	readonly errorCode: string;

	constructor(status: number, message: string, fields: FieldError[] = [], errorCode?: string) {
		super(message);
		this.status = status;
		this.fields = fields;
		this.errorCode = errorCode ?? fields[0]?.errorCode ?? nameOf(status);
	}
}

/** Creates a 400 about one field. `fieldName` is the parameter's name in the request. */
export const invalid = (fieldName: string, message: string) =>
	new ServiceError(400, message, [{ errorCode: 'Invalid', fieldName, message }]);

/** Creates a 404 with a body. `fieldName` is set if the ID is in the request's body instead of the path. */
export function notFound(what: string, fieldName?: string): ServiceError {
	const message = `${what} not found.`;
	const fields = fieldName ? [{ errorCode: 'NotFound', fieldName, message }] : [];
	return new ServiceError(404, message, fields);
}

/** Returns the record. Throws a 404 if it was not found. */
export function requireFound<T>(record: T | undefined, what: string, fieldName?: string): T {
	if (record === undefined) throw notFound(what, fieldName);
	return record;
}

export const conflict = (message: string) => new ServiceError(409, message);

const nameOf = (status: number) => (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(' ', '');

/** Writes the body as ServiceStack does. */
export function errorBody({ message, errorCode, fields }: ServiceError) {
	const errors = fields.length > 0 && { errors: fields };
	return { responseStatus: { errorCode, message, ...errors } };
}
