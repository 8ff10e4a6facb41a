import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { DEFAULT_TRIES } from '../../client/http/session';

/** How many inputs run at a time unless the user says otherwise. */
const DEFAULT_CONCURRENCY = 10;
const MOST_CONCURRENCY = 50;
const MOST_TRIES = 10;

/** What every operation has: how the node goes about many inputs, and about failures that pass. */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Inputs at a Time',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MOST_CONCURRENCY },
			default: DEFAULT_CONCURRENCY,
			description:
				'How many inputs are worked on side by side. Changes to the same proposal always happen one after the other, in the order of the inputs.',
		},
		{
			displayName: 'Max Tries',
			name: 'maxTries',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MOST_TRIES },
			default: DEFAULT_TRIES,
			description:
				'How often a request is tried when Portal.io is busy or the connection breaks. What creates something is tried again only if Portal.io has certainly not done it.',
		},
	],
};

/** The request options of an execution; they are those of its first input. */
export function readRequestOptions(context: IExecuteFunctions): {
	concurrency: number;
	maxTries: number;
} {
	const options = context.getNodeParameter('requestOptions', 0, {}) as Record<string, unknown>;
	const within = (value: unknown, most: number, fallback: number) => {
		const number = Math.floor(Number(value ?? fallback));
		return Number.isNaN(number) ? fallback : Math.min(most, Math.max(1, number));
	};
	return {
		concurrency: within(options.concurrency, MOST_CONCURRENCY, DEFAULT_CONCURRENCY),
		maxTries: within(options.maxTries, MOST_TRIES, DEFAULT_TRIES),
	};
}
