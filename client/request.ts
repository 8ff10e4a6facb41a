import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { pause } from './concurrency';
import { encodeFields, FORM, type Fields } from './encoding';
import { backoff, classifyFailure, MAX_WAIT_MS, PortalError, type Failure } from './errors';
import { explainFailure } from './explain';
import { isRefusedKey } from './response';
import type { Session } from './session';

/** A request to the service as plain data: what an operation declares. */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'DELETE' | 'GET' | 'POST'>;
	/** Built with the `path` template, so that no value leaves its segment. */
	path: string;
	query?: Fields;
	/**
	 * Further documented paths, in the order to try them where the service does not have the first
	 * (docs/assumptions.md#several-documented-paths).
	 */
	alternates?: Array<{ path: string; query?: Fields }>;
	/** An empty object sends an empty form. */
	form?: Fields;
	json?: object;
	/** Whether a POST is idempotent, such as one that sets a value. */
	isRepeatable?: boolean;
	/**
	 * Whether it completes a record that the same step has created: the request does no harm twice, but
	 * running the step again would create another record.
	 */
	followsCreation?: boolean;
}

/** For several n8n workers that renew the key at the same time. */
const MAX_RENEWALS = 4;
const RENEWAL_WAIT_MS = 250;

/**
 * Sends a request, signed by the credential, on the first of its paths that the service has. An expired
 * user API key is renewed. What is transient (rate limits, a service that is down, a broken connection)
 * is tried again where that cannot do anything twice.
 *
 * Returns an object, an array, text, or `''`. Throws a PortalError with nothing of the request in it.
 */
export async function send(session: Session, request: ServiceRequest): Promise<unknown> {
	if (request.alternates === undefined) return await sendTo(session, request);
	return await onAnyPath(session, request, async (one) => await sendTo(session, one));
}

async function sendTo(session: Session, request: ServiceRequest): Promise<unknown> {
	const { state, signal } = session;
	for (let attempts = 1, renewals = 0; ;) {
		if (state.restMs > MAX_WAIT_MS) throw restError(state.restMs);
		await state.waitForSlot(signal);
		if (session.isStopped) throw new PortalError('The execution was stopped');
		// Another request may have met a rate limit while this one waited.
		if (state.restMs > 0) continue;
		const { outcome, userApiKey } = await session.request(toHttpRequest(request));
		if ('data' in outcome) {
			state.recover();
			return outcome.data;
		}
		const { failure } = outcome;
		if (isRefusedKey(failure) && userApiKey !== '' && renewals < MAX_RENEWALS) {
			// Another worker may have renewed the key at the same time: a random wait keeps them apart.
			if (renewals > 0) await pause(Math.random() * RENEWAL_WAIT_MS * 2 ** renewals, signal);
			renewals++;
			if (await session.renewKey(userApiKey)) continue;
		}
		const wait = waitBeforeRetry(session, request, failure, attempts);
		if (wait === undefined) throw failed(session, request, failure, attempts);
		attempts++;
		await pause(wait, signal);
	}
}

/** Sends nothing while Portal.io asks for a pause that is too long to wait for. */
function restError(restMs: number): PortalError {
	const headers = { 'retry-after': String(Math.ceil(restMs / 1000)) };
	return explainFailure({ status: '429', code: '', headers });
}

/** In milliseconds; undefined to give up. */
function waitBeforeRetry(
	session: Session,
	{ method, isRepeatable }: ServiceRequest,
	failure: Failure,
	attempts: number,
): number | undefined {
	const kind = classifyFailure(failure);
	const wait = backoff(attempts, kind, Math.random());
	// Also if this request is not sent again: the service asks all of them to wait.
	if (kind.isThrottled) session.state.throttle(wait ?? kind.retryAfter ?? 0);
	if (!kind.isTransient) return undefined;
	const isSafe = method === 'GET' || isRepeatable === true || !kind.mayHaveBeenProcessed;
	if (!isSafe) return undefined;
	if (attempts >= session.attempts || session.isStopped) return undefined;
	// All requests of a throttled account wait for their slot, this one among them. One that would wait
	// for too long is reported instead.
	return kind.isThrottled && wait !== undefined ? 0 : wait;
}

/** Says that a request may have been processed, and whether the step may be run again. */
export function doubtAbout({ method, isRepeatable, followsCreation }: ServiceRequest): string {
	const doubt = 'Portal.io may have processed the request.';
	if (followsCreation === true) return doubt;
	return isRepeatable === true || method === 'DELETE'
		? `${doubt} You can safely run the step again.`
		: `${doubt} Check in Portal.io before you run the step again, to avoid duplicates.`;
}

function failed(
	{ isStopped }: Session,
	request: ServiceRequest,
	failure: Failure,
	attempts: number,
): PortalError {
	const isInDoubt = request.method !== 'GET' && classifyFailure(failure).mayHaveBeenProcessed;
	const doubt = isInDoubt ? doubtAbout(request) : '';
	// The stop has closed the connection.
	if (isStopped) return new PortalError('The execution was stopped', { doubt });
	return explainFailure(failure, { path: request.path, doubt, attempts });
}

function toHttpRequest({ method, path, query, form, json }: ServiceRequest): IHttpRequestOptions {
	// Relative: the credential completes it with its own base URL.
	const options: IHttpRequestOptions = { method, url: withQuery(path, query), json: true };
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

export function withQuery(path: string, query: Fields = {}): string {
	const search = encodeFields(query);
	return search === '' ? path : `${path}?${search}`;
}

/** Which of its paths the service has, by `<base URL> <method> <path without its IDs>`. */
const found = new Map<string, number>();

/** Calls `attempt` for each path of a request until the service has it; this process remembers which. */
export async function onAnyPath(
	{ account }: Pick<Session, 'account'>,
	{ alternates = [], ...first }: ServiceRequest,
	attempt: (request: ServiceRequest) => Promise<unknown>,
): Promise<unknown> {
	const requests = [first, ...alternates.map((one) => ({ ...first, query: undefined, ...one }))];
	const route = `${account.baseUrl} ${first.method} ${first.path.replace(/\/\d+/g, '/*')}`;
	let missing: PortalError | undefined;
	for (const index of new Set([found.get(route) ?? 0, ...requests.keys()])) {
		// A service without this route has done nothing, not even a change.
		const response = await attempt(requests[index]!).catch(onlyMissingRoute);
		if (!(response instanceof PortalError)) {
			found.set(route, index);
			return response;
		}
		missing = response;
	}
	throw missing!;
}

function onlyMissingRoute(error: Error): PortalError {
	if (error instanceof PortalError && error.facts?.isMissingRoute === true) return error;
	throw error;
}
