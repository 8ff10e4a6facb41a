import { aiBuild } from './aiBuild';
import { aiContent } from './aiContent';
import { aiOutline } from './aiOutline';
import { area } from './area';
import { areaOption } from './areaOption';
import { catalog } from './catalog';
import { changeOrder } from './changeOrder';
import { contact } from './contact';
import { item } from './item';
import { location } from './location';
import type { Operation, Resource } from '../operation/operation';
import { payment } from './payment';
import { proposal } from './proposal';
import { recurringService } from './recurringService';
import { user } from './user';
import { webhookSubscription } from './webhookSubscription';

/**
 * The one list of what the node can do, in the order in which the editor shows it: what dealers do every
 * day first, then what comes with it. The node's
 * description, its running, the tables of the documentation and the tests that nothing is missing
 * all come from it.
 */
export const registry: Record<string, Resource> = {
	proposal,
	area,
	areaOption,
	item,
	catalog,
	contact,
	location,
	payment,
	recurringService,
	changeOrder,
	aiContent,
	aiOutline,
	aiBuild,
	user,
	webhookSubscription,
};

/** The operation behind two parameter values, if there is one. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	const operations = Object.hasOwn(registry, resource) ? registry[resource]!.operations : {};
	return Object.hasOwn(operations, operation) ? operations[operation] : undefined;
}
