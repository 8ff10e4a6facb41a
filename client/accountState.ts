import { isSetupError, type PortalError } from './errors';
import { RateLimit } from './rateLimit';
import { RecentStates } from './recentStates';

/** Time for which other requests share a login's result, which is a key or a rejection, instead of logging in again. */
const SHARED_MS = 2000;

/**
 * State of an account in this process: its user API key, its last rejected login, and its rate limit. Shared by all
 * executions, polls, and deliveries.
 */
export class AccountState {
	readonly rateLimit = new RateLimit();
	/** User API key in use; '' if n8n must log in before the next request. */
	userApiKey = '';
	/**
	 * Number of times the key has been replaced. From this number, a request can tell whether its key is still in use.
	 */
	generation = 0;
	logins = 0;
	/** True if the key comes from a login by this process, and no request with the key has succeeded yet. */
	isUntried = false;
	/**
	 * Error from the last rejected login, and the time of the rejection by `performance.now()`; undefined once a login
	 * or request has succeeded.
	 */
	rejection: { error: PortalError; at: number } | undefined;
	/** Previous keys, which must not be used again even if n8n still has one of them stored. */
	private readonly replacedKeys = new Set<string>();
	private loggedInAt = -Infinity;
	private login: Promise<string> | undefined;

	/**
	 * Switches to the key that n8n has stored. Returns false if n8n has stored no key, the current key, or a previous
	 * key.
	 */
	useStoredKey(storedKey: string): boolean {
		const isNew = storedKey !== this.userApiKey && !this.replacedKeys.has(storedKey);
		if (storedKey === '' || !isNew) return false;
		this.replaceKey(storedKey);
		this.isUntried = false;
		return true;
	}

	/**
	 * Replaces a rejected key with one that another process has stored, or makes the next request log in. Returns false
	 * if neither is possible.
	 */
	renewKey(generation: number, storedKey: string, mayLogIn: boolean): boolean {
		// Another request has already replaced the key, so retry with the new key.
		if (generation !== this.generation) return true;
		if (this.useStoredKey(storedKey)) return true;
		if (this.userApiKey === '' || !mayLogIn) return false;
		this.replaceKey('');
		return true;
	}

	/** Returns the user API key from a login. Concurrent calls share one login, and its error if it fails. */
	async logIn(request: () => Promise<string>): Promise<string> {
		const isRecent = (time: number) => performance.now() - time < SHARED_MS;
		if (this.login === undefined) {
			if (this.userApiKey !== '' && isRecent(this.loggedInAt)) return this.userApiKey;
			if (this.rejection !== undefined && isRecent(this.rejection.at)) throw this.rejection.error;
		}
		const { generation } = this;
		this.login ??= request().then(
			(key) => this.finishLogin(key, generation),
			(error: PortalError) => this.failLogin(error),
		);
		return await this.login;
	}

	/** Records that Portal.io has accepted a request with the key of the given generation. */
	confirmKey(generation: number): void {
		this.rejection = undefined;
		if (generation === this.generation) this.isUntried = false;
	}

	/** @param generation value of `this.generation` when the login began */
	private finishLogin(key: string, generation: number): string {
		this.login = undefined;
		this.rejection = undefined;
		this.logins++;
		this.loggedInAt = performance.now();
		if (key === this.userApiKey) return key;
		// Keep the generation, so a request that was sent without a key and waited for this login is treated as sent
		// with the new key.
		if (this.userApiKey === '') this.userApiKey = key;
		else if (generation === this.generation) this.replaceKey(key);
		// Keep a key that another process stored during the login. If Portal.io rejects that key, the next request
		// uses the key from this login, which n8n has stored by then.
		else return key;
		this.isUntried = true;
		return key;
	}

	private failLogin(error: PortalError): never {
		this.login = undefined;
		// Remember only a failure that somebody has to correct. After an outage, the next request should try again.
		if (isSetupError(error)) this.rejection = { error, at: performance.now() };
		throw error;
	}

	private replaceKey(key: string): void {
		if (this.userApiKey !== '') this.replacedKeys.add(this.userApiKey);
		this.userApiKey = key;
		this.generation++;
	}
}

const states = new RecentStates(() => new AccountState());

export const accountStateOf = (fingerprint: string): AccountState => states.get(fingerprint);
