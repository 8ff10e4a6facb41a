import { endpoints } from '../contract.mts';
import type { Handler } from '../context.mts';
import { ai } from './ai.mts';
import { area } from './area.mts';
import { catalog } from './catalog.mts';
import { contact } from './contact.mts';
import { item } from './item.mts';
import { proposal } from './proposal.mts';
import { user } from './user.mts';
import { webhookSubscription } from './webhookSubscription.mts';

/** Handlers by operation, as in the contract but without `.alternate` or `.newest`. */
export const handlers: Record<string, Handler> = {
	...proposal,
	...area,
	...item,
	...contact,
	...user,
	...catalog,
	...ai,
	...webhookSubscription,
};

const names = new Set(endpoints.map(({ name }) => name));
const missing = [...names].filter((name) => !handlers[name]);
if (missing.length > 0) {
	throw new Error(`Add a handler to dev/simulator/handlers/ for ${missing.join(', ')}`);
}
