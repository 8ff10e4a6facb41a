import {
	NodeOperationError,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { readAccount } from '../auth/account';
import { AS_IT_COMES, failureOf, outcomeOf, type Outcome } from './answer';
import { isRefusedKey, NoRouteError, toNodeError } from './errors';
import { encodeFields, FORM, type Fields } from './form';
import { pause, slowDown, speedUp, turn } from './throttle';
import { fateOf, waitBefore } from './retry';
import { prefersAlternate, rememberAlternate } from './routes';
import { renewKey, sessionOf, type Session } from './session';

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
	/**
	 * Whether sending it twice comes to the same as sending it once: a write that sets a value. A
	 * read always does; what creates or duplicates something never.
	 */
	isRepeatable?: boolean;
}

/**
 * Sends one request, signed by the credential. A user key that expired is renewed; what passes by
 * itself (throttling, a service that is down, a broken connection) is tried again where that cannot
 * do anything twice.
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
	if (alternate === undefined) return await sendOn(caller, first, itemIndex);
	const second = { ...first, query: undefined, ...alternate };
	const baseUrl = await baseUrlOf(caller, itemIndex);
	if (prefersAlternate(baseUrl, first.path)) return await sendOn(caller, second, itemIndex);
	const answer = await sendOn(caller, first, itemIndex).catch(onlyMissingRoute);
	if (!(answer instanceof NoRouteError)) return answer;
	// Whatever the request does: a service without such a route has not done it.
	const answerOfSecond = await sendOn(caller, second, itemIndex);
	rememberAlternate(baseUrl, first.path);
	return answerOfSecond;
}

function onlyMissingRoute(error: Error): NoRouteError {
	if (error instanceof NoRouteError) return error;
	throw error;
}

/** How often a request may find its key refused: workers that exchange at once settle by then. */
const MOST_RENEWALS = 4;
const RENEWAL_WAIT = 250;

/** Sends a request on its one path, again and again while that may help and does no harm. */
async function sendOn(
	caller: Caller,
	request: ServiceRequest,
	itemIndex: number | undefined,
): Promise<unknown> {
	const session = await sessionOf(caller);
	const signal =
		'getExecutionCancelSignal' in caller ? caller.getExecutionCancelSignal() : undefined;
	const baseUrl = await baseUrlOf(caller, itemIndex);
	const isRepeatable = request.method === 'GET' || request.isRepeatable === true;
	let renewals = 0;
	for (let tries = 1; ; tries++) {
		await turn(baseUrl, signal);
		if (signal?.aborted) {
			throw new NodeOperationError(caller.getNode(), 'The execution was stopped', { itemIndex });
		}
		const before = String(session.credential.userApiKey ?? '');
		const outcome = await attempt(caller, request, session);
		// Without a key n8n has exchanged one first, which is then the one that was used.
		const key = before || String(session.credential.userApiKey ?? '');
		if ('answer' in outcome) {
			speedUp(baseUrl);
			return outcome.answer;
		}
		const { failure } = outcome;
		if (isRefusedKey(failure) && key !== '' && renewals < MOST_RENEWALS) {
			renewals++;
			tries--;
			// Workers that fetched keys at the same moment must not do it again at the same moment.
			if (renewals > 1) await pause(Math.random() * RENEWAL_WAIT * 2 ** (renewals - 1), signal);
			await renewKey(caller, session, key);
			continue;
		}
		const fate = fateOf(failure, Date.now());
		const wait = waitBefore(tries, fate, Math.random());
		if (fate.isThrottled) slowDown(baseUrl, wait ?? 0);
		const mayRepeat = fate.isPassing && (isRepeatable || fate.isUntaken);
		if (!mayRepeat || wait === undefined || tries >= session.maxTries || signal?.aborted) {
			const doubt = fate.isUncertain ? doubtAbout(request) : '';
			throw toNodeError(caller.getNode(), failure, itemIndex, { tries, doubt });
		}
		if (!fate.isThrottled) await pause(wait, signal);
	}
}

/**
 * The address of the service that an execution talks to.
 *
 * @throws NodeApiError saying what is wrong with the credential
 */
export async function baseUrlOf(caller: Caller, itemIndex?: number): Promise<string> {
	const { credential } = await sessionOf(caller);
	try {
		return readAccount(credential).baseUrl;
	} catch (error) {
		throw toNodeError(caller.getNode(), failureOf(error), itemIndex);
	}
}

/** What a user has to know of a request that failed and may have been done all the same. */
function doubtAbout({ method, isRepeatable }: ServiceRequest): string {
	if (method === 'GET') return '';
	return isRepeatable === true || method === 'DELETE'
		? 'Portal.io may have done it all the same; running it again does no harm.'
		: 'Portal.io may have done it all the same: look before you run it again, so that it is not done twice.';
}

const attempt = async (
	caller: Caller,
	request: ServiceRequest,
	{ credential }: Session,
): Promise<Outcome> =>
	await outcomeOf(
		// The session renews the key: n8n would do it once for each request that finds it expired.
		caller.helpers.httpRequestWithAuthentication.call(
			caller,
			'portalIoApi',
			toHttpRequest(request),
			{ credentialsDecrypted: { id: '', name: '', type: 'portalIoApi', data: credential } },
		),
		request.method,
	);

function toHttpRequest({ method, path, query, form, json }: ServiceRequest): IHttpRequestOptions {
	const search = query === undefined ? '' : encodeFields(query);
	const options: IHttpRequestOptions = {
		method,
		// Relative: the credential completes it with its own base URL.
		url: search === '' ? path : `${path}?${search}`,
		json: true,
		...AS_IT_COMES,
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
