import OpenApiValidator from 'express-openapi-validator';

import { ServiceError, type FieldError } from './errors.mts';
import type { Json } from './json.mts';

/** Creates the middleware that validates requests and responses against an OpenAPI document. */
export const openApiMiddleware = OpenApiValidator.middleware;

/** The validator's error classes. */
export const contractErrors = OpenApiValidator.error;

/** The validator's errors by field; those of no single field are only in the message. */
function fieldErrors(
	errors: { path: string; message: string; errorCode?: string }[] = [],
): FieldError[] {
	return errors.flatMap(({ path, message, errorCode = 'Invalid' }) => {
		const [, field] = /^\/(?:query|body|params|headers)\/(.+)$/.exec(path) ?? [];
		if (field === undefined) return [];
		const code = errorCode.replace('.openapi.validation', '');
		return [{ errorCode: code, fieldName: field.replaceAll('/', '.'), message }];
	});
}

/** An error as a refusal; undefined for a defect of the simulator. */
export function refusalOf(error: Json): ServiceError | undefined {
	if (error instanceof ServiceError) return error;
	if (!(error.status >= 400 && error.status < 500)) return undefined;
	return new ServiceError(error.status, String(error.message), fieldErrors(error.errors));
}
