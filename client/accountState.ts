import type { PortalError } from './portalError';
import { isLasting } from './portalError';
import { pause } from './pause';

/**
 * How long a login is shared with those who need one a little later, in milliseconds: executions that
 * found the same key expired, and a hundred inputs that would all try the same wrong password.
 */
const FRESH_MS = 10_000;

const MIN_INTERVAL_MS = 25;
const MAX_INTERVAL_MS = 1000;
const SAME_INCIDENT_MS = 1000;

/**
 * What this process knows of an account.
 *
 * When Portal.io reports that a rate limit is reached, all requests of the account wait, not only the one
 * that was refused. They then start with an interval between them that shrinks as they succeed.
 */
export class AccountState {
	/** When the next request may start, in milliseconds since 1970. */
	private nextStart = 0;
	/** The least time between the starts of two requests, in milliseconds; 0 without throttling. */
	private interval = 0;
	/** Until when the service asked not to be asked, in milliseconds since 1970. */
	private restsUntil = 0;
	/** When the interval last grew. Requests that are refused together count once. */
	private grewAt = 0;
	/** The login that is in progress: whoever needs one shares it. */
	private login: Promise<string> | undefined;
	/** The key that the last login brought. */
	private key: { value: string; at: number } | undefined;
	private refusal: { error: PortalError; at: number } | undefined;

	/** How long the account still rests because the service asked for it, in milliseconds. */
	get restMs(): number {
		return Math.max(0, this.restsUntil - Date.now());
	}

	/** Waits until a request may start; returns at once without throttling. */
	async waitForSlot(signal: AbortSignal | undefined): Promise<void> {
		// The time of the last request says nothing by itself: the clock may have been set back since.
		if (this.interval === 0) return;
		const now = Date.now();
		const start = Math.max(now, this.nextStart);
		this.nextStart = start + this.interval;
		if (start > now) await pause(start - now, signal);
	}

	/**
	 * Slows the account down after Portal.io reported a rate limit.
	 *
	 * @param milliseconds no request starts for so long
	 */
	throttle(milliseconds: number): void {
		const now = Date.now();
		this.restsUntil = Math.max(this.restsUntil, now + milliseconds);
		this.nextStart = Math.max(this.nextStart, this.restsUntil);
		if (now - this.grewAt <= SAME_INCIDENT_MS) return;
		this.interval = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, this.interval * 2));
		this.grewAt = now;
	}

	/** Notes that a request has succeeded: speeds the account up a little after throttling. */
	recover(): void {
		this.interval *= 0.8;
		this.refusal = undefined;
	}

	/**
	 * Logs in, unless somebody else does or has just done so.
	 *
	 * @param request exchanges email and password for a user API key
	 * @returns the key
	 * @throws PortalError as the login that failed
	 */
	async logIn(request: () => Promise<string>): Promise<string> {
		const refusal = this.refusalWithin(FRESH_MS);
		if (refusal !== undefined) throw refusal;
		if (this.key !== undefined && isWithin(this.key.at, FRESH_MS)) return this.key.value;
		this.login ??= request()
			.then((value) => {
				this.key = { value, at: Date.now() };
				return value;
			})
			.catch((error: PortalError) => {
				// A service that could not be reached may be back at once.
				if (isLasting(error)) this.refuse(error);
				throw error;
			})
			.finally(() => (this.login = undefined));
		return await this.login;
	}

	/** Makes sure that a key that the service refused is not handed out again. */
	discardKey(refused: string): void {
		if (this.key?.value === refused) this.key = undefined;
	}

	/** Notes why the service refuses the credential: the same values would be refused again. */
	refuse(error: PortalError): void {
		this.refusal = { error, at: Date.now() };
	}

	/** Why the service has refused the credential in the last milliseconds; undefined where it has not. */
	refusalWithin(milliseconds: number): PortalError | undefined {
		const { refusal } = this;
		return refusal !== undefined && isWithin(refusal.at, milliseconds) ? refusal.error : undefined;
	}
}

/** A time that is ahead is from before the clock was set back. */
const isWithin = (time: number, milliseconds: number) => Math.abs(Date.now() - time) < milliseconds;

/** By account fingerprint: other keys or another password make another account. */
const states = new Map<string, AccountState>();

/** What this process knows of an account, by its fingerprint. */
export function stateOf(fingerprint: string): AccountState {
	const state = states.get(fingerprint) ?? new AccountState();
	states.set(fingerprint, state);
	return state;
}
