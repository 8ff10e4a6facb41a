/** *Request Options*, which every operation has (docs/bulk.md#many-items). */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { DEFAULT_ATTEMPTS } from '../../../client/retry';
import { toNodeError } from '../../shared/failure';
import type { Reading } from './field';
import { collection, setting } from './types';

const DEFAULT_PARALLEL = 10;

/** Read once for all inputs. The descriptions are short: n8n's assistant reads them 44 times. */
const settings = collection('Request Options', 'Add option', {
	itemsInParallel: setting('Items in Parallel', {
		min: 1,
		max: 50,
		isWhole: true,
		default: DEFAULT_PARALLEL,
		description: 'Input items to process at a time',
	}),
	requestAttempts: setting('Request Attempts', {
		min: 1,
		max: 10,
		isWhole: true,
		default: DEFAULT_ATTEMPTS,
		description: 'Applies to temporary failures',
	}),
});

/** Part of every operation (docs/bulk.md#many-items). */
export const requestOptions: INodeProperties = { ...settings.property, name: 'requestOptions' };

/** Reads the options of the first input, which apply to all. */
export async function readRequestOptions(context: IExecuteFunctions) {
	const userInput = context.getNodeParameter('requestOptions', 0, {});
	try {
		// Nothing is looked up for them.
		const read = await settings.read(userInput, '', {} as Reading);
		const { itemsInParallel = DEFAULT_PARALLEL, requestAttempts = DEFAULT_ATTEMPTS } = read;
		return { concurrency: itemsInParallel, attempts: requestAttempts };
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
