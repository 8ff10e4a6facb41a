/** The table of checks: one for each endpoint of the contract, in an order in which each has what it needs. */
import { operations } from '../../simulator/openapi.mts';
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
	operations
		.filter(({ name }) => name === check.operation)
		.sort((one, other) => one.id.length - other.id.length)
		.map(({ id }) => ({ ...check, operation: id }));

const described: Check[] = [
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

/** It comes before all others (`users.mts`). */
const LOGIN = 'authentication.exchangeKey';

/** What has no check of its own is confirmed when it is accepted. Last: it may undo what others need. */
const others: Check[] = operations
	.filter(({ id, name }) => id === name && name !== LOGIN)
	.filter(({ name }) => !described.some(({ operation }) => operation === name))
	.map(({ name }) => ({ operation: name }));

/** All but the login. */
export const checks: readonly Check[] = [...described, ...others].flatMap(withAlternates);
