/** The errors of QuickBooks Online. */

/** An error as QuickBooks answers it. */
export class Fault extends Error {
	readonly status: number;
	readonly body: object;

	constructor(code: string, message: string, detail: string, status = 400) {
		super(`${code} ${message}: ${detail}`);
		this.status = status;
		const type = status === 400 ? 'ValidationFault' : 'SystemFault';
		this.body = {
			Fault: { Error: [{ Message: message, Detail: detail, code, element: '' }], type },
			time: new Date().toISOString(),
		};
	}
}

/** Refuses a request that lacks a field. */
export const missing = (field: string) =>
	new Fault(
		'2020',
		'Required param missing, need to supply the required value for the API',
		`Required parameter ${field} is missing in the request`,
	);

/** Refuses a field that does not exist. */
export const unknownField = (field: string) =>
	new Fault(
		'2010',
		'Request has invalid or unsupported property',
		`Property Name:${field} specified is unsupported or invalid`,
	);

/** Refuses a reference to something that does not exist or is inactive. */
export const badReference = (field: string, id: unknown) =>
	new Fault(
		'2500',
		'Invalid Reference Id',
		`Invalid Reference Id : Something you're trying to use has been made inactive or does not exist. ${field} ${String(id)}`,
	);

/** Answers a request for something that does not exist. */
export const notFound = () =>
	new Fault(
		'610',
		'Object Not Found',
		"Object Not Found : Something you're trying to use has been made inactive. Check the fields with accounts, customers, items, vendors or employees.",
	);
