/** The table of checks: one for each endpoint of the contract, in an order in which each has what it needs. */
import { endpoints } from '../contract.mts';
import type { Check } from '../probe.mts';
import { aiChecks } from './ai.mts';
import { areaChecks } from './areas.mts';
import { catalogChecks } from './catalog.mts';
import { contactChecks, contactListCheck, locationChecks } from './contacts.mts';
import { itemChecks } from './items.mts';
import { changeOrderChecks, proposalChecks, proposalListCheck } from './proposals.mts';
import { userChecks } from './users.mts';
import { webhookChecks } from './webhooks.mts';

/** The second documented path of an operation is tried in the same way. */
function withAlternate(check: Check): Check[] {
	const operation = `${check.operation}.alternate`;
	const hasAlternate = endpoints.some((one) => one.operation === operation);
	return hasAlternate ? [check, { ...check, operation }] : [check];
}

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
].flatMap(withAlternate);
