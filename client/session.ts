import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { readAccount, readUserApiKey, storedUserApiKey, type Account } from './account';
import { accountStateOf, type AccountState } from './accountState';
import { pause } from './concurrency';
import { CredentialError, PortalError, type Failure } from './errors';
import { explainFailure } from './explain';
import { doubtAbout, onAnyPath, toHttpRequest, type ServiceRequest } from './request';
import { mayBeRejectedKey, REQUEST_TIMEOUT_MS, sendAndRead, type RequestOutcome } from './response';
import { backoff, DEFAULT_ATTEMPTS, isThrottled, mayHaveBeenProcessed, shouldRetry } from './retry';

export type NodeContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

export interface SessionOptions {
	attempts?: number;
	/** The time limit of one attempt with its response, in milliseconds; five minutes by default. */
	timeoutMs?: number;
	/** Ends the waits of the session and lets no further request begin; n8n's cancel signal if absent. */
	signal?: AbortSignal;
	/** The input for which expressions in the credential are resolved; the first one if absent. */
	itemIndex?: number;
}

/** For several n8n workers that renew the key at the same time. */
const MAX_RENEWALS = 4;
const RENEWAL_WAIT_MS = 250;

/** A user API key of a session: a stored one, or that of a login, which is empty until n8n has logged in. */
export interface UserApiKey {
	value: string;
	/** The number of logins of the account before that login; undefined for a stored key. */
	loginsBefore?: number;
	/** Whether a request has succeeded with it. */
	hasWorked?: boolean;
}

/**
 * Shared by the requests of one account in an execution, poll or delivery. The credential is decrypted
 * once: n8n's request helper would read it from the database for every request.
 */
export class Session {
	readonly node: INode;
	readonly signal: AbortSignal | undefined;
	/** Its user API key may be outdated: see `userApiKey`. */
	readonly account: Account;
	readonly state: AccountState;
	/** By how much the service's clock is ahead of that of the n8n server, by its last response. */
	clockLeadMs = 0;
	/** Signs the next request. A rejected key is replaced by another object, never changed. */
	userApiKey: UserApiKey;
	readonly options: SessionOptions;
	/** The values of the keys that were replaced; '' means no key. */
	private readonly rejectedKeys = new Set(['']);
	private readonly context: NodeContext;
	private readonly credential: ICredentialDataDecryptedObject;

	/** Expects a decrypted credential. */
	constructor(
		context: NodeContext,
		credential: ICredentialDataDecryptedObject,
		options: SessionOptions,
	) {
		const stop =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		this.context = context;
		this.credential = credential;
		this.options = options;
		this.node = context.getNode();
		this.signal = options.signal ?? stop;
		this.account = readAccount(credential);
		this.state = accountStateOf(this.account.fingerprint);
		const { userApiKey: value } = this.account;
		this.userApiKey = { value, loginsBefore: value === '' ? this.state.logins.count : undefined };
	}

	get isStopped(): boolean {
		return this.signal?.aborted === true;
	}

	/**
	 * Sends a request on the first of its paths that Portal.io has, renews an expired user API key, and
	 * retries after temporary failures where that cannot do anything twice.
	 *
	 * Returns an object, an array, text, or `''`. Throws a PortalError without the request in it.
	 */
	async send(request: ServiceRequest): Promise<unknown> {
		const { account, state, signal, options } = this;
		if (request.alternates !== undefined) {
			return await onAnyPath(account.baseUrl, request, async (one) => await this.send(one));
		}
		const maxAttempts = options.attempts ?? DEFAULT_ATTEMPTS;
		// A request before which n8n logs in renews the key, too.
		let renewals = this.userApiKey.value === '' ? 1 : 0;
		for (let attempt = 1; ;) {
			const retryAfterMs = await state.rateLimit.waitForStart(signal);
			if (this.isStopped) throw new PortalError('The execution was stopped');
			if (retryAfterMs > 0) throw explainFailure({ status: '429', retryAfterMs });
			const { outcome, userApiKey } = await this.request(toHttpRequest(request));
			if ('data' in outcome) {
				state.logins.clearRejections();
				return outcome.data;
			}
			const { failure } = outcome;
			if (mayBeRejectedKey(failure) && renewals < MAX_RENEWALS) {
				// Another worker may have renewed the key at the same time: a random wait keeps them apart.
				if (renewals > 0) await pause(Math.random() * RENEWAL_WAIT_MS * 2 ** renewals, signal);
				renewals++;
				if (await this.renewKey(userApiKey)) continue;
			}
			const wait = backoff(failure, attempt, Math.random());
			if (isThrottled(failure)) state.rateLimit.holdRequests(wait);
			if (this.isStopped || !shouldRetry(request, failure, attempt, maxAttempts)) {
				throw this.explain(request, failure, attempt);
			}
			attempt++;
			// A throttled request waits with all others of the account.
			if (!isThrottled(failure)) await pause(wait, signal);
		}
	}

