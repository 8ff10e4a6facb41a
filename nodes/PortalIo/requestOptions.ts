import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { DEFAULT_ATTEMPTS } from '../../client/http/session';

/** How many inputs run at a time unless the user says otherwise. */
const DEFAULT_CONCURRENCY = 10;
const MAX_CONCURRENCY = 50;
const MAX_ATTEMPTS = 10;

/** What every operation has: how many inputs run at a time, and how often a request is attempted. */
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
			typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY },
			default: DEFAULT_CONCURRENCY,
			description:
				'How many inputs are worked on side by side. Changes to the same proposal always happen one after the other, in the order of the inputs.',
		},
		{
			displayName: 'Max Tries',
			name: 'maxTries',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_ATTEMPTS },
			default: DEFAULT_ATTEMPTS,
			description:
				'How often a request is tried when Portal.io is busy or the connection breaks. What creates something is tried again only if Portal.io has certainly not done it.',
		},
	],
};

/** The request options of an execution; they are those of its first input. */
export function readRequestOptions(context: IExecuteFunctions): {
	concurrency: number;
	attempts: number;
} {
	const options = context.getNodeParameter('requestOptions', 0, {}) as Record<string, unknown>;
	const within = (value: unknown, most: number, fallback: number) => {
		const number = Math.floor(Number(value ?? fallback));
		return Number.isNaN(number) ? fallback : Math.min(most, Math.max(1, number));
	};
	return {
		concurrency: within(options.concurrency, MAX_CONCURRENCY, DEFAULT_CONCURRENCY),
		attempts: within(options.maxTries, MAX_ATTEMPTS, DEFAULT_ATTEMPTS),
	};
}
