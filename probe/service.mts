/** Sends the requests of the probe to the service, signed by the client of this package. */
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { AnswerReader, type Read } from './answers.mts';
import { encode } from './encoding.mts';
import type { Answer, ProbeRequest } from './model.mts';

const load = createRequire(import.meta.url);
const { readAccount } = load('../dist/client/auth/account.js');
const { discardKey, exchangeKey } = load('../dist/client/auth/exchange.js');
const { signRequest } = load('../dist/client/auth/signRequest.js');
const { sign } = load('../dist/client/auth/signature.js');
const { encodeFields } = load('../dist/client/http/form.js');
const { AS_STREAM, readResponse } = load('../dist/client/http/response.js');
const { backoff, classifyFailure } = load('../dist/client/http/retry.js');
const { isAboutSignature } = load('../dist/client/http/httpError.js');

/** What the probe logs in with. */
export interface Keys {
	appKey: string;
	secretKey: string;
	username: string;
	password: string;
}

/** n8n's request helper. */
export type HttpRequest = (options: object) => Promise<unknown>;

/** How a service is asked. */
export interface ServiceOptions {
	baseUrl: string;
	keys: Keys;
	httpRequest: HttpRequest;
	/** Ends the probe: no further request begins. */
	signal: AbortSignal;
	/** The shortest time from the end of a request to the beginning of the next, in milliseconds. */
	intervalMs: number;
	/** Called before each request. */
	onRequest?: (method: string, path: string) => void;
	/** Gets the keys and every text in the service's records, which must not stand in the report. */
	texts?: Set<string>;
}

/** The service cannot be asked any further; the message says why, in words that may be shown. */
export class Ended extends Error {}

/** How often a request that the service was too busy for is sent. */
const ATTEMPTS = 4;
/** After so many requests in a row without a usable response, the service counts as out of reach. */
const MOST_FAILURES = 3;
/** A response that arrived and is broken itself, as its HTTP or its compression. */
const UNREADABLE = /^(HPE_|Z_|ERR_STREAM_|ERR_BAD_RESPONSE$)/;
const TIMEOUT_MS = 30_000;
const ONE_HOST = { disableFollowRedirect: true };

/** A request as it goes to n8n's helper. */
type Sent = { method?: string; url: string; headers: Record<string, unknown> };

/** A service and the account that it is asked with. */
export class Service {
	readonly baseUrl: string;
	/** How many requests were sent, key exchanges included. */
	requests = 0;
	/** The longest `Retry-After` of a response, as it came; undefined when none came. */
	retryAfter: string | undefined;
	/** Whether the query is part of what is signed: found out at the first exchange. */
	isQuerySigned = false;
	/** Ends the probe when it is aborted; another one takes its place for what must be removed then. */
	signal: AbortSignal;
	private readonly options: ServiceOptions;
	private readonly account: Record<string, string>;
	private key = '';
	/** When the last request was over, in milliseconds of a clock that nobody sets. */
	private lastEnd = -Infinity;
	private readonly reader: AnswerReader;
	/** Requests in a row that brought nothing usable. */
	private failures = 0;

	/** @throws CredentialError naming the key that is missing or wrong */
	constructor(options: ServiceOptions) {
		const { baseUrl, keys } = options;
		this.options = options;
		this.signal = options.signal;
		this.account = readAccount({ environment: 'custom', baseUrl, ...keys });
		this.baseUrl = this.account.baseUrl!;
		this.reader = new AnswerReader(Object.values(keys), options.texts);
	}

	/** Every text in its records, and the keys: nothing of it may stand in the report. */
	get texts(): ReadonlySet<string> {
		return this.reader.texts;
	}

	/** The current user API key; for the facts alone. */
	get userApiKey(): string {
		return this.key;
	}

	/** Gets a user API key. */
	async logIn(): Promise<string> {
		// The client remembers for some seconds how an exchange ended, by this fingerprint.
		const fingerprint = `${this.account.fingerprint} ${this.isQuerySigned}`;
		discardKey(fingerprint, this.key);
		try {
			this.key = await exchangeKey(
				{ ...this.account, fingerprint, userApiKey: '' },
				async (request: object) => {
					await this.waitForTurn('GET', '/authenticate/apikeyexchange');
					return await this.handOver(
						this.isQuerySigned ? this.withSignedQuery(request as Sent) : request,
					);
				},
			);
		} catch (error) {
			this.stopIfAborted();
			if (!this.isQuerySigned && isAboutSignature((error as Error).message)) {
				// One former edition of the documentation signs the query, too.
				this.isQuerySigned = true;
				return await this.logIn().catch(() => {
					this.isQuerySigned = false;
					throw error;
				});
			}
			throw error;
		}
		this.reader.texts.add(this.key);
		return this.key;
	}

	/** Learns what an unknown route looks like, so that it can be told from an unknown record. */
	async learnMissingRoute(): Promise<Answer> {
		const request: ProbeRequest = { method: 'GET', path: '/public/n8n-probe/no-such-route' };
		this.reader.forgetMissingRoute();
		const answer = await this.send(request);
		this.reader.learnMissingRoute(answer, request);
		return answer;
	}

