import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { pause } from './concurrency';
import { isLasting, PortalError } from './errors';

export const BASE_URLS = {
	production: 'https://api.portal.io',
	sandbox: 'https://sandbox.api.portal.io',
} as const;

/** A credential of type `portalIoApi`, checked. */
export interface Account {
	/** Without a slash at the end. */
	baseUrl: string;
	appKey: string;
	secretKey: string;
	username: string;
	password: string;
	/** Empty when no key was exchanged for these values yet. */
	userApiKey: string;
	/** A hash of all of the above but the user API key. */
	fingerprint: string;
	/** A hash of base URL and user alone: it outlives a change of keys or password. */
	identity: string;
}

/**
 * Says what to change in a credential. It carries no HTTP response: n8n would repeat an exchange that
 * failed with status 401, and a wrong password would count twice against the account.
 */
export class CredentialError extends PortalError {
	constructor(what: string, advice = '') {
		const facts = { status: '', cause: { cause: 'credential-invalid' } } as const;
		super(what, { advice: [advice], facts });
	}
}

/** Reads and checks a credential. Throws a CredentialError that names the field and what to do. */
export function readAccount(credential: ICredentialDataDecryptedObject): Account {
	const required = (name: string, label: string) => {
		const value = String(credential[name] ?? '');
		// A pasted line break would invalidate every signature.
		const trimmed = value.trim();
		if (trimmed === '' && credential.hasFixedValues === true) {
			throw new CredentialError(`Fill in the '${label}' of the credential`);
		}
		if (trimmed === '') {
			throw new CredentialError(
				`The '${label}' of the credential has no value`,
				'Fill it in, or check that its expression finds something.',
			);
		}
		// An HTTP header cannot carry other characters; the HTTP client's own message would not help.
		if (name.endsWith('Key') && !/^[\x20-\x7e]*$/.test(trimmed)) {
			throw new CredentialError(
				`The '${label}' of the credential contains invalid characters: paste it again`,
			);
		}
		return name === 'password' ? value : trimmed;
	};
	const login = {
		baseUrl: readBaseUrl(credential),
		appKey: required('appKey', 'Application Key'),
		secretKey: required('secretKey', 'Secret Key'),
		username: required('username', 'Email'),
		password: required('password', 'Password'),
	};
	const fingerprint = hash(Object.values(login));
	const identity = hash([login.baseUrl, login.username.toLowerCase()]);
	const userApiKey = readUserApiKey(credential.userApiKey, fingerprint);
	return { ...login, fingerprint, identity, userApiKey };
}

const hash = (values: string[]) =>
	createHash('sha256').update(JSON.stringify(values)).digest('base64url');

/**
 * The value to store for a user API key. It starts with the fingerprint of its account, since n8n keeps
 * the value when somebody changes another field of the credential.
 */
export const storedUserApiKey = ({ fingerprint }: Account, key: string) => `${fingerprint}.${key}`;

/** The user API key in a stored value; empty when it was issued for other values than these. */
export function readUserApiKey(stored: unknown, fingerprint: string): string {
	const text = String(stored ?? '');
	return text.startsWith(`${fingerprint}.`) ? text.slice(fingerprint.length + 1) : '';
}

function readBaseUrl(credential: ICredentialDataDecryptedObject): string {
	const environment = String(credential.environment || 'production');
	if (environment in BASE_URLS) return BASE_URLS[environment as keyof typeof BASE_URLS];
	const refuse = (reason: string) =>
		new CredentialError(
			`The 'Base URL' of the credential ${reason}`,
			'Enter a URL such as https://api.portal.io',
		);
	// URL drops the spaces of a keyboard, but not those of web pages.
	const address = String(credential.baseUrl ?? '').trim();
	if (!URL.canParse(address)) throw refuse('is not a URL');
	const url = new URL(address);
	if (url.username !== '' || url.password !== '')
		throw refuse('must not contain a user or password');
	if (url.search !== '' || url.hash !== '') throw refuse("must not contain '?' or '#'");
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(address))) {
		throw refuse('must start with https://, because http is not encrypted');
	}
	// People paste the beginning of an endpoint's address.
	return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/public$/, '');
}

/** Whether a URL points to the n8n server itself, where plain http is no risk. */
export const isLoopback = (url: string): boolean =>
	URL.canParse(url) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

/** Shares a login with other executions, and keeps a hundred inputs from trying a wrong password each. */
const FRESH_MS = 10_000;
const MIN_INTERVAL_MS = 25;
const MAX_INTERVAL_MS = 1000;
const SAME_INCIDENT_MS = 1000;

/** In progress until `endedAt`; without `value`, it failed. */
interface Login {
	key: Promise<string>;
	value?: string;
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
	/** The refused login that polls do not repeat until then. */
	refusal: { error: PortalError; until: number } | undefined;

	/** For how long the service still asks for no requests. */
	get restMs(): number {
		// Without throttling, an earlier time says nothing: the clock may have been set back since.
		return this.interval === 0 ? 0 : Math.max(0, this.restsUntil - Date.now());
	}

	/** Waits until a request may start. */
	async waitForSlot(signal: AbortSignal | undefined): Promise<void> {
		if (this.interval === 0) return;
		const now = Date.now();
		const start = Math.max(now, this.nextStart);
		this.nextStart = start + this.interval;
		if (start > now) await pause(start - now, signal);
	}

	/** Starts no request for some time after Portal.io reported a rate limit, then only a few. */
	throttle(milliseconds: number): void {
		const now = Date.now();
		this.restsUntil = Math.max(this.restsUntil, now + milliseconds);
		this.nextStart = Math.max(this.nextStart, this.restsUntil);
		// Requests that are refused together count once.
		if (now - this.grewAt <= SAME_INCIDENT_MS) return;
		this.interval = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, this.interval * 2));
		this.grewAt = now;
	}

	/** Speeds the account up a little after a request has succeeded, and forgets a refused login. */
	recover(): void {
		const isOver = this.interval < 1 && this.restMs === 0;
		this.interval = isOver ? 0 : this.interval * 0.8;
		if (this.login?.endedAt !== undefined && this.login.value === undefined) this.login = undefined;
	}

	/** Logs in with `request`, unless another login is in progress or has just ended; returns the key. */
	async logIn(request: () => Promise<string>): Promise<string> {
		const endedAt = this.login?.endedAt ?? Date.now();
		// A time that is ahead is from before the clock was set back.
		if (this.login === undefined || Math.abs(Date.now() - endedAt) >= FRESH_MS) {
			const login: Login = { key: request() };
			this.login = login;
			const keep = (value: string) => (login.value = value);
			const dropTransient = (error: PortalError) => {
				// A service that could not be reached may be back at once.
				if (!isLasting(error) && this.login === login) this.login = undefined;
			};
			void login.key.then(keep, dropTransient).finally(() => (login.endedAt = Date.now()));
		}
		return await this.login.key;
	}

	/** Does not return a refused key again. */
	discardKey(refused: string): void {
		if (this.login?.value === refused) this.login = undefined;
	}
}

const states = new Map<string, AccountState>();

/** The state of an account in this process, by its fingerprint. */
export function stateOf(fingerprint: string): AccountState {
	const state = states.get(fingerprint) ?? new AccountState();
	states.set(fingerprint, state);
	return state;
}
