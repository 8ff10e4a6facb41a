import { isSetupError, type PortalError } from './errors';
import { RateLimit } from './rateLimit';
import { RecentStates } from './recentStates';

/** Time after a login in which requests that were rejected with the old key still share it. */
const SHARED_MS = 2000;

/**
 * What this process knows of an account: its user API key, its last rejected login, and its rate limit. All
 * executions, polls, and deliveries share it.
 */
export class AccountState {
	readonly rateLimit = new RateLimit();
	/** Key that signs the requests; '' until n8n has logged in. */
	userApiKey = '';
	/** Number of replacements of the key. A request remembers it, to recognize that its key was replaced. */
	generation = 0;
	logins = 0;
	/** True if the key comes from a login of this process, and no request has succeeded since. */
	isUntried = false;
	/** Error of the last login, if it was rejected, and its time by `performance.now()`. Any success clears it. */
	rejection: { error: PortalError; at: number } | undefined;
	/** Previous keys, one of which n8n may still have stored. */
	private readonly replacedKeys = new Set<string>();
	private loggedInAt = -Infinity;
	private login: Promise<string> | undefined;

	/** Uses the key that n8n has stored. Returns false if there is none, or if it is not newer. */
	useStoredKey(storedKey: string): boolean {
		const isNew = storedKey !== this.userApiKey && !this.replacedKeys.has(storedKey);
		if (storedKey === '' || !isNew) return false;
		this.replaceKey(storedKey);
		this.isUntried = false;
		return true;
	}

	/**
	 * Replaces a rejected key with the key that another process has stored, or makes the next request log in.
	 * Returns false if there is no such key, and a login would not help.
	 */
	renewKey(generation: number, storedKey: string, mayLogIn: boolean): boolean {
		// Another request has already replaced the key, so try with that one.
		if (generation !== this.generation) return true;
		if (this.useStoredKey(storedKey)) return true;
		if (this.userApiKey === '' || !mayLogIn) return false;
		this.replaceKey('');
		return true;
	}

	/** Returns the key of a login. Calls at the same time share the login and its failure. */
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

	/** Remembers that Portal.io has accepted a request of this generation. */
	confirmKey(generation: number): void {
		this.rejection = undefined;
		if (generation === this.generation) this.isUntried = false;
	}

	/** @param generation of the key when the login began */
	private finishLogin(key: string, generation: number): string {
		this.login = undefined;
		this.rejection = undefined;
		this.logins++;
		this.loggedInAt = performance.now();
		if (key === this.userApiKey) return key;
		// Keep the generation: without a key, its requests have waited for this login.
		if (this.userApiKey === '') this.userApiKey = key;
		else if (generation === this.generation) this.replaceKey(key);
		// Keep a key that another process has stored during the login. If it is rejected, n8n has stored this one.
		else return key;
		this.isUntried = true;
		return key;
	}

	private failLogin(error: PortalError): never {
		this.login = undefined;
		// Remember only a failure that somebody has to correct, because an outage can end at any time.
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
