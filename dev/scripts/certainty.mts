/** How sure the operations are, by the marks of the endpoints that they send to. */
import { endpointsAt, type Endpoint } from '../simulator/contract.mts';
import type { Declared } from './declared.mts';

/**
 * The endpoint of a request.
 *
 * @throws for a request that the contract does not have
 */
export function endpointOf(method: string, path: string): Endpoint {
	const found = endpointsAt(path).find((endpoint) => endpoint.method === method);
	if (found) return found;
	throw new Error(`The contract has no ${method} ${path}: add it to dev/simulator/contract.yaml`);
}

export function certaintyOf({ completeSteps }: Declared): string {
	const marks = completeSteps.map(({ method, path }) => endpointOf(method, path).mark);
	if (marks.every((mark) => mark === 'confirmed')) return 'confirmed';
	return marks.includes('assumed') ? 'assumed' : '';
}

export const certaintySentence = (declared: Declared): string[] =>
	certaintyOf(declared) === 'assumed'
		? ['The names in its request are [assumed](../assumptions.md).', '']
		: [];

export function certaintyOfAll(operations: Declared[]): string[] {
	const { length } = operations.filter((one) => certaintyOf(one) === 'assumed');
	if (length === 0) return [];
	return [
		'',
		`Portal.io has not published the field names of ${length} of them. You can [help confirm them](docs/assumptions.md) in a browser, without keys.`,
	];
}
