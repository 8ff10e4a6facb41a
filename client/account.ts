import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { isLasting, PortalError } from './errors';
import { pause } from './concurrency';

/** The base URLs of the two environments. */
export const BASE_URLS = {
	production: 'https://api.portal.io',
	sandbox: 'https://sandbox.api.portal.io',
} as const;

/** A credential of type `portalIoApi`, checked. */
export interface Account {
	/** Scheme, host and possibly a path; no slash at the end. */
	baseUrl: string;
	/** The application key, issued to the integrator (`X-MSS-API-APPID`). */
	appKey: string;
	/** The secret key that signs; used as it stands, never decoded. */
	secretKey: string;
	/** The email address of the user. */
	username: string;
	password: string;
	/** The user API key from the last key exchange; empty when there is none for these values. */
	userApiKey: string;
	/** A hash of all of the above but the user API key. */
	fingerprint: string;
	/** A hash of base URL and user alone: whose records these are, whatever the keys and password. */
	identity: string;
}

/**
 * Says that a credential cannot be used and what to change in it.
 *
 * It carries no HTTP response: n8n repeats a key exchange that failed with status 401, and a wrong
 * password would count twice against the account.
 */
export class CredentialError extends PortalError {
	constructor(what: string, advice = '') {
		super(what, {
			advice: [advice],
			facts: { status: '', cause: { cause: 'credential-invalid' } },
		});
	}
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL points at this machine, as for the simulator, where plain http is no risk. */
export function isLoopback(url: string): boolean {
	return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

/**
 * Reads and checks a credential. Keys and the email lose white space around them, since a pasted line
 * break would invalidate every signature; the password is taken as it is.
 *
 * @throws CredentialError naming the field and what to do
 */
export function readAccount(credential: ICredentialDataDecryptedObject): Account {
	const text = (name: string) => String(credential[name] ?? '');
	const filledIn = (name: string, label: string) => {
		const value = text(name);
		if (value.trim() !== '') return value;
		if (credential.hasFixedValues === true) {
			throw new CredentialError(`Fill in the '${label}' of the credential`);
		}
		throw new CredentialError(
			`The '${label}' of the credential has no value`,
			'Fill it in, or check that its expression finds something.',
		);
	};
	const required = (name: string, label: string) => {
		const value = filledIn(name, label).trim();
		// An HTTP header cannot carry other characters; the HTTP client's own message would not help.
		if (!/^[\x20-\x7e]*$/.test(value) && name !== 'username') {
			throw new CredentialError(
				`The '${label}' of the credential contains characters that keys do not have: paste it again`,
			);
		}
		return value;
	};
	const login = {
		baseUrl: readBaseUrl(text('environment') || 'production', text('baseUrl')),
		appKey: required('appKey', 'Application Key'),
		secretKey: required('secretKey', 'Secret Key'),
		username: required('username', 'Email'),
		password: filledIn('password', 'Password'),
	};
	const fingerprint = hash(Object.values(login));
	const identity = hash([login.baseUrl, login.username.toLowerCase()]);
	return {
		...login,
		fingerprint,
		identity,
		userApiKey: readUserApiKey(credential.userApiKey, fingerprint),
	};
}

const hash = (values: string[]) =>
	createHash('sha256').update(JSON.stringify(values)).digest('base64url');

/** Separates fingerprint and key; no base64url text contains it. */
const SEPARATOR = '.';

/**
 * The value to store for a user API key. It holds the fingerprint of the account that the key was
 * issued for, since n8n keeps the value when somebody changes another field of the credential.
 */
export const storedUserApiKey = ({ fingerprint }: Account, key: string) =>
	fingerprint + SEPARATOR + key;

/** The user API key in a stored value; empty when it was issued for other values than these. */
export function readUserApiKey(stored: unknown, fingerprint: string): string {
	const prefix = fingerprint + SEPARATOR;
	const text = String(stored ?? '');
	return text.startsWith(prefix) ? text.slice(prefix.length) : '';
}

function readBaseUrl(environment: string, custom: string): string {
	if (environment in BASE_URLS) return BASE_URLS[environment as keyof typeof BASE_URLS];
	const refuse = (reason: string) =>
		new CredentialError(
			`The 'Base URL' of the credential ${reason}`,
			'Enter a URL such as https://api.portal.io',
		);
	// A URL loses the spaces of a keyboard by itself, and not those of web pages.
	const address = custom.trim();
	if (!URL.canParse(address)) throw refuse('is not a URL');
	const url = new URL(address);
	if (url.username !== '' || url.password !== '')
		throw refuse('must not contain a user or password');
	if (url.search !== '' || url.hash !== '') throw refuse("must end before any '?' or '#'");
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(address))) {
		throw refuse('must start with https://, so that nobody can read what is sent');
	}
	// People paste the beginning of an endpoint's address.
	return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/public$/, '');
}

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
