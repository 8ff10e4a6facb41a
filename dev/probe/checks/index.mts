/** The table of checks: one for each endpoint of the contract, in an order in which each has what it needs. */
import type { Check } from '../probe.mts';
import { aiChecks } from './ai.mts';
import { contactChecks, locationChecks } from './contacts.mts';
import { itemChecks } from './items.mts';
import { catalogChecks, listChecks } from './lists.mts';
import { areaChecks, proposalChecks } from './proposals.mts';
import { userChecks } from './users.mts';
import { webhookChecks } from './webhooks.mts';
import { wholeItemChecks } from './wholeItems.mts';

/** All but the login, which comes before (`users.mts`). */
export const checks: readonly Check[] = [
	...userChecks,
	...catalogChecks,
	...contactChecks,
	...proposalChecks,
	...locationChecks,
	...areaChecks,
	...itemChecks,
	...wholeItemChecks,
	...listChecks,
	...webhookChecks,
	...aiChecks,
];
