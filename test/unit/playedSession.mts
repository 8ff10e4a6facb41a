/** A session whose service is played by a function. */
import type { IHttpRequestOptions } from 'n8n-workflow';
import { Session, type Context } from '../../client/session.ts';

let users = 0;

/**
 * Opens a session of an account of its own, as much is remembered by account.
 *
 * @param respond gives the body of the response to each request
 * @param more of the context, as n8n gives it to a node
 */
export function playedSession(
	respond: (request: IHttpRequestOptions) => unknown,
	more: object = {},
) {
	const httpRequestWithAuthentication = async (_type: string, request: IHttpRequestOptions) => ({
		statusCode: 200,
		headers: {},
		body: respond(request),
	});
	const getNode = () => ({ name: 'Portal.io' });
	const context = { getNode, helpers: { httpRequestWithAuthentication }, ...more };
	const credential = {
		...{ environment: 'custom', baseUrl: 'https://service.example.com', appKey: 'a' },
		...{ secretKey: 'b', username: `played-${++users}`, password: 'c', userApiKey: '' },
	};
	const session = new Session(context as unknown as Context, credential, { attempts: 1 });
	return { session, context: context as never };
}
