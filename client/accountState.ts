import { Logins } from './login';
import { RateLimit } from './rateLimit';
import { RecentStates } from './recentStates';

/** All executions, polls and deliveries of this process that use the account share this state. */
export class AccountState {
	readonly logins = new Logins();
	readonly rateLimit = new RateLimit();
}

const states = new RecentStates(() => new AccountState());

export const accountStateOf = (fingerprint: string): AccountState => states.get(fingerprint);
