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
import {
	CredentialError,
	readAccount,
	readUserApiKey,
	stateOf,
	type AccountState,
} from './account';
import { readClockLead } from './errors';
import { REQUEST_TIMEOUT_MS, toOutcome, type Outcome } from './response';

/** Whatever n8n calls a node with; each of them can send signed requests. */
export type Context =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

/** How the requests of a session go about failures. */
export interface SessionOptions {
	/** How often a request is attempted. */
	attempts?: number;
	/** How long one attempt may take with its response, in milliseconds; five minutes if absent. */
	timeoutMs?: number;
	/** Ends the waits of the session and lets no further request begin; n8n's cancel signal if absent. */
	signal?: AbortSignal;
	/** The input for which expressions in the credential are resolved; the first one if absent. */
	itemIndex?: number;
}

/** How often a request is attempted unless the user says otherwise. */
export const DEFAULT_ATTEMPTS = 4;

/**
 * What the requests of one account share in an execution, poll or delivery. The credential is decrypted
 * once: n8n's request helper would read it from the database anew for every request.
 */
export class Session {
	/** The node that errors name. */
	readonly node: INode;
	/** Aborted when the execution is stopped. */
	readonly signal: AbortSignal | undefined;
	readonly baseUrl: string;
	/** The email address of the user. */
	readonly username: string;
	/** Identifies the account within this process; another password makes it another one. */
	readonly accountId: string;
	/** Identifies the account in what is remembered; it outlives a change of keys or password. */
	readonly identity: string;
	/** What this process knows of the account. */
	readonly state: AccountState;
	readonly attempts: number;
	/** Whether the credential is the same for all inputs, as it has no expressions. */
	readonly isForAllInputs: boolean;
	/** How far the clock of the service is ahead of that of the n8n server, as far as responses say it. */
	clockLeadMs = 0;
	/** The keys that the service has refused. */
	private readonly refusedKeys = new Set<string>();
	/** Whether the service has accepted no key since one was given up. */
	private isKeyUnproven = false;
	private readonly timeoutMs: number | undefined;
	private readonly context: Context;
	private readonly credential: ICredentialDataDecryptedObject;
	private readonly itemIndex: number | undefined;

	/**
	 * @param credential decrypted; the session keeps it and renews the user API key in it
	 * @throws CredentialError saying what is wrong with the credential
	 */
	constructor(
		context: Context,
		credential: ICredentialDataDecryptedObject,
		{ attempts = DEFAULT_ATTEMPTS, timeoutMs, signal, itemIndex }: SessionOptions,
	) {
		const { baseUrl, username, fingerprint, identity, userApiKey } = readAccount(credential);
		this.context = context;
		this.credential = credential;
		this.node = context.getNode();
		this.signal =
			signal ??
			('getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined);
		this.baseUrl = baseUrl;
		this.username = username;
		this.accountId = fingerprint;
		this.identity = identity;
		this.state = stateOf(fingerprint);
		this.attempts = attempts;
		this.isForAllInputs = credential.hasFixedValues === true;
		this.itemIndex = itemIndex;
		this.timeoutMs = timeoutMs;
		// n8n exchanges a key before a request only when this is empty, not when it is another account's.
		if (userApiKey === '') credential.userApiKey = '';
	}

	/** Whether the execution was stopped. */
	get isStopped(): boolean {
		return this.signal?.aborted === true;
	}

	/** The user API key that requests go out with; empty before the first exchange. */
	get userApiKey(): string {
		return readUserApiKey(this.credential.userApiKey, this.accountId);
	}

	/**
	 * Sends a request through n8n, signed by the credential, and reads the response. Without a user API
	 * key n8n gets one first.
	 *
	 * @param options with the `timeout` of the request where it has one of its own, in milliseconds
	 * @returns how it ended, and the user API key that it was signed with
	 */
	async request(options: IHttpRequestOptions): Promise<{ outcome: Outcome; userApiKey: string }> {
		const { context, timeoutMs } = this;
		// A copy, so that it still holds the key of this request when others have renewed theirs.
		const data = { ...this.credential };
		const hadKey = data.userApiKey !== '';
		const outcome = await toOutcome(
			async (more) =>
				await context.helpers.httpRequestWithAuthentication.call(
					context,
					'portalIoApi',
					{ ...options, ...more },
					{ credentialsDecrypted: { id: '', name: '', type: 'portalIoApi', data } },
				),
			options.method ?? 'GET',
			options.timeout ?? timeoutMs ?? REQUEST_TIMEOUT_MS,
		);
		const isAccepted = 'data' in outcome || !['', '401'].includes(outcome.failure.status);
		if (isAccepted) this.isKeyUnproven = false;
		if ('data' in outcome) {
			this.clockLeadMs = readClockLead(outcome.headers.date, Date.now()) ?? this.clockLeadMs;
		}
		// n8n wrote the key that it got into the copy.
		const userApiKey = readUserApiKey(data.userApiKey, this.accountId);
		if (!hadKey && this.userApiKey === '' && !this.refusedKeys.has(userApiKey))
			this.credential.userApiKey = data.userApiKey ?? '';
		return { outcome, userApiKey };
	}

	/**
	 * Gets another user API key than the one that was refused: the one that a concurrent request has
	 * got, or that another worker has stored, or a new one. When the new one is refused too, the key is
	 * not the reason, and no other is exchanged.
	 *
	 * Where a key exchange invalidates the key before, two workers that exchange at the same moment
	 * converge here: the one whose key was invalidated finds the other's in the database.
	 *
	 * @returns whether there is another key, or one to be exchanged for the next request
	 */
	async renewKey(refused: string): Promise<boolean> {
		this.refusedKeys.add(refused);
		if (this.userApiKey !== refused) return true;
		const stored = await this.context.getCredentials('portalIoApi', this.itemIndex);
		// A concurrent request may have renewed it while the database was read.
		if (this.userApiKey !== refused) return true;
		const key = readUserApiKey(stored.userApiKey, this.accountId);
		const isOther = key !== '' && !this.refusedKeys.has(key);
		if (!isOther && this.isKeyUnproven) return false;
		this.credential.userApiKey = isOther ? stored.userApiKey! : '';
		if (isOther) return true;
		this.state.discardKey(refused);
		return (this.isKeyUnproven = true);
	}
}

/**
 * Opens the session of an execution, poll or delivery.
 *
 * @throws CredentialError saying what is wrong with the credential
 */
export async function openSession(
	context: Context,
	options: SessionOptions = {},
): Promise<Session> {
	const { itemIndex } = options;
	const credential = await context
		.getCredentials('portalIoApi', itemIndex)
		.catch((error: Error) => {
			// Its class is another one where n8n resolves expressions in a sandbox.
			throw error.name === 'ExpressionError' ? withAdvice(error, itemIndex) : error;
		});
	return new Session(context, { ...credential }, options);
}

/** Says why an expression failed; outside of executions, n8n says that a node without a name has not run. */
const withAdvice = ({ message }: Error, itemIndex: number | undefined) =>
	itemIndex === undefined
		? new CredentialError(
				'An expression in the credential failed: triggers and lists have no input',
				'Choose a credential whose values do not come from the input of a step.',
			)
		: new CredentialError('An expression in the credential failed', message);
