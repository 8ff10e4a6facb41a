import type { Operation, Resource } from './operation';
import { item } from './item';
import { proposal } from './proposal';

/**
 * The one list of what the node can do, in the order in which the editor shows it. The node's
 * description, its running, the tables of the documentation and the tests that nothing is missing
 * all come from it.
 */
export const registry: Record<string, Resource> = { item, proposal };

/** The operation behind two parameter values, if there is one. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	const operations = Object.hasOwn(registry, resource) ? registry[resource]!.operations : {};
	return Object.hasOwn(operations, operation) ? operations[operation] : undefined;
}
