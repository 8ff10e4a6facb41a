import type { RequestFields, ServiceRequest } from '../../../client/request';

/** Requests as plain data. Fields are named as in n8n: `salesPersonId` is sent as `SalesPersonId`. */
export const request = {
	get: (path: string, query?: RequestFields): ServiceRequest => ({
		method: 'GET',
		path,
		query: query && toPascalCase(query),
	}),
	/** A change that may do harm when it is sent twice. */
	post: (path: string, form: RequestFields): ServiceRequest => ({
		method: 'POST',
		path,
		form: toPascalCase(form),
	}),
	/** Sets values: it has the same effect when it is sent twice. */
	repeatablePost: (path: string, form: RequestFields): ServiceRequest => ({
		method: 'POST',
		isRepeatable: true,
		path,
		form: toPascalCase(form),
	}),
	/** The framework of the service does not read the body of a DELETE. */
	delete: (path: string, query?: RequestFields): ServiceRequest => ({
		method: 'DELETE',
		path,
		query: query && toPascalCase(query),
	}),
};

export function toPascalCase(values: RequestFields): RequestFields {
	const sent: RequestFields = {};
	for (const [name, value] of Object.entries(values)) {
		sent[name.charAt(0).toUpperCase() + name.slice(1)] = value;
	}
	return sent;
}
