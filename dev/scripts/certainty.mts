/** How sure the operations are, by the marks of the endpoints that they send to. */
import { endpointsAt, type Endpoint } from '../simulator/contract.mts';
import { innerFields, type Declared } from './declared.mts';

/** Whether no document describes its body, so that the node lets users correct it. */
const isUndocumented = ({ declaration }: Declared) =>
	declaration.fields.flatMap(innerFields).some(({ name }) => name === 'extraFields');

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

/** What the tables say of an operation; nothing where the documents state its requests. */
export function certaintyOf({ completeSteps }: Declared): string {
	const marks = completeSteps.map(({ method, path }) => endpointOf(method, path).mark);
	if (marks.every((mark) => mark === 'confirmed')) return 'confirmed';
	return marks.includes('assumed') ? 'assumed' : '';
}

/** What its section says of bodies that no document describes. */
export function certaintySentence(declared: Declared): string[] {
	if (!isUndocumented(declared)) return [];
	return certaintyOf(declared) === 'confirmed'
		? ['The body of its request is not documented. [The probe](../probe.md) has confirmed it.', '']
		: ['The body is [assumed](../assumptions.md); *Options* can correct it.', ''];
}

/** What the README says of all of them. */
export function certaintyOfAll(operations: Declared[]): string[] {
	const { length } = operations
		.filter(isUndocumented)
		.filter((one) => certaintyOf(one) !== 'confirmed');
	if (length === 0) return [];
	return [
		'',
		`The request body of ${length} of them is not documented in what was available to us (April 2026): they are marked *assumed* in [the operations](docs/operations/README.md). The node fails if the response does not show the change, and you can [correct the request in the node](docs/assumptions.md#requests-whose-body-is-not-documented) without a release. [What anybody can do today](docs/assumptions.md#what-anybody-can-do-today) to settle it takes a browser and no keys.`,
	];
}
