import type { RequestFields, ServiceRequest } from '../../../client/request';

/** Callers use the names of n8n's fields: `salesPersonId` is sent as `SalesPersonId`. */
export const request = {
	get: (path: string, query?: RequestFields): ServiceRequest => ({
		method: 'GET',
		path,
		query: query && toPascalCase(query),
	}),
	/** This change may do harm if it is sent twice. */
	post: (path: string, form: RequestFields): ServiceRequest => ({
		method: 'POST',
		path,
		form: toPascalCase(form),
	}),
	/** This change sets values, so it can safely be sent twice. */
	repeatablePost: (path: string, form: RequestFields): ServiceRequest => ({
		method: 'POST',
		isRepeatable: true,
		path,
		form: toPascalCase(form),
	}),
	/** Portal.io's framework does not read the body of a DELETE. */
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
