import { isSetupError, type PortalError } from './errors';

/** A hundred inputs with a wrong password log in only once within this time: each attempt counts. */
const REUSE_MS = 10_000;

interface Login {
	key: Promise<string>;
	/** Is undefined while the login is in progress. */
	result?: string | PortalError;
	/** All times of logins come from `performance.now()`, because a clock can be set back. */
	reusableUntil: number;
}

export interface RejectedPoll {
	error: PortalError;
	at: number;
	/** Polls do not log in during this time, unless a request of the account succeeds. */
	waitMs: number;
	userApiKey: string;
}

/** The logins of an account in this process. */
export class Logins {
	/** The number of logins that have begun. */
	count = 0;
	/** Set by the polls of the account after Portal.io rejected their login; any success clears it. */
	rejectedPoll: RejectedPoll | undefined;
	private last: Login | undefined;
	/** A success clears it: a key that has worked may expire later, and then a login returns another. */
	private rejectedKey: string | undefined;

	/** Returns the key of the last login if it is in progress or recent; otherwise logs in. */
	async logIn(request: () => Promise<string>): Promise<string> {
		if (this.last !== undefined && performance.now() < this.last.reusableUntil) {
			return await this.last.key;
		}
		this.count++;
		const login: Login = { key: request(), reusableUntil: Infinity };
		this.last = login;
		login.result = await login.key.catch((error: PortalError) => error);
		login.reusableUntil = performance.now() + REUSE_MS;
		if (typeof login.result === 'string') {
			this.rejectedPoll = undefined;
			return login.result;
		}
		// An outage may end at any time.
		if (!isSetupError(login.result)) this.last = undefined;
		throw login.result;
	}

	/**
	 * Makes the next login request another key. If a login has already returned the key after it was
	 * rejected, further logins would return it again, so none is made.
	 */
	rejectKey(key: string): void {
		if (this.last?.result === key && this.rejectedKey !== key) this.last = undefined;
		this.rejectedKey = key;
	}

	/** Ends the effects of rejections, after a request of the account has succeeded. */
	clearRejections(): void {
		if (this.last?.result instanceof Error) this.last = undefined;
		this.rejectedKey = undefined;
		this.rejectedPoll = undefined;
	}
}
