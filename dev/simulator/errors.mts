/** Errors of the service: the HttpError response body, and the exceptions that lead to it. */

import { STATUS_CODES } from 'node:http';

import type { Json } from './json.mts';

/** One entry of `responseStatus.errors`: which field is wrong and why. */
export interface FieldError {
	errorCode: string;
	fieldName: string;
	message: string;
}

/** Thrown while a request is handled; sent as an HttpError response. */
export class ServiceError extends Error {
	readonly status: number;
	readonly fields: FieldError[];

	constructor(status: number, message: string, fields: FieldError[] = []) {
		super(message);
		this.status = status;
		this.fields = fields;
	}
}

/**
 * 400 for one wrong field. `fieldName` is the wire name of the parameter, as the caller sent it.
 */
export function invalid(fieldName: string, message: string): ServiceError {
	return new ServiceError(400, message, [{ errorCode: 'Invalid', fieldName, message }]);
}

/**
 * 404 with a body: the route exists, the record does not, or belongs to another account.
 * `fieldName` is set when its ID came from a field of the body instead of the path.
 */
export function notFound(what: string, fieldName?: string): ServiceError {
	const message = `${what} not found.`;
	const fields = fieldName ? [{ errorCode: 'NotFound', fieldName, message }] : [];
	return new ServiceError(404, message, fields);
}

/** 409: the status of the proposal does not allow the request. */
export function conflict(message: string): ServiceError {
	return new ServiceError(409, message);
}

/**
 * The HttpError body. Which values `errorCode` has is not documented: names of HTTP here (assumed).
 */
export function httpErrorBody(status: number, message: string, fields: FieldError[] = []) {
	const statusDescription = STATUS_CODES[status] ?? `Status ${status}`;
	const code = statusDescription.replaceAll(' ', '');
	return {
		errorCode: code,
		message,
		status,
		statusCode: code,
		statusDescription,
		contentType: 'application/json',
		responseStatus: {
			errorCode: fields[0]?.errorCode ?? code,
			message,
			stackTrace: '',
			errors: fields.map((field) => ({ ...field, meta: {} })),
			meta: {},
		},
	};
}

/** An error of the validator as a refusal; undefined for a defect of the simulator. */
export function refusalOf(error: Json): ServiceError | undefined {
	if (error instanceof ServiceError) return error;
	if (!(error.status >= 400 && error.status < 500)) return undefined;
	// What is wrong with no single field stands only in the message.
	const fields = (error.errors ?? []).flatMap(({ path, message, errorCode = 'Invalid' }: Json) => {
		const [, field] = /^\/(?:query|body|params|headers)\/(.+)$/.exec(path) ?? [];
		if (field === undefined) return [];
		const code = errorCode.replace('.openapi.validation', '');
		return [{ errorCode: code, fieldName: field.replaceAll('/', '.'), message }];
	});
	return new ServiceError(error.status, String(error.message), fields);
}
