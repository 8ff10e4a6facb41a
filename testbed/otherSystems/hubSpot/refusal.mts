/** The errors of HubSpot. */
import { randomUUID } from 'node:crypto';

/** A refusal as HubSpot answers it. */
export class Refusal extends Error {
	readonly status: number;
	readonly body: object;

	constructor(status: number, category: string, message: string, more: object = {}) {
		super(message);
		this.status = status;
		this.body = { status: 'error', message, correlationId: randomUUID(), category, ...more };
	}
}

/** Refuses a request without the account's service key. */
export const unauthorized = () =>
	new Refusal(
		401,
		'INVALID_AUTHENTICATION',
		'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
	);

/** Refuses a request that does not make sense. */
export const invalid = (message: string) => new Refusal(400, 'VALIDATION_ERROR', message);

/** Refuses values of properties. */
export const badProperties = (validationResults: object[]) =>
	new Refusal(400, 'VALIDATION_ERROR', 'Property values were not valid', { validationResults });

/** Answers a request for something that does not exist. */
export const notFound = () => new Refusal(404, 'OBJECT_NOT_FOUND', 'resource not found');

/** Refuses a second contact with an email. */
export const alreadyThere = (id: number) =>
	new Refusal(409, 'CONFLICT', `Contact already exists. Existing ID: ${id}`);
