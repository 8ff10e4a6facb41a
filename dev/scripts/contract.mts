/** The endpoints of Portal.io's API, as the contract of the simulator has them. */
import { readContract } from '../simulator/openapi.mts';

/** The documents state it, nobody does, or the probe has seen the service take it. */
export type Mark = 'spec' | 'docs' | 'assumed' | 'confirmed';

/** A method on a path with its parameters in braces. */
export interface Endpoint {
	method: string;
	path: string;
	/** How sure it is, from the one place of these marks: docs/portal-api.md. */
	mark: Mark;
	/** Whether it is a further documented path of another one. */
	isAlternate: boolean;
}

interface Entry {
	'x-mark': Mark;
	'x-alternate'?: boolean;
}

const contract = readContract() as { paths: Record<string, Record<string, Entry>> };

/** In the order of the contract. */
export const endpoints: Endpoint[] = Object.entries(contract.paths).flatMap(([path, methods]) =>
	['get', 'post', 'delete'].flatMap((method) => {
		const entry = methods[method];
		if (entry === undefined) return [];
		const { 'x-mark': mark, 'x-alternate': isAlternate = false } = entry;
		return { method: method.toUpperCase(), path, mark, isAlternate };
	}),
);

/**
 * The endpoint of a request; a fixed segment of its path counts more than a parameter.
 *
 * @throws for a request that the contract does not have
 */
export function endpointOf(method: string, path: string): Endpoint {
	const segments = path.split('/');
	const fits = (template: string) => {
		const parts = template.split('/');
		return (
			parts.length === segments.length &&
			parts.every((part, index) => part.startsWith('{') || part === segments[index])
		);
	};
	const parameters = (one: Endpoint) => one.path.split('{').length;
	const [found] = endpoints
		.filter((one) => one.method === method && fits(one.path))
		.sort((one, other) => parameters(one) - parameters(other));
	if (found === undefined) {
		throw new Error(`The contract has no ${method} ${path}: add it to dev/simulator/openapi.yaml`);
	}
	return found;
}
