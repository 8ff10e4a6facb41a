/** The table of checks: one for each endpoint of the contract, in an order in which each has what it needs. */
import type { Check } from '../probe.mts';
import { aiChecks } from './ai.mts';
import { areaChecks } from './areas.mts';
import { catalogChecks } from './catalog.mts';
import { changeOrderChecks } from './changeOrders.mts';
import { contactChecks, contactListCheck, locationChecks } from './contacts.mts';
import { itemChecks } from './items.mts';
import { proposalChecks, proposalListCheck } from './proposals.mts';
import { userChecks } from './users.mts';
import { webhookChecks } from './webhooks.mts';

/** All but the login, which comes before (`users.mts`). */
export const checks: readonly Check[] = [
	...userChecks,
	...catalogChecks,
	...contactChecks,
	...proposalChecks,
	...locationChecks,
	...areaChecks,
	...itemChecks,
	contactListCheck,
	proposalListCheck,
	...changeOrderChecks,
	...webhookChecks,
	...aiChecks,
];
