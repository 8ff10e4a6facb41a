import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { DEFAULT_ATTEMPTS } from '../../../client/session';

/** How many items are processed at the same time unless the user says otherwise. */
const DEFAULT_CONCURRENCY = 10;
const MAX_CONCURRENCY = 50;
const MAX_ATTEMPTS = 10;

/**
 * What every operation has: how many items run in parallel, and how often a request is attempted
 * (docs/bulk.md#many-items). Without descriptions: n8n's assistant reads them with every operation.
 */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Items in Parallel',
			name: 'itemsInParallel',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY },
			noDataExpression: true,
			default: DEFAULT_CONCURRENCY,
		},
		{
			displayName: 'Request Attempts',
			name: 'requestAttempts',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_ATTEMPTS },
			noDataExpression: true,
			default: DEFAULT_ATTEMPTS,
		},
	],
};

/** The request options of an execution; they are those of its first input. */
export function readRequestOptions(context: IExecuteFunctions) {
	const options = context.getNodeParameter('requestOptions', 0, {}) as Record<string, unknown>;
	const within = (value: unknown, most: number, fallback: number) => {
		const number = Math.floor(Number(value ?? fallback));
		return Number.isNaN(number) ? fallback : Math.min(most, Math.max(1, number));
	};
	return {
		concurrency: within(options.itemsInParallel, MAX_CONCURRENCY, DEFAULT_CONCURRENCY),
		attempts: within(options.requestAttempts, MAX_ATTEMPTS, DEFAULT_ATTEMPTS),
	};
}
