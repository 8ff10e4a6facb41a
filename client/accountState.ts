import { pause } from './concurrency';
import { isLasting, PortalError } from './errors';
import { MAX_WAIT_MS } from './retry';
import { DAY_MS } from './time';

/** Executions share a login for this long, so a hundred inputs do not try a wrong password each. */
const FRESH_MS = 10_000;
const MIN_INTERVAL_MS = 25;
const MAX_INTERVAL_MS = 1000;
const SAME_INCIDENT_MS = 1000;

/** In progress until `endedAt`; its result is the key, or why there is none. */
interface Login {
	key: Promise<string>;
	result?: string | PortalError;
	endedAt?: number;
}

/**
 * The state of an account in this process, in milliseconds. When Portal.io reports a rate limit, all
 * requests of the account wait. They then start with an interval that shrinks as they succeed.
 */
export class AccountState {
	private nextStart = 0;
	/** Between the starts of two requests; 0 without throttling. */
	private interval = 0;
	private restsUntil = 0;
	private grewAt = 0;
	private login: Login | undefined;
	/** The number of logins that have begun. */
	loginCount = 0;
	/** The last rejected key; undefined after a request has succeeded. */
	private rejectedKey: string | undefined;
	/**
	 * The last login of a poll, if Portal.io rejected it: its time by `performance.now()`, and the user API
	 * key that was stored then. Any success of the account ends it.
	 */
	refusal: { error: PortalError; at: number; userApiKey: string } | undefined;

	/**
	 * Waits until a request may start, or the execution is stopped. Returns for how long the service wants
	 * no request if that is too long to wait for; otherwise 0.
	 */
	async waitForSlot(signal?: AbortSignal): Promise<number> {
		// Without throttling, an earlier time says nothing: the clock may have been set back since.
		if (this.interval === 0) return 0;
		do {
			const now = Date.now();
			const rest = this.restsUntil - now;
			if (rest > MAX_WAIT_MS) return rest;
			const start = Math.max(now, this.nextStart, this.restsUntil);
			this.nextStart = start + this.interval;
			await pause(start - now, signal);
			// Another request may have met a rate limit while this one waited.
		} while (Date.now() < this.restsUntil && signal?.aborted !== true);
		return 0;
	}

	/** Starts no request for some time after Portal.io reported a rate limit, then only a few. */
	throttle(milliseconds: number): void {
		const now = Date.now();
		this.restsUntil = Math.max(this.restsUntil, now + milliseconds);
		// Requests that are refused together count once.
		if (this.interval > 0 && now - this.grewAt <= SAME_INCIDENT_MS) return;
		this.interval = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, this.interval * 2));
		this.grewAt = now;
	}

	/** Speeds the account up a little after a request has succeeded, and forgets what was rejected. */
	recover(): void {
		// During a pause, these are requests that were sent before.
		if (Date.now() >= this.restsUntil) this.interval = this.interval < 1 ? 0 : this.interval * 0.8;
		if (this.login?.result instanceof Error) this.login = undefined;
		this.rejectedKey = undefined;
		this.refusal = undefined;
	}

	/** Logs in with `request`, unless another login is in progress or has just ended; returns the key. */
	async logIn(request: () => Promise<string>): Promise<string> {
		const endedAt = this.login?.endedAt ?? Date.now();
		// A time that is ahead is from before the clock was set back.
		if (this.login && Math.abs(Date.now() - endedAt) < FRESH_MS) return await this.login.key;
		this.loginCount++;
		const login: Login = (this.login = { key: request() });
		login.result = await login.key.catch((error: PortalError) => error);
		login.endedAt = Date.now();
		if (typeof login.result === 'string') {
			this.refusal = undefined;
			return login.result;
		}
		// A service that could not be reached may be back at once.
		if (!isLasting(login.result)) this.login = undefined;
		throw login.result;
	}

	/**
	 * Makes the next login issue another key. A login that has returned a key after it was rejected is
	 * kept: another one would return it again.
	 */
	rejectKey(key: string): void {
		if (this.login?.result === key && this.rejectedKey !== key) this.login = undefined;
		this.rejectedKey = key;
	}
}

const states = new Map<string, { state: AccountState; usedAt: number }>();

/** The state of an account in this process, by its fingerprint; drops those not used for a day. */
export function stateOf(fingerprint: string): AccountState {
	const now = Date.now();
	for (const [key, { usedAt }] of states) if (now - usedAt >= DAY_MS) states.delete(key);
	const { state } = states.get(fingerprint) ?? { state: new AccountState() };
	states.set(fingerprint, { state, usedAt: now });
	return state;
}
