import type { FieldValue } from '../../../client/http/form';
import type { ServiceRequest } from '../../../client/http/request';
import type { Field } from './field';
import type { Step } from './operation';

/** Fields of an update that one request sets. */
interface Part<Name extends string> {
	names: readonly Name[];
	/** Where they go, and the body for those that were added. */
	request(values: Record<string, FieldValue>): Omit<ServiceRequest, 'isRepeatable' | 'method'>;
}

/**
 * The requests of an update, in the order of its parts: one for each part of which a field was added.
 *
 * @param fields of the collection *Update Fields*
 * @param given their values; undefined where a field was not added
 */
export const updateSteps = <Name extends string>(
	fields: Record<Name, Field<FieldValue>>,
	given: Partial<Record<Name, FieldValue>>,
	parts: Array<Part<Name>>,
): Step[] =>
	parts
		.map(({ names, request }) => ({
			request,
			names: names.filter((name) => given[name] !== undefined),
		}))
		.filter(({ names }) => names.length > 0)
		.map(({ names, request }) => ({
			sets: names.map((name) => fields[name].property.displayName),
			request: {
				method: 'POST',
				isRepeatable: true,
				...request(Object.fromEntries(names.map((name) => [name, given[name]]))),
			},
		}));
