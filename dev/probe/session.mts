/** Sends the probe's requests: signed, five a second at most, repeated where that is safe. */
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { Conversation } from './conversation.mts';
import type { Answer, Json } from './model.mts';

const load = createRequire(import.meta.url);
const { readAccount } = load('../../dist/client/account.js');
const { discardKey, exchangeKey } = load('../../dist/client/keyExchange.js');
const { signRequest } = load('../../dist/client/signRequest.js');
const { encodeFields } = load('../../dist/client/encoding.js');
const { AS_STREAM, readResponse } = load('../../dist/client/response.js');
const { backoff, classifyFailure } = load('../../dist/client/retry.js');
const { isHttpError } = load('../../dist/client/response.js');

/** What the probe logs in with. */
export interface Keys {
	appKey: string;
	secretKey: string;
	username: string;
	password: string;
}

export interface SessionOptions {
	baseUrl: string;
	keys: Keys;
	/** n8n's request helper. */
	httpRequest: (options: object) => Promise<unknown>;
	/** Stops the probe: no further request is sent. */
	signal: AbortSignal;
	/** Nothing but GET is sent. */
	readOnly?: boolean;
	/** From a response to the next request, in milliseconds; 200 by default. */
	intervalMs?: number;
	/** Called before each request. */
	onRequest?: (method: string, path: string) => void;
	clock?: Clock;
}

export interface Clock {
	/** In milliseconds. */
	now: () => number;
	/** Ends early when the signal is aborted. */
	wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const machineClock: Clock = {
	now: () => Date.now(),
	wait: async (ms, signal) => await wait(ms, undefined, { signal }).catch(() => {}),
};

/** A request with its body as it goes over the wire. */
export interface ProbeRequest {
	method: string;
	path: string;
	query?: object;
	contentType?: string;
	body?: string | Buffer;
	/** How far its date is off. */
	dateOffsetMs?: number;
	userApiKey?: string;
	headers?: Record<string, string>;
}

/** No further request makes sense; the message says why, without a value of the account. */
export class Ended extends Error {}

const INTERVAL_MS = 200;
const ATTEMPTS = 4;
/** After so many failures in a row, the service counts as unreachable. */
const MOST_FAILURES = 3;
const TIMEOUT_MS = 30_000;
/** A response that arrived and is broken itself. */
const UNREADABLE = /^(HPE_|Z_|ERR_STREAM_|ERR_BAD_RESPONSE$)/;

export class Session {
	readonly baseUrl: string;
	readonly conversation: Conversation;
	readonly clock: Clock;
	requests = 0;
	readonly errorCodes = new Set<string>();
	/** Another one takes its place while the probe removes what it made. */
	signal: AbortSignal;
	userApiKey = '';
	private readonly options: SessionOptions;
	private readonly account: Json;
	private lastEnd = -Infinity;
	private failures = 0;

	/** @throws CredentialError naming the key that is missing or wrong */
	constructor(options: SessionOptions) {
		this.options = options;
		this.signal = options.signal;
		this.clock = options.clock ?? machineClock;
		this.account = readAccount({
			environment: 'custom',
			baseUrl: options.baseUrl,
			...options.keys,
		});
		this.baseUrl = this.account.baseUrl;
		this.conversation = new Conversation(Object.values(options.keys));
	}

	/** @throws CredentialError saying what is wrong with the keys */
	async logIn(): Promise<string> {
		// The client remembers for some seconds how an exchange ended.
		discardKey(this.account.fingerprint, this.userApiKey);
		try {
			this.userApiKey = await exchangeKey(
				{ ...this.account, userApiKey: '' },
				async (request: object) => {
					await this.waitForSlot('GET', '/authenticate/apikeyexchange');
					return await this.handOver(request);
				},
			);
		} catch (error) {
			this.endIfStopped();
			throw error;
		}
		this.conversation.hide(this.userApiKey);
		return this.userApiKey;
	}

	/**
	 * Sends a request and reads the response, whatever its status. An expired key is renewed.
	 *
	 * @throws Ended when the service cannot be asked any further
	 */
	async send(request: ProbeRequest): Promise<Answer> {
		if (this.options.readOnly && request.method !== 'GET') {
			throw new Error(`${request.method} is not allowed with --read-only`);
		}
		const answer = await this.sendUntilRead(request);
		const isOrdinary =
			request.userApiKey === undefined && !request.dateOffsetMs && !request.headers;
		if (answer.status !== 401 || !isOrdinary) return answer;
		await this.logIn().catch((error: Error) => {
			if (error instanceof Ended) throw error;
			throw new Ended(`The service no longer accepts the login: ${error.message}`);
		});
		return await this.sendUntilRead(request);
	}

