/** Requests as plain data. Fields are named as in n8n: `salesPersonId` is sent as `SalesPersonId`. */
import type { FieldValue, ServiceRequest } from '../../../client/request';

type Fields = Record<string, FieldValue>;

export const get = (path: string, query?: Fields): ServiceRequest => ({
	...{ method: 'GET', path, ...(query && { query: toPascalCase(query) }) },
});

/** A change that may do harm when it is sent twice. */
export const post = (path: string, form: Fields): ServiceRequest => ({
	...{ method: 'POST', path, form: toPascalCase(form) },
});

/** A change that sets values, and may be sent twice. */
export const set = (path: string, form: Fields): ServiceRequest => ({
	...{ method: 'POST', isRepeatable: true, path, form: toPascalCase(form) },
});

/** The framework of the service does not read the body of a DELETE. */
export const remove = (path: string, query?: Fields): ServiceRequest => ({
	...{ method: 'DELETE', path, ...(query && { query: toPascalCase(query) }) },
});

export function toPascalCase(values: Fields): Fields {
	const sent: Fields = {};
	for (const [name, value] of Object.entries(values)) {
		sent[name.charAt(0).toUpperCase() + name.slice(1)] = value;
	}
	return sent;
}
