import { isSetupError, type PortalError } from './errors';
import { RateLimit } from './rateLimit';
import { RecentStates } from './recentStates';

/** Time after a login during which requests that were rejected with the old key share the new one. */
const SHARED_MS = 2000;

/**
 * What this process knows about an account: its user API key, its last rejected login, and its rate limit. All
 * executions, polls, and deliveries share it.
 */
export class AccountState {
	readonly rateLimit = new RateLimit();
	/** Key that signs the requests; '' until n8n has logged in. */
	userApiKey = '';
	/** Number of times the key has been replaced. A request compares it to see whether its key is still in use. */
	generation = 0;
	logins = 0;
	/** True if the key comes from a login of this process, and no request has succeeded since. */
	isUntried = false;
	/** Error of a rejected login, and its time by `performance.now()`. Any success clears it. */
	rejection: { error: PortalError; at: number } | undefined;
	/** Previous keys. n8n might still have one of them stored. */
	private readonly replacedKeys = new Set<string>();
	private loggedInAt = -Infinity;
	private login: Promise<string> | undefined;

	/** Switches to the key that n8n has stored. Returns false if there is none, or if it is not newer. */
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

	/** Records that Portal.io has accepted a request with the key of this generation. */
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
		// Keep the generation, because requests without a key have waited for this login.
		if (this.userApiKey === '') this.userApiKey = key;
		else if (generation === this.generation) this.replaceKey(key);
		// Keep a key that another process stored during the login. If it is rejected, the one from this login is used,
		// because n8n has stored it.
		else return key;
		this.isUntried = true;
		return key;
	}

	private failLogin(error: PortalError): never {
		this.login = undefined;
		// Remember a failure only if somebody has to correct it, because an outage can end at any time.
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