	/** Waits between two looks at something that the service is working on. */
	async pause(ms: number): Promise<void> {
		await this.clock.wait(ms, this.signal);
	}

	private async sendUntilRead(request: ProbeRequest): Promise<Answer> {
		for (let attempts = 1; ; attempts++) {
			const read = await this.sendOnce(request);
			const failure = { ...read, status: String(read.status), code: read.code ?? '' };
			const kind = classifyFailure(failure, this.clock.now());
			const isSafe = request.method === 'GET' || kind.wasNotProcessed;
			const pause = backoff(attempts, kind, Math.random());
			if (!kind.isTransient || !isSafe || attempts === ATTEMPTS || pause === undefined) {
				this.endIfUnreachable(read, kind.isTransient, isSafe);
				return this.answerOf(read);
			}
			await this.clock.wait(pause, this.signal);
		}
	}

	private async sendOnce(request: ProbeRequest): Promise<Json> {
		const { method, path, query = {}, contentType, body, userApiKey = this.userApiKey } = request;
		await this.waitForSlot(method, path);
		const search = encodeFields(query);
		const unsigned = {
			method,
			url: search === '' ? path : `${path}?${search}`,
			...(body === undefined ? {} : { body, headers: { 'Content-Type': contentType } }),
		};
		const date = new Date(Date.now() + (request.dateOffsetMs ?? 0));
		const options = signRequest({ ...this.account, userApiKey }, unsigned, date);
		options.headers = { ...options.headers, ...request.headers };
		const read = await readResponse(
			this.handOver({ json: true, timeout: TIMEOUT_MS, ...options, ...AS_STREAM }),
			TIMEOUT_MS,
		);
		// The query of a login is the login itself.
		const shown = path.startsWith('/authenticate') ? path : unsigned.url;
		const sent = body instanceof Buffer ? `(${body.byteLength} bytes)` : body;
		this.conversation.add({
			request: `${method} ${shown}`,
			...(body === undefined ? {} : { contentType, body: sent }),
			status: read.status || read.code,
			response: read.data,
		});
		return read;
	}

	private async waitForSlot(method: string, path: string): Promise<void> {
		this.endIfStopped();
		const { intervalMs = INTERVAL_MS, onRequest } = this.options;
		const rest = () => this.lastEnd + intervalMs - this.clock.now();
		while (rest() > 0) {
			await this.clock.wait(Math.ceil(rest()), this.signal);
			this.endIfStopped();
		}
		this.requests++;
		onRequest?.(method, path);
	}

	/** The interval counts from the response, when this request has surely arrived. */
	private async handOver(request: object): Promise<unknown> {
		try {
			return await this.options.httpRequest(request);
		} finally {
			this.lastEnd = this.clock.now();
		}
	}

	private endIfStopped(): void {
		if (this.signal.aborted) throw new Ended('The probe was stopped.');
	}

	/** A change that broke off is not repeated; only several in a row end the probe. */
	private endIfUnreachable({ status, code }: Json, isTransient: boolean, isSafe: boolean): void {
		this.endIfStopped();
		if (status === 402) {
			throw new Ended('The Portal.io subscription of this dealer is inactive or expired (402).');
		}
		const isBroken = code !== undefined && !UNREADABLE.test(code);
		if (!isTransient && !isBroken) this.failures = 0;
		else this.failures++;
		if (this.failures === 0 || (isTransient && !isSafe && this.failures < MOST_FAILURES)) return;
		if (!isBroken) throw new Ended(`The service is too busy: status ${status}.`);
		throw new Ended(`The service could not be reached any more (${code || 'no reason'}).`);
	}

	private answerOf(read: Json): Answer {
		const { headers, data = '' } = read;
		const status: number = read.code === undefined ? Number(read.status) : 0;
		const isError: boolean = isHttpError(data);
		const { errorCode, responseStatus } = isError ? data : ({} as Json);
		const code = String(responseStatus?.errorCode ?? errorCode ?? '');
		if (code !== '') this.errorCodes.add(code);
		const errors: Json[] = Array.isArray(responseStatus?.errors) ? responseStatus.errors : [];
		return {
			status,
			isSuccess: status >= 200 && status < 300,
			headers,
			data,
			// As the client of this package tells it from an unknown record.
			isMissingRoute: (status === 404 || status === 405) && !isError,
			errorFields: errors.map((one) => String(one?.fieldName ?? '')),
			errorCode: code,
		};
	}
}
