/** The table of checks: one for each endpoint of the contract, in an order in which each has what it needs. */
import { endpoints, operationOf } from '../contract.mts';
import type { Check } from '../probe.mts';
import { aiChecks } from './ai.mts';
import { areaChecks } from './areas.mts';
import { catalogChecks } from './catalog.mts';
import { contactChecks, contactListCheck, locationChecks } from './contacts.mts';
import { itemChecks } from './items.mts';
import { changeOrderChecks, proposalChecks, proposalListCheck } from './proposals.mts';
import { userChecks } from './users.mts';
import { webhookChecks } from './webhooks.mts';

/** The other documented paths of an operation are tried in the same way. */
const withAlternates = (check: Check): Check[] =>
	endpoints
		.filter(({ operation }) => operationOf(operation) === check.operation)
		.sort((one, other) => one.operation.length - other.operation.length)
		.map(({ operation }) => ({ ...check, operation }));

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
].flatMap(withAlternates);
