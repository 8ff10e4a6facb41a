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
		description:
			"How long to wait at the most, if 'Wait for Completion' is on. The node fails when it takes longer.",
	},
);

/**
 * The options of an operation that begins something and can wait for its end.
 *
 * @param what it waits for, as the end of a sentence
 */
export const waitingOptions = (what: string) =>
	options({
		maxWait,
		waitForCompletion: flag('Wait for Completion', {
			description: `Whether to wait until ${what}. Without it the node ends at once and Portal.io goes on.`,
		}),
	});

/** Whether a status says that something failed: Portal.io does not list the names of these. */
export const hasFailed = (status: string) => /fail|error|invalid|cancel|reject/i.test(status);
