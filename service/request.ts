import type {
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { readAccount } from './account';
import { NoRouteError, toNodeError } from './errors';
import { encodeFields, FORM, type Fields } from './form';
import { prefersAlternate, rememberAlternate } from './routes';

/** Whatever n8n calls a node with; each of them can send signed requests. */
export type Caller =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

/** A request to the service as plain data: what an operation declares. */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'DELETE' | 'GET' | 'POST'>;
	/** Built with the `path` template, so that no value leaves its segment. */
	path: string;
	query?: Fields;
	/** A second documented path, for when the service does not have the first one. */
	alternate?: { path: string; query?: Fields };
	/** Fields of a form; an empty object sends an empty form. */
	form?: Fields;
	/** A JSON body, where the service asks for one. */
	json?: object;
}

/**
 * Sends one request, signed by the credential, and renewed once by n8n when the user key expired.
 *
 * @param itemIndex the input that the request is made for, named in errors
 * @returns what the service answered: an object, an array, text, or `''` for an empty answer
 * @throws NodeApiError in the user's words, with nothing of the request in it
 */
export async function send(
	caller: Caller,
	request: ServiceRequest,
	itemIndex?: number,
): Promise<unknown> {
	const { alternate, ...first } = request;
	if (alternate === undefined) return await sendOnce(caller, first, itemIndex);
	const second = { ...first, query: undefined, ...alternate };
	const { baseUrl } = readAccount(await caller.getCredentials('portalIoApi'));
	if (prefersAlternate(baseUrl, first.path)) return await sendOnce(caller, second, itemIndex);
	const answer = await sendOnce(caller, first, itemIndex).catch(onlyMissingRoute);
	if (!(answer instanceof NoRouteError)) return answer;
	// Whatever the request does: a service without such a route has not done it.
	const answerOfSecond = await sendOnce(caller, second, itemIndex);
	rememberAlternate(baseUrl, first.path);
	return answerOfSecond;
}

function onlyMissingRoute(error: Error): NoRouteError {
	if (error instanceof NoRouteError) return error;
	throw error;
}

async function sendOnce(
	caller: Caller,
	request: ServiceRequest,
	itemIndex: number | undefined,
): Promise<unknown> {
	try {
		return await caller.helpers.httpRequestWithAuthentication.call(
			caller,
			'portalIoApi',
			toHttpRequest(request),
		);
	} catch (error) {
		throw toNodeError(caller.getNode(), error, itemIndex);
	}
}

function toHttpRequest({ method, path, query, form, json }: ServiceRequest): IHttpRequestOptions {
	const search = query === undefined ? '' : encodeFields(query);
	const options: IHttpRequestOptions = {
		method,
		// Relative: the credential completes it with its own base URL.
		url: search === '' ? path : `${path}?${search}`,
		json: true,
	};
	if (form !== undefined) {
		options.headers = { 'Content-Type': FORM };
		options.body = encodeFields(form);
	}
	if (json !== undefined) {
		options.headers = { 'Content-Type': 'application/json' };
		options.body = JSON.stringify(json);
	}
	return options;
}
