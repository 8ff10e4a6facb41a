import type { INodeProperties } from 'n8n-workflow';
import type { Parameters } from './operation';
import { collectionOf, FieldError, optionalBooleanOf } from './values';

/** Long enough for a recording of an hour; nobody documents how long it takes. */
const DEFAULT_SECONDS = 600;

/**
 * The options of an operation that begins something and can wait for its end.
 *
 * @param what it waits for, as the end of a sentence
 */
export const waitingOptions = (what: string): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Max Wait (Seconds)',
			name: 'maxWait',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_SECONDS,
			description:
				"How long to wait at the most, if 'Wait for Completion' is on. The node fails when it takes longer.",
		},
		{
			displayName: 'Wait for Completion',
			name: 'waitForCompletion',
			type: 'boolean',
			default: true,
			description: `Whether to wait until ${what}. Without it the node ends at once and Portal.io goes on.`,
		},
	],
});

/** How long the user wants to wait, in seconds; undefined for not at all. */
export function maxSecondsOf({ options }: Parameters): number | undefined {
	const { waitForCompletion, maxWait } = collectionOf(options);
	if (optionalBooleanOf(waitForCompletion, 'Wait for Completion') !== true) return undefined;
	const seconds = maxWait === undefined || maxWait === '' ? DEFAULT_SECONDS : Number(maxWait);
	if (seconds > 0 && seconds < Infinity) return seconds;
	throw new FieldError('Max Wait (Seconds)', 'must be a number above 0');
}

/** Whether a status says that something failed; the documents name none of these. */
export const hasFailed = (status: string) => /fail|error|invalid|cancel|reject/i.test(status);
