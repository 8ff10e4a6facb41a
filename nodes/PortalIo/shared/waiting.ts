import { flag, field, options } from './fieldTypes';
import { FieldError, isEmpty } from './values';

/** Long enough for a recording of an hour; nobody documents how long it takes. */
const DEFAULT_SECONDS = 600;

const maxWait = field(
	'number',
	'Max Wait (Seconds)',
	(value, label) => {
		const seconds = isEmpty(value) ? DEFAULT_SECONDS : Number(value);
		if (seconds > 0 && seconds < Infinity) return seconds;
		throw new FieldError(label, 'must be a number above 0');
	},
	{
		typeOptions: { minValue: 1 },
		default: DEFAULT_SECONDS,
		displayOptions: { show: { waitForCompletion: [true] } },
		description: 'Maximum time to wait. The step fails if it takes longer.',
	},
);

/**
 * The options of an operation that begins something and can wait for its end.
 *
 * @param what it waits for, as the end of a sentence
 */
export const waitingOptions = (what: string) =>
	options({
		waitForCompletion: flag('Wait for Completion', {
			description: `Whether to wait until ${what}. Otherwise the step ends immediately and Portal.io continues.`,
		}),
		maxWait,
	});

/** Whether a status says that something failed: Portal.io does not list the names of these. */
export const hasFailed = (status: string) => /fail|error|invalid|cancel|reject/i.test(status);