	/**
	 * Sends a request and reads the response, whatever its status. An expired key is renewed, and a
	 * service that is too busy is asked again. The status is 0 when the response could not be read.
	 *
	 * @throws Ended when the service cannot be asked any further
	 */
	async send(request: ProbeRequest): Promise<Answer> {
		const answer = await this.sendUntilRead(request);
		const isOwn = request.userApiKey === undefined && request.isUnsigned !== true;
		const isPlain = isOwn && request.dateOffsetMs === undefined && request.headers === undefined;
		if (answer.status !== 401 || !isPlain) return answer;
		await this.logIn().catch((error: Error) => {
			if (error instanceof Ended) throw error;
			throw new Ended(`The service no longer accepts the login: ${error.message}`);
		});
		return await this.sendUntilRead(request);
	}

	private async sendUntilRead(request: ProbeRequest): Promise<Answer> {
		for (let attempts = 1; ; attempts++) {
			const read = await this.sendOnce(request, request.userApiKey ?? this.key);
			const retryAfter = read.headers['retry-after'];
			if (retryAfter !== undefined) this.retryAfter = String(retryAfter);
			const kind = classifyFailure(
				{ ...read, status: String(read.status), code: read.code ?? '' },
				Date.now(),
			);
			const isSafe = request.method === 'GET' || kind.wasNotProcessed;
			const pause = backoff(attempts, kind, Math.random());
			if (kind.isTransient && isSafe && attempts < ATTEMPTS && pause !== undefined) {
				await wait(pause, undefined, { signal: this.signal }).catch(() => {});
				continue;
			}
			this.stopIfOutOfReach(read, kind.isTransient, isSafe);
			return this.reader.read(read, request);
		}
	}

	/** A change that broke off is not repeated; only several in a row end the probe. */
	private stopIfOutOfReach({ status, code }: Read, isTransient: boolean, isSafe: boolean): void {
		this.stopIfAborted();
		if (status === 402) {
			throw new Ended('The Portal.io subscription of this dealer is inactive or expired (402).');
		}
		const isBroken = code !== undefined && !UNREADABLE.test(code);
		if (!isTransient && !isBroken) {
			this.failures = 0;
			return;
		}
		this.failures++;
		if (isTransient && !isSafe && this.failures < MOST_FAILURES) return;
		if (!isBroken) throw new Ended(`The service is too busy: status ${status}.`);
		throw new Ended(`The service could not be reached any more (${code || 'no reason'}).`);
	}

	private stopIfAborted(): void {
		if (this.signal.aborted) throw new Ended('The probe was stopped.');
	}

	private async waitForTurn(method: string, path: string): Promise<void> {
		this.stopIfAborted();
		const { intervalMs, onRequest } = this.options;
		const rest = () => this.lastEnd + intervalMs - performance.now();
		// A timer may be early.
		while (rest() > 0) {
			await wait(Math.ceil(rest()), undefined, { signal: this.signal }).catch(() => {});
			this.stopIfAborted();
		}
		this.requests++;
		onRequest?.(method, path);
	}

	/** The next turn counts from the response on, when this request has surely arrived. */
	private async handOver(request: object): Promise<unknown> {
		try {
			return await this.options.httpRequest(request);
		} finally {
			this.lastEnd = performance.now();
		}
	}

	private async sendOnce(request: ProbeRequest, userApiKey: string): Promise<Read> {
		const { method, path, query, body } = request;
		await this.waitForTurn(method, path);
		const search = query === undefined ? '' : encodeFields(query);
		const unsigned = {
			method,
			url: search === '' ? path : `${path}?${search}`,
			...(body === undefined ? {} : await encode(body)),
		};
		const options = request.isUnsigned
			? this.unsigned(unsigned)
			: this.signed(unsigned, userApiKey, new Date(Date.now() + (request.dateOffsetMs ?? 0)));
		const headers = Object.entries({ ...options.headers, ...request.headers });
		options.headers = Object.fromEntries(headers.filter(([, value]) => value !== undefined));
		return await readResponse(
			this.handOver({ json: true, timeout: TIMEOUT_MS, ...options, ...AS_STREAM }),
			TIMEOUT_MS,
		);
	}

	private unsigned(request: { url: string; headers?: object }): Sent {
		const headers = { ...request.headers, Accept: 'application/json' };
		return { ...request, url: this.baseUrl + request.url, headers, ...ONE_HOST };
	}

	private signed(unsigned: object, userApiKey: string, date: Date): Sent {
		const request = signRequest({ ...this.account, userApiKey }, unsigned, date);
		return this.isQuerySigned ? this.withSignedQuery(request) : request;
	}

	/** Signed once more, over the URL with its query. */
	private withSignedQuery(request: Sent): Sent {
		const { method, headers } = request;
		const url = new URL(request.url);
		const signature = sign(
			{
				method,
				url: { origin: url.origin, pathname: url.pathname + url.search },
				contentType: headers['Content-Type'] ?? '',
				date: headers['X-MSS-CUSTOM-DATE'],
				userKey: headers['X-MSS-API-USERKEY'],
			},
			this.account.secretKey,
		);
		return { ...request, headers: { ...headers, 'X-MSS-SIGNATURE': signature } };
	}
}
