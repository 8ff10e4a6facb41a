import type { RequestFields, ServiceRequest } from '../../../client/request';

/**
 * Functions that create requests from values under their names in n8n. For example, `salesPersonId` is sent as
 * `SalesPersonId`.
 */
export const request = {
	get: (path: string, query?: RequestFields): ServiceRequest => ({
		method: 'GET',
		path,
		query: query && toPascalCase(query),
	}),
	/** Creates a change that can do harm if it is sent twice. */
	post: (path: string, form: RequestFields): ServiceRequest => ({
		method: 'POST',
		path,
		form: toPascalCase(form),
	}),
	/** Creates a change that sets values, so it can safely be sent twice. */
	repeatablePost: (path: string, form: RequestFields): ServiceRequest => ({
		method: 'POST',
		isRepeatable: true,
		path,
		form: toPascalCase(form),
	}),
	/** Creates a DELETE request without a body, because Portal.io's framework would not read one. */
	delete: (path: string, query?: RequestFields): ServiceRequest => ({
		method: 'DELETE',
		path,
		query: query && toPascalCase(query),
	}),
};

export function toPascalCase(values: RequestFields): RequestFields {
	const fields: RequestFields = {};
	for (const [name, value] of Object.entries(values)) {
		fields[name.charAt(0).toUpperCase() + name.slice(1)] = value;
	}
	return fields;
}
