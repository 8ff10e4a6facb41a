import type { Operation, Resource } from '../operation/operation';
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
import { payment } from './payment';
import { proposal } from './proposal';
import { recurringService } from './recurringService';
import { user } from './user';
import { webhookSubscription } from './webhookSubscription';

/** Resources in the order in which the editor shows them. The node, its documentation, and its tests use this list. */
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

/** Finds an operation by the values of the parameters `resource` and `operation`. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	const operations = Object.hasOwn(registry, resource) ? registry[resource]!.operations : {};
	return Object.hasOwn(operations, operation) ? operations[operation] : undefined;
}
