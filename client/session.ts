import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { readAccount, readUserApiKey, toStoredKey, type Account } from './account';
import { accountStateOf, type AccountState } from './accountState';
import { pause } from './concurrency';
import { CredentialError, PortalError, type Failure } from './errors';
import { explainFailure } from './explain';
import { describeDoubt, tryEachPath, toHttpRequest, type ServiceRequest } from './request';
import { mayBeRejectedKey, REQUEST_TIMEOUT_MS, sendAndRead, type RequestOutcome } from './response';
import {
	backoffMs,
	DEFAULT_ATTEMPTS,
	isThrottled,
	mayHaveBeenProcessed,
	shouldRetry,
} from './retry';

export type NodeContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

export interface SessionOptions {
	attempts?: number;
	/** Time limit for one attempt, including the response. Defaults to five minutes. */
	timeoutMs?: number;
	/** Signal that ends all waits and prevents further requests. Defaults to n8n's cancel signal. */
	signal?: AbortSignal;
	/** Index of the input item for which expressions in the credential are resolved. Defaults to the first. */
	itemIndex?: number;
	/**
	 * Time to wait before another login after Portal.io has rejected the email or password. Defaults to ten seconds.
	 */
	rejectionMs?: number;
}

/** Time to wait before another login after a rejected one. */
const REJECTION_MS = 10_000;

/**
 * Time to wait before another login while a workflow is published. It exceeds the time of n8n's five attempts to
 * publish the workflow, so only the first attempt logs in.
 */
export const PUBLISHING_REJECTION_MS = 20_000;

/**
 * Maximum number of key renewals per request. One might not be enough, because n8n workers that log in at the same time
 * can invalidate each other's keys.
 */
const MAX_RENEWALS = 4;
const RENEWAL_WAIT_MS = 250;

/** Sends an account's requests in one execution, poll, or delivery. */
export class Session {
	readonly signal: AbortSignal | undefined;
	/** Values of the credential. Use the user API key in `state` instead of the one here, which can be outdated. */
	readonly account: Account;
	readonly state: AccountState;
	/** Milliseconds by which Portal.io's clock is ahead of the n8n server's, according to the last response. */
	clockLeadMs = 0;
	readonly options: SessionOptions;
	/** Time when the session was opened, by `performance.now()`. */
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
	 * Sends a request to the first of its paths that exists in Portal.io. Renews an expired user API key, and retries
	 * temporary failures unless that could make a change twice.
	 *
	 * Returns an object, an array, text, or ''. Throws a PortalError, which contains nothing from the request.
	 */
	async send(request: ServiceRequest): Promise<unknown> {
		const { account, state, signal, options } = this;
		if (request.alternates !== undefined) {
			return await tryEachPath(
				account.baseUrl,
				request,
				async (requestWithPath) => await this.send(requestWithPath),
			);
		}
		const maxAttempts = options.attempts ?? DEFAULT_ATTEMPTS;
		// Without a key, n8n logs in before the request, so count that login as a renewal.
		let renewals = state.userApiKey === '' ? 1 : 0;
		const loginsAtStart = state.logins;
		let isInDoubt = false;
		for (let attempt = 1; ;) {
			const pauseCause = await state.rateLimit.waitForStart(signal);
			if (this.isStopped) throw new PortalError('The execution was stopped');
			if (pauseCause !== undefined) throw explainFailure(pauseCause);
			const { generation } = state;
			const outcome = await this.sendOnce(toHttpRequest(request));
			if ('data' in outcome) return outcome.data;
			const { failure } = outcome;
			// Keep the doubt even if a later attempt is rejected, because an earlier attempt might have made the
			// change and so caused the rejection.
			isInDoubt ||= request.method !== 'GET' && mayHaveBeenProcessed(failure);
			if (mayBeRejectedKey(failure) && renewals < MAX_RENEWALS) {
				// Back off with jitter, or workers would keep replacing each other's keys.
				if (renewals > 0) await pause(Math.random() * RENEWAL_WAIT_MS * 2 ** renewals, signal);
				renewals++;
				if (await this.renewKey(generation, loginsAtStart)) continue;
			}
			const wait = backoffMs(failure, attempt, Math.random());
			if (isThrottled(failure)) state.rateLimit.holdRequests(failure, wait);
			if (this.isStopped || !shouldRetry(request, failure, attempt, maxAttempts)) {
				throw this.explain(failure, attempt, request.path, isInDoubt ? describeDoubt(request) : '');
			}
			attempt++;
			// Do not also wait here after throttling, because `waitForStart` does.
			if (!isThrottled(failure)) await pause(wait, signal);
		}
	}

	private explain(failure: Failure, attempts: number, path: string, doubt: string): PortalError {
		// Report the stop, not the connection error that it caused.
		if (this.isStopped) return new PortalError('The execution was stopped', { doubt });
		return explainFailure(failure, { path, doubt, attempts });
	}

	/** Sends a request once, and returns its data or its failure. */
	async sendOnce(request: IHttpRequestOptions): Promise<RequestOutcome> {
		const { context, account, credential, options, state } = this;
		const { generation, userApiKey } = state;
		const credentialError = userApiKey === '' ? this.rejectedLogin() : undefined;
		if (credentialError !== undefined) return { failure: { credentialError, wasNotSent: true } };
		// Pass '' if there is no key, so n8n logs in before the request.
		const storedKey = userApiKey && toStoredKey(account, userApiKey);
		const data = { ...credential, userApiKey: storedKey };
		// Pass the credential, or n8n would decrypt it again for each request, and resolve its expressions for the
		// first input item. The type requires an ID and a name, but n8n uses neither.
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
	 * Returns the error of the last rejected login if another login so soon could lock the account. In a manual run,
	 * ignores a rejection from before this session was opened.
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
	 * Replaces a rejected user API key, or makes the next request log in. Returns false if the rejected key is new,
	 * because another login would not help. A key is new if n8n logged in during the request, or if n8n has logged in
	 * since the session was opened and no request has succeeded with the key.
	 */
	async renewKey(generation: number, loginsAtStart = this.state.logins): Promise<boolean> {
		const { context, state, options } = this;
		const credential = await context.getCredentials('portalIoApi', options.itemIndex);
		const storedKey = readUserApiKey(credential, this.account.fingerprint);
		const isUntried = state.isUntried && state.logins > this.loginsAtOpening;
		return state.renewKey(generation, storedKey, state.logins === loginsAtStart && !isUntried);
	}
}

/** Opens a session with a node's credential. Throws a CredentialError if a field of the credential is invalid. */
export async function openSession(context: NodeContext, options: SessionOptions = {}) {
	const { itemIndex } = options;
	const fail = (error: Error) => {
		// Compare the name, because n8n's expression sandbox has error classes of its own.
		if (error.name !== 'ExpressionError') throw error;
		const what = 'An expression in the credential failed';
		if (itemIndex !== undefined) throw new CredentialError(what, error.message);
		// Replace n8n's misleading message, which says that an unnamed node has not run.
		throw new CredentialError(
			`${what}, because triggers and dropdown lists have no input data`,
			"Choose a credential without expressions that use a step's input.",
		);
	};
	const credential = await context.getCredentials('portalIoApi', itemIndex).catch(fail);
	return new Session(context, credential, options);
}
