import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { encodeFields, FORM, type Fields } from './encoding';
import { explainFailure } from './explain';
import { isRefusedKey, type Outcome } from './response';
import { pause } from './concurrency';
import { backoff, classifyFailure, MAX_WAIT_MS, PortalError, type Failure } from './errors';
import type { Session } from './session';

/** A request to the service as plain data: what an operation declares. */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'DELETE' | 'GET' | 'POST'>;
	/** Built with the `path` template, so that no value leaves its segment. */
	path: string;
	query?: Fields;
	/** Fields of a form; an empty object sends an empty form. */
	form?: Fields;
	/** A JSON body, where the service asks for one. */
	json?: object;
	/**
	 * Whether the request is idempotent although it is a POST: it sets a value. A GET always is; what
	 * creates or duplicates something never.
	 */
	isRepeatable?: boolean;
	/**
	 * Whether it completes a record that the same step has created: the request does no harm twice, but
	 * running the step again would create another record.
	 */
	followsCreation?: boolean;
}

/** How often the key of one request may be refused: workers that exchange at once settle by then. */
const MAX_RENEWALS = 4;
const RENEWAL_WAIT_MS = 250;

/**
 * Sends one request, signed by the credential. An expired user API key is renewed. What is transient
 * (rate limits, a service that is down, a broken connection) is tried again where that cannot do
 * anything twice.
 *
 * @returns the response: an object, an array, text, or `''` for an empty one
 * @throws PortalError with nothing of the request in it
 */
export async function send(session: Session, request: ServiceRequest): Promise<unknown> {
	for (let attempts = 1; ; attempts++) {
		const outcome = await attempt(session, request);
		if ('data' in outcome) {
			session.state.recover();
			return outcome.data;
		}
		const wait = waitBeforeRetry(session, request, outcome.failure, attempts);
		if (wait === undefined) throw failed(session, request, outcome.failure, attempts);
		await pause(wait, session.signal);
	}
}

/** One attempt: sent again with another key, if there is one, while the service refuses the key. */
async function attempt(session: Session, request: ServiceRequest): Promise<Outcome> {
	const { state, signal } = session;
	for (let renewals = 0; ; renewals++) {
		assertNotResting(session);
		await state.waitForSlot(signal);
		if (session.isStopped) throw new PortalError('The execution was stopped');
		const { outcome, userApiKey } = await session.request(toHttpRequest(request));
		const isRenewable = 'failure' in outcome && isRefusedKey(outcome.failure) && userApiKey !== '';
		if (!isRenewable || renewals === MAX_RENEWALS) return outcome;
		// Workers that exchanged keys at the same moment must not do so again at the same moment.
		if (renewals > 0) await pause(Math.random() * RENEWAL_WAIT_MS * 2 ** renewals, signal);
		if (!(await session.renewKey(userApiKey))) return outcome;
	}
}

/**
 * Sends nothing while Portal.io has asked for a pause that is too long to wait for.
 *
 * @throws PortalError as for the request that Portal.io asked with
 */
function assertNotResting({ state }: Session): void {
	if (state.restMs <= MAX_WAIT_MS) return;
	const headers = { 'retry-after': String(Math.ceil(state.restMs / 1000)) };
	throw explainFailure({ status: '429', code: '', headers });
}

/** How long to wait before another attempt, in milliseconds; undefined when there is to be none. */
function waitBeforeRetry(
	session: Session,
	{ method, isRepeatable }: ServiceRequest,
	failure: Failure,
	attempts: number,
): number | undefined {
	const kind = classifyFailure(failure, Date.now());
	const wait = backoff(attempts, kind, Math.random());
	// Whatever becomes of this request: the service asks all of them to wait.
	if (kind.isThrottled) session.state.throttle(wait ?? kind.retryAfter ?? 0);
	// Another attempt would end in the same way.
	if (!kind.isTransient) return undefined;
	// It may have been done, and would then be done twice.
	const isSafe = method === 'GET' || isRepeatable === true || !kind.mayHaveBeenProcessed;
	if (!isSafe) return undefined;
	// As many attempts as the user allows.
	if (attempts >= session.attempts) return undefined;
	// Nobody waits for the response any more.
	if (session.isStopped) return undefined;
	// All requests of a throttled account wait for their slot, this one among them. One that would wait
	// for too long is reported instead.
	if (kind.isThrottled && wait !== undefined) return 0;
	return wait;
}

/** What to say when a request may have been processed, and whether the step may be run again. */
export function doubtAbout({ method, isRepeatable, followsCreation }: ServiceRequest): string {
	const doubt = 'Portal.io may have processed the request.';
	if (followsCreation === true) return doubt;
	return isRepeatable === true || method === 'DELETE'
		? `${doubt} Running the step again does no harm.`
		: `${doubt} Check in Portal.io before you run the step again, so that it is not done twice.`;
}

function failed(
	{ isStopped }: Session,
	request: ServiceRequest,
	failure: Failure,
	attempts: number,
): PortalError {
	const isInDoubt =
		request.method !== 'GET' && classifyFailure(failure, Date.now()).mayHaveBeenProcessed;
	const doubt = isInDoubt ? doubtAbout(request) : '';
	// What broke then is the connection that the stop has closed.
	if (isStopped) return new PortalError('The execution was stopped', { doubt });
	return explainFailure(failure, { path: request.path, doubt, attempts });
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

/** A request of an operation. */
export interface OperationRequest extends ServiceRequest {
	/**
	 * Further documented paths, in the order to try them where the service does not have the first
	 * (docs/assumptions.md#several-documented-paths).
	 */
	alternates?: Array<{ path: string; query?: Fields }>;
}

/** Which of its paths a route was found at, by `<base URL> <method> <route>`. */
const found = new Map<string, number>();

/** A path without the IDs in it: what the service has a route for. */
const routeOf = (baseUrl: string, { method, path }: ServiceRequest) =>
	`${baseUrl} ${method} ${path.replace(/\/\d+/g, '/*')}`;

const PATH_MAY_HAVE_CHANGED =
	'If other operations work, Portal.io may have changed the path of this one: look for a newer version of this package.';

/**
 * Makes a request on the first of its paths that the service has. Which one that was is remembered as
 * long as this process runs.
 *
 * @param attempt sends it on one path
 * @throws what the attempt throws; PortalError when the service has none of the paths
 */
export async function onAnyPath(
	baseUrl: string,
	{ alternates = [], ...first }: OperationRequest,
	attempt: (request: ServiceRequest) => Promise<unknown>,
): Promise<unknown> {
	const requests = [first, ...alternates.map((one) => ({ ...first, query: undefined, ...one }))];
	const route = routeOf(baseUrl, first);
	const indexes = new Set([found.get(route) ?? 0, ...requests.keys()]);
	let missing: PortalError | undefined;
	for (const index of indexes) {
		// Whatever the request does: a service without this route has not done it.
		const response = await attempt(requests[index]!).catch(onlyMissingRoute);
		if (!(response instanceof PortalError)) {
			found.set(route, index);
			return response;
		}
		missing = response;
	}
	throw missing!.with({ advice: [PATH_MAY_HAVE_CHANGED] });
}

/** Sends a request as `send` does, on any of its paths. */
export const sendToAnyPath = async (
	session: Session,
	request: OperationRequest,
): Promise<unknown> =>
	await onAnyPath(session.baseUrl, request, async (one) => await send(session, one));

function onlyMissingRoute(error: Error): PortalError {
	if (error instanceof PortalError && error.facts?.isMissingRoute === true) return error;
	throw error;
}
