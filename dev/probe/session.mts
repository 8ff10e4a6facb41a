/** Sends the probe's requests: signed, five a second at most, repeated where that is safe. */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './contract.mts';

const load = createRequire(import.meta.url);
export const { CredentialError, readAccount } = load('../../dist/client/account.js');
const { discardKey, exchangeKey } = load('../../dist/client/keyExchange.js');
const { signRequest } = load('../../dist/client/signRequest.js');
const { encodeFields } = load('../../dist/client/encoding.js');
const { AS_STREAM, readResponse } = load('../../dist/client/response.js');
const { readWords } = load('../../dist/client/words.js');
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
	readonly conversation = new Conversation();
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
		this.conversation.hide(...Object.values(keys));
	}

	/** @throws CredentialError saying what is wrong with the keys */
	async logIn(): Promise<string> {
		// The client remembers for some seconds how an exchange ended.
		discardKey(this.account.fingerprint, this.userApiKey);
		const exchange: Promise<string> = exchangeKey(this.account, async (request: object) => {
			await this.waitForSlot();
			return await this.handOver(request);
		});
		// A stopped exchange fails as if the keys were wrong.
		this.userApiKey = await exchange.finally(() => this.endIfStopped());
		this.conversation.hide(this.userApiKey);
		return this.userApiKey;
	}

	/** Signs in the other documented way. The client remembers a refused login by the fingerprint. */
	signQuery(signsQuery: boolean): void {
		const fingerprint = `${this.account.fingerprint} ${signsQuery}`;
		Object.assign(this.account, { signsQuery, fingerprint });
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
		const read = await readResponse(
			this.handOver({ json: true, timeout: TIMEOUT_MS, ...signed, ...AS_STREAM }),
			TIMEOUT_MS,
		);
		this.conversation.add({
			// The query of a login is the login itself.
			request: `${method} ${path.startsWith('/authenticate') ? path : unsigned.url}`,
			...(body === undefined ? {} : { contentType, body: String(body) }),
			status: read.status || read.code,
			response: read.data,
		});
		return read;
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
		const isError = typeof data === 'object' && readWords(data) !== undefined;
		const { errorCode, responseStatus } = isError ? data : ({} as Json);
		const errors: Json[] = Array.isArray(responseStatus?.errors) ? responseStatus.errors : [];
		return {
			status: code === undefined ? status : 0,
			isSuccess: status >= 200 && status < 300,
			data,
			// As the client of this package tells it from an unknown record.
			isMissingRoute: (status === 404 || status === 405) && !isError,
			errorFields: errors.map((one) => String(one?.fieldName ?? '')),
			errorCode: String(responseStatus?.errorCode ?? errorCode ?? ''),
		};
	}
}

const HEADING = `The whole conversation of the probe with the service, without the keys.
It has data of the account and is for its owner only: do not attach it to an issue.
`;

const SECRET_NAME = /key|secret|password|token/i;
const HIDDEN = '(hidden)';

/** Everything that was said between the probe and the service, without the keys. */
class Conversation {
	private readonly secrets: string[] = [];
	private readonly lines: string[] = [];

	/** Keeps secrets out of the text, also as JSON and URLs write them. */
	hide(...secrets: string[]): void {
		for (const secret of secrets.filter((one) => one !== '')) {
			this.secrets.push(secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret));
		}
		// One may be a part of another.
		this.secrets.sort((one, other) => other.length - one.length);
	}

	add(exchange: object): void {
		const hidden = (name: string, value: unknown) =>
			SECRET_NAME.test(name) && typeof value === 'string' ? HIDDEN : value;
		this.lines.push(JSON.stringify(exchange, hidden));
	}

	/** For the file beside the report. A secret may have been learned after it was said. */
	toString(): string {
		return HEADING + this.withoutSecrets(`${this.lines.join('\n')}\n`);
	}

	withoutSecrets(text: string): string {
		return this.secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
	}
}
