import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
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
	/** Limits one attempt, including its response; five minutes by default. */
	timeoutMs?: number;
	/** Ends all waits and prevents further requests. The default is n8n's cancel signal. */
	signal?: AbortSignal;
	/** Expressions in the credential are resolved for this input; for the first one by default. */
	itemIndex?: number;
}

/** Several n8n workers may renew the key at the same time and reject each other's. */
const MAX_RENEWALS = 4;
const RENEWAL_WAIT_MS = 250;

/** A key that n8n has stored, or the key of a login. */
export interface UserApiKey {
	/** Stays empty until n8n has logged in. */
	value: string;
	/** The number of logins of the account before the login; undefined for a stored key. */
	loginsBefore?: number;
	hasWorked?: boolean;
}

/** Sends the requests of an account in one execution, poll or delivery. */
export class Session {
	readonly signal: AbortSignal | undefined;
	/** Its user API key may have been replaced: use `userApiKey`. */
	readonly account: Account;
	readonly state: AccountState;
	/** Portal.io's clock is this far ahead of that of the n8n server, by the last response. */
	clockLeadMs = 0;
	/** The key of the next request. Renewal replaces the object, so a request can tell that it happened. */
	userApiKey: UserApiKey;
	readonly options: SessionOptions;
	/** An empty key counts as rejected, because it cannot replace a rejected key. */
	private readonly rejectedKeys = new Set(['']);
	private readonly context: NodeContext;
	private readonly credential: ICredentialDataDecryptedObject;

	constructor(
		context: NodeContext,
		credential: ICredentialDataDecryptedObject,
		options: SessionOptions,
	) {
		this.context = context;
		this.credential = credential;
		this.options = options;
		const hasCancelSignal = 'getExecutionCancelSignal' in context;
		this.signal =
			options.signal ?? (hasCancelSignal ? context.getExecutionCancelSignal() : undefined);
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
	 * retries temporary failures unless a change could be made twice.
	 *
	 * Returns an object, an array, text, or `''`. Throws a PortalError without the request in it.
	 */
	async send(request: ServiceRequest): Promise<unknown> {
		const { account, state, signal, options } = this;
		if (request.alternates !== undefined) {
			return await onAnyPath(
				account.baseUrl,
				request,
				async (requestWithPath) => await this.send(requestWithPath),
			);
		}
		const maxAttempts = options.attempts ?? DEFAULT_ATTEMPTS;
		// n8n logs in before a request without a key, which renews the key too.
		let renewals = this.userApiKey.value === '' ? 1 : 0;
		let isInDoubt = false;
		for (let attempt = 1; ;) {
			const pauseCause = await state.rateLimit.waitForStart(signal);
			if (this.isStopped) throw new PortalError('The execution was stopped');
			if (pauseCause !== undefined) throw explainFailure(pauseCause);
			const { outcome, userApiKey } = await this.request(toHttpRequest(request));
			if ('data' in outcome) {
				state.logins.clearRejections();
				return outcome.data;
			}
			const { failure } = outcome;
			// A later attempt may be rejected because an earlier one has changed the record.
			isInDoubt ||= request.method !== 'GET' && mayHaveBeenProcessed(failure);
			if (mayBeRejectedKey(failure) && renewals < MAX_RENEWALS) {
				// Workers that renewed the key at the same time must not do so again.
				if (renewals > 0) await pause(Math.random() * RENEWAL_WAIT_MS * 2 ** renewals, signal);
				renewals++;
				if (await this.renewKey(userApiKey)) continue;
			}
			const wait = backoff(failure, attempt, Math.random());
			if (isThrottled(failure)) state.rateLimit.holdRequests(failure, wait);
			if (this.isStopped || !shouldRetry(request, failure, attempt, maxAttempts)) {
				throw this.explain(failure, attempt, request.path, isInDoubt ? doubtAbout(request) : '');
			}
			attempt++;
			// The rate limit has its own wait.
			if (!isThrottled(failure)) await pause(wait, signal);
		}
	}

	private explain(failure: Failure, attempts: number, path: string, doubt: string): PortalError {
		// A stopped execution has closed the connection, so its failure says nothing.
		if (this.isStopped) return new PortalError('The execution was stopped', { doubt });
		return explainFailure(failure, { path, doubt, attempts });
	}

	/** Sends a request once. Returns the outcome, and the key that signed the request. */
	async request(
		request: IHttpRequestOptions,
	): Promise<{ outcome: RequestOutcome; userApiKey: UserApiKey }> {
		const { context, account, credential, options, userApiKey } = this;
		// n8n logs in before the request if this is empty, and writes the new key into `data`.
		const storedKey = userApiKey.value && storedUserApiKey(account, userApiKey.value);
		const data = { ...credential, userApiKey: storedKey };
		// n8n would otherwise decrypt the credential again for each request, and resolve its expressions for
		// the first input. The type requires ID and name; n8n uses neither.
		const credentialsDecrypted = { id: '', name: '', type: 'portalIoApi', data };
		const { httpRequestWithAuthentication: send } = context.helpers;
		const outcome = await sendAndRead(
			async (streamRequest) =>
				await send.call(context, 'portalIoApi', streamRequest, { credentialsDecrypted }),
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
	 * Replaces a rejected user API key with the key that another worker has stored, or makes the next
	 * request log in. Returns false if the key cannot be the reason for the rejection: it comes from a new
	 * login, or a login has returned it although it had been rejected.
	 */
	async renewKey(rejectedKey: UserApiKey): Promise<boolean> {
		const { context, state, rejectedKeys } = this;
		const credential = await context.getCredentials('portalIoApi', this.options.itemIndex);
		// A concurrent request has already replaced the key.
		if (this.userApiKey !== rejectedKey) return true;
		const { value, loginsBefore = Infinity, hasWorked } = rejectedKey;
		const storedKey = readUserApiKey(credential, this.account.fingerprint);
		const isReplaced = storedKey !== value && !rejectedKeys.has(storedKey);
		// The key of an earlier login may have expired in the meantime.
		const isNew = state.logins.count > loginsBefore && hasWorked !== true;
		if (!isReplaced && (isNew || rejectedKeys.has(value))) return false;
		rejectedKeys.add(value);
		state.logins.rejectKey(value);
		this.userApiKey = isReplaced
			? { value: storedKey }
			: { value: '', loginsBefore: state.logins.count };
		return true;
	}
}

/** Throws a CredentialError that says what is wrong with the credential. */
export async function openSession(context: NodeContext, options: SessionOptions = {}) {
	const { itemIndex } = options;
	const fail = (error: Error) => {
		// `instanceof` fails if n8n resolves expressions in a sandbox with its own classes.
		if (error.name !== 'ExpressionError') throw error;
		const what = 'An expression in the credential failed';
		if (itemIndex !== undefined) throw new CredentialError(what, error.message);
		// n8n's own message is about a node without a name that has not run.
		throw new CredentialError(
			`${what}: triggers and lists have no input data`,
			'Choose a credential without expressions that use the input of a step.',
		);
	};
	const credential = await context.getCredentials('portalIoApi', itemIndex).catch(fail);
	return new Session(context, credential, options);
}