	private explain(request: ServiceRequest, failure: Failure, attempts: number): PortalError {
		const isInDoubt = request.method !== 'GET' && mayHaveBeenProcessed(failure);
		const doubt = isInDoubt ? doubtAbout(request) : '';
		// The stop has closed the connection.
		if (this.isStopped) return new PortalError('The execution was stopped', { doubt });
		return explainFailure(failure, { path: request.path, doubt, attempts });
	}

	/**
	 * Sends a request once, signed by the credential. Without a user API key, n8n logs in first. Returns
	 * the outcome and the key that the request was signed with.
	 */
	async request(
		request: IHttpRequestOptions,
	): Promise<{ outcome: RequestOutcome; userApiKey: UserApiKey }> {
		const { context, account, credential, options, userApiKey } = this;
		// n8n logs in before a request only if this is empty, and writes the new key into `data`.
		const stored = userApiKey.value && storedUserApiKey(account, userApiKey.value);
		const data = { ...credential, userApiKey: stored };
		const credentialsDecrypted = { id: '', name: '', type: 'portalIoApi', data };
		const { httpRequestWithAuthentication: send } = context.helpers;
		const outcome = await sendAndRead(
			async (one) => await send.call(context, 'portalIoApi', one, { credentialsDecrypted }),
			request,
			request.timeout ?? options.timeoutMs ?? REQUEST_TIMEOUT_MS,
		);
		if (userApiKey.value === '') userApiKey.value = readUserApiKey(data, account.fingerprint);
		if ('data' in outcome) {
			this.clockLeadMs = outcome.clockLeadMs ?? this.clockLeadMs;
			userApiKey.hasWorked = true;
		}
		return { outcome, userApiKey };
	}

	/**
	 * Replaces a rejected user API key with one that another worker has stored; otherwise the next request
	 * logs in. Returns false if the key is not the reason: a login returned it although it had been
	 * rejected, or it is new.
	 */
	async renewKey(rejected: UserApiKey): Promise<boolean> {
		const { context, state, rejectedKeys } = this;
		const credential = await context.getCredentials('portalIoApi', this.options.itemIndex);
		// A concurrent request has replaced it.
		if (this.userApiKey !== rejected) return true;
		const { value, loginsBefore = Infinity, hasWorked } = rejected;
		const stored = readUserApiKey(credential, this.account.fingerprint);
		const isOther = stored !== value && !rejectedKeys.has(stored);
		// A login that has begun earlier may have returned a key that has ended since.
		const isNew = state.logins.count > loginsBefore && hasWorked !== true;
		if (!isOther && (isNew || rejectedKeys.has(value))) return false;
		rejectedKeys.add(value);
		state.logins.rejectKey(value);
		this.userApiKey = isOther ? { value: stored } : { value: '', loginsBefore: state.logins.count };
		return true;
	}
}

/** Opens a session. Throws a CredentialError that says what is wrong with the credential. */
export async function openSession(context: NodeContext, options: SessionOptions = {}) {
	const { itemIndex } = options;
	const fail = (error: Error) => {
		// n8n may resolve expressions in a sandbox, whose classes are others.
		if (error.name !== 'ExpressionError') throw error;
		const what = 'An expression in the credential failed';
		if (itemIndex !== undefined) throw new CredentialError(what, error.message);
		// Outside of executions, n8n says that a node without a name has not run.
		throw new CredentialError(
			`${what}: triggers and lists have no input data`,
			'Choose a credential without expressions that use the input of a step.',
		);
	};
	const credential = await context.getCredentials('portalIoApi', itemIndex).catch(fail);
	return new Session(context, credential, options);
}
