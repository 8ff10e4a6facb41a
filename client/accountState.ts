import { Logins } from './login';
import { RateLimit } from './rateLimit';
import { DAY_MS } from './time';

/** All executions, polls and deliveries of this process that use the account share this state. */
export class AccountState {
	readonly logins = new Logins();
	readonly rateLimit = new RateLimit();
}

/** The states are in the order of their last use. */
const states = new Map<string, { state: AccountState; usedAt: number }>();

/** Drops the states that were not used for a day. */
export function accountStateOf(fingerprint: string): AccountState {
	const now = performance.now();
	for (const [key, { usedAt }] of states) {
		if (now - usedAt < DAY_MS) break;
		states.delete(key);
	}
	const { state } = states.get(fingerprint) ?? { state: new AccountState() };
	states.delete(fingerprint);
	states.set(fingerprint, { state, usedAt: now });
	return state;
}
