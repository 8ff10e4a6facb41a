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
	/** Time in which a wrong email or password is not tried again; ten seconds by default. */
	rejectionMs?: number;
}

/** An execution that starts right after a rejected login would fail in the same way. */
const REJECTION_MS = 10_000;

/** n8n publishes a workflow in up to five tries within 15 seconds. Only one of them logs in. */
export const PUBLISHING_REJECTION_MS = 20_000;

/** Several n8n workers can renew the key at the same time and end each other's. */
const MAX_RENEWALS = 4;
const RENEWAL_WAIT_MS = 250;

/** Sends the requests of an account in one execution, poll or delivery. */
export class Session {
	readonly signal: AbortSignal | undefined;
	/** The values of the credential. The user API key in use is that of `state`. */
	readonly account: Account;
	readonly state: AccountState;
	/** Portal.io's clock is this far ahead of that of the n8n server, by the last response. */
	clockLeadMs = 0;
	readonly options: SessionOptions;
	/** A time of `performance.now()`. */
	private readonly openedAt = performance.now();
	private readonly loginsAtOpening: number;
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
		this.state.useStoredKey(this.account.userApiKey);
		this.loginsAtOpening = this.state.logins;
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
		let renewals = state.userApiKey === '' ? 1 : 0;
		const loginsAtStart = state.logins;
		let isInDoubt = false;
		for (let attempt = 1; ;) {
			const pauseCause = await state.rateLimit.waitForStart(signal);
			if (this.isStopped) throw new PortalError('The execution was stopped');
			if (pauseCause !== undefined) throw explainFailure(pauseCause);
			const { generation } = state;
			const outcome = await this.request(toHttpRequest(request));
			if ('data' in outcome) return outcome.data;
			const { failure } = outcome;
			// A later attempt may be rejected because an earlier one has changed the record.
			isInDoubt ||= request.method !== 'GET' && mayHaveBeenProcessed(failure);
			if (mayBeRejectedKey(failure) && renewals < MAX_RENEWALS) {
				// Back off with jitter, or workers would keep replacing each other's keys.
				if (renewals > 0) await pause(Math.random() * RENEWAL_WAIT_MS * 2 ** renewals, signal);
				renewals++;
				if (await this.renewKey(generation, loginsAtStart)) continue;
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

	/** Sends a request once. */
	async request(request: IHttpRequestOptions): Promise<RequestOutcome> {
		const { context, account, credential, options, state } = this;
		const { generation, userApiKey } = state;
		const credentialError = userApiKey === '' ? this.rejectedLogin() : undefined;
		if (credentialError !== undefined) return { failure: { credentialError, wasNotSent: true } };
		// n8n logs in before the request if this is empty.
		const storedKey = userApiKey && storedUserApiKey(account, userApiKey);
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
		if ('data' in outcome) {
			this.clockLeadMs = outcome.clockLeadMs ?? this.clockLeadMs;
			state.confirmKey(generation);
		}
		return outcome;
	}

	/**
	 * Returns the error of the last login if it is not to be repeated, because it could lock the account. A
	 * manual run repeats a login that was rejected before it.
	 */
	private rejectedLogin(): PortalError | undefined {
		const { error, at = -Infinity } = this.state.rejection ?? {};
		const isManual = this.context.getMode?.() === 'manual';
		const { rejectionMs = REJECTION_MS } = this.options;
		const isWrong = error?.facts?.login?.isRejected === true;
		const waitMs = isManual ? 0 : isWrong ? rejectionMs : Math.min(rejectionMs, REJECTION_MS);
		return at > this.openedAt - waitMs ? error : undefined;
	}

	/**
	 * Replaces a rejected user API key, or makes the next request log in. Returns false if the key is not the
	 * reason for the rejection: a login has returned it since the request began, or since the session was opened
	 * and nothing has succeeded with it.
	 */
	async renewKey(generation: number, loginsAtStart = this.state.logins): Promise<boolean> {
		const { context, state, options } = this;
		const credential = await context.getCredentials('portalIoApi', options.itemIndex);
		const storedKey = readUserApiKey(credential, this.account.fingerprint);
		const isUntried = state.isUntried && state.logins > this.loginsAtOpening;
		return state.renewKey(generation, storedKey, state.logins === loginsAtStart && !isUntried);
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
