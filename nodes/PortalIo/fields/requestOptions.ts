/** *Request Options*, which every operation has (docs/bulk.md#many-input-items). */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { DEFAULT_ATTEMPTS } from '../../../client/retry';
import { toNodeError } from '../../shared/nodeError';
import { collection } from './collections';
import { setting } from './fieldTypes';

/**
 * Defaults of *Items in Parallel*. With 20 reads at a time, the node is as fast as n8n's HTTP Request node. The default
 * for changes is lower, to stay below the rate limit.
 */
const DEFAULT_PARALLEL = { read: 20, change: 5 };

/** *Request Options*. The descriptions are short, because n8n's assistant reads them with every operation. */
const settings = collection('Request Options', 'Add option', {
	itemsInParallel: setting('Items in Parallel', {
		min: 1,
		max: 50,
		isWhole: true,
		default: DEFAULT_PARALLEL.change,
		description:
			'Number of input items to process in parallel. Use fewer if you hit the rate limit.',
	}),
	requestAttempts: setting('Request Attempts', {
		min: 1,
		max: 10,
		isWhole: true,
		default: DEFAULT_ATTEMPTS,
		description: 'Maximum number of times to send a request that fails with a temporary error',
	}),
});

export const requestOptions: INodeProperties = { ...settings.property, name: 'requestOptions' };

/** Reads the options of the first input item, which apply to all input items. */
export function readRequestOptions(context: IExecuteFunctions, kind: 'read' | 'change') {
	const userInput = context.getNodeParameter('requestOptions', 0, {});
	try {
		const values = settings.parse(userInput, { timezone: context.getTimezone() });
		return {
			concurrency: values.itemsInParallel ?? DEFAULT_PARALLEL[kind],
			attempts: values.requestAttempts ?? DEFAULT_ATTEMPTS,
		};
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
