/** Sends the probe's requests: signed, five a second at most, repeated where that is safe. */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../simulator/json.mts';

const load = createRequire(import.meta.url);
export const { CredentialError, readAccount } = load('../../dist/client/account.js');
const { discardKey, exchangeKey } = load('../../dist/client/keyExchange.js');
const { signRequest } = load('../../dist/client/signRequest.js');
const { encodeFields } = load('../../dist/client/encoding.js');
const { AS_STREAM, readResponse } = load('../../dist/client/response.js');
const { linesOf, readWords } = load('../../dist/client/words.js');
const { backoff, classifyFailure } = load('../../dist/client/retry.js');

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
	/** In milliseconds; a wait ends early when the signal is aborted. */
	clock?: typeof systemClock;
}

const systemClock = {
	now: () => Date.now(),
	wait: async (ms: number, signal: AbortSignal): Promise<void> =>
		await sleep(ms, undefined, { signal }).catch(() => {}),
};

/** A request with its body as it goes over the wire. */
export interface ProbeRequest {
	method: string;
	path: string;
	query?: object;
	contentType?: string;
	body?: string | Buffer;
	/** In place of that of the session. */
	userApiKey?: string;
}

/** A response, read to its end. The status is 0 when nothing usable came. */
export interface Answer {
	status: number;
	isSuccess: boolean;
	data: Json;
	/** The service does not know this route. */
	isMissingRoute: boolean;
	/** The names in `responseStatus.errors[].fieldName`. */
	errorFields: string[];
	/** The service's code of the error; empty when it has none. */
	errorCode: string;
	/** What an error says, which may hold a value of the account. */
	words: string;
}

/** No further request makes sense; the message says why, without a value of the account. */
export class Ended extends Error {}

/** From a response to the next request. */
const INTERVAL_MS = 200;
const ATTEMPTS = 4;
const TIMEOUT_MS = 30_000;
/** A response that arrived and is broken itself. */
const UNREADABLE = /^(HPE_|Z_|ERR_STREAM_|ERR_BAD_RESPONSE$)/;

export class Session {
	readonly baseUrl: string;
	readonly clock: typeof systemClock;
	requests = 0;
	userApiKey = '';
	/** Another one takes its place while the probe removes what it made. */
	signal: AbortSignal;
	private readonly options: SessionOptions;
	private readonly account: Json;
	private lastEnd = -Infinity;

	/** @throws CredentialError naming the key that is missing or wrong */
	constructor(options: SessionOptions) {
		const { baseUrl, keys, signal, clock = systemClock } = options;
		this.options = options;
		this.signal = signal;
		this.clock = clock;
		this.account = readAccount({ environment: 'custom', baseUrl, ...keys });
		this.baseUrl = this.account.baseUrl;
	}

	/** @throws CredentialError saying what is wrong with the keys */
	async logIn(): Promise<void> {
		// The client remembers for some seconds how an exchange ended.
		discardKey(this.account.fingerprint, this.userApiKey);
		const exchange: Promise<string> = exchangeKey(this.account, async (request: object) => {
			await this.waitForSlot();
			return await this.handOver(request);
		});
		// A stopped exchange fails as if the keys were wrong.
		this.userApiKey = await exchange.finally(() => this.endIfStopped());
	}

	/** Signs in the other documented way. The client remembers a refused login by the fingerprint. */
	signQuery(): void {
		const fingerprint = `${this.account.fingerprint} with its query`;
		Object.assign(this.account, { signsQuery: true, fingerprint });
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
		if (answer.status !== 401 || request.userApiKey !== undefined) return answer;
		await this.logIn().catch((error: Error) => {
			if (error instanceof Ended) throw error;
			throw new Ended(`The service no longer accepts the login: ${error.message}`);
		});
		return await this.sendUntilRead(request);
	}

	/** Only what is safe to repeat is sent again after a failure that may pass. */
	private async sendUntilRead(request: ProbeRequest): Promise<Answer> {
		for (let attempts = 1; ; attempts++) {
			const read = await this.sendOnce(request);
			this.endIfStopped();
			const { status, code = '' } = read;
			if (status === 402) {
				throw new Ended('The Portal.io subscription of this dealer is inactive or expired (402).');
			}
			const failure = classifyFailure({ ...read, status: String(status), code }, this.clock.now());
			const mayPass = failure.isTransient || (code !== '' && !UNREADABLE.test(code));
			const isSafe = request.method === 'GET' || failure.wasNotProcessed;
			if (!mayPass || !isSafe) return this.answerOf(read);
			const pause = backoff(attempts, failure, Math.random());
			if (attempts === ATTEMPTS || pause === undefined) {
				throw new Ended(
					code === ''
						? `The service is too busy: status ${status}.`
						: `The service could not be reached any more (${code}).`,
				);
			}
			await this.clock.wait(pause, this.signal);
		}
	}

	private async sendOnce(request: ProbeRequest): Promise<Json> {
		const { method, path, query = {}, contentType, body } = request;
		await this.waitForSlot();
		const search = encodeFields(query);
		const unsigned = {
			method,
			url: search === '' ? path : `${path}?${search}`,
			...(body === undefined ? {} : { body, headers: { 'Content-Type': contentType } }),
		};
		const { userApiKey = this.userApiKey } = request;
		const signed = signRequest({ ...this.account, userApiKey }, unsigned, new Date());
		return await readResponse(
			this.handOver({ json: true, timeout: TIMEOUT_MS, ...signed, ...AS_STREAM }),
			TIMEOUT_MS,
		);
	}

	private async waitForSlot(): Promise<void> {
		this.endIfStopped();
		const rest = () => this.lastEnd + INTERVAL_MS - this.clock.now();
		while (rest() > 0) {
			await this.clock.wait(Math.ceil(rest()), this.signal);
			this.endIfStopped();
		}
		this.requests++;
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

	private answerOf({ code, status, data = '' }: Json): Answer {
		const isSuccess = status >= 200 && status < 300;
		const words = isSuccess ? undefined : readWords(data);
		return {
			status: code === undefined ? status : 0,
			isSuccess,
			data,
			// As the client of this package tells it from an unknown record.
			isMissingRoute: (status === 404 || status === 405) && words === undefined,
			errorFields: words?.errors.map(({ fieldName }: Json) => fieldName) ?? [],
			errorCode: words?.errorCode ?? '',
			words: words === undefined ? '' : linesOf(words).join(' '),
		};
	}
}
