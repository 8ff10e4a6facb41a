/**
 * Waits for work in Portal.io by reading its status. The execution stays open, because n8n does not call a node again
 * after `putExecutionToWait` (docs/dev/n8n-internals.md#waiting).
 */
import { httpStatusOf, isSetupError, PortalError } from '../../../client/errors';
import { options } from '../fields/collections';
import { flag, setting } from '../fields/fieldTypes';
import type { OperationCall } from './operation';

/**
 * Default of *Max Wait (Seconds)*. Ten minutes should be enough for a one-hour recording (assumed). Portal.io does not
 * document how long processing takes.
 */
const DEFAULT_SECONDS = 600;

const maxWait = setting('Max Wait (Seconds)', {
	min: 1,
	default: DEFAULT_SECONDS,
	displayOptions: { show: { waitForCompletion: [true] } },
	description: 'Maximum time to wait before the step fails. Defaults to 600.',
});

/** Returns the options for waiting; `what` completes *Whether to wait until …*. */
export const waitingOptions = (what: string) =>
	options({
		waitForCompletion: flag('Wait for Completion', {
			description: `Whether to wait until ${what}. If off, Portal.io keeps working after this step ends.`,
		}),
		maxWait,
	});

/** Work in Portal.io whose status can be read. */
export interface PendingWork {
	/** Subject of sentences about the work, such as `The outline`. */
	what: string;
	read(): Promise<unknown>;
	/**
	 * Returns whether the work is done, and the status that Portal.io returned. Throws a PortalError if the work has
	 * failed.
	 */
	progress(response: unknown): { isDone?: boolean; status?: string };
}

const FIRST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 30;

/**
 * Returns a function that waits for work. All its calls share one time limit. The function reads the status at growing
 * intervals, and returns the last response. It throws a PortalError if the work fails, time runs out, or the execution
 * is stopped.
 */
export function createWait(call: Pick<OperationCall, 'pause'>, maxSeconds = DEFAULT_SECONDS) {
	const endTime = Date.now() + maxSeconds * 1000;
	return async ({ what, read, progress }: PendingWork): Promise<unknown> => {
		let seconds = FIRST_PAUSE_SECONDS;
		let lastStatus = '';
		for (;;) {
			const response = await read().catch(requireTransient);
			let readProblem = '';
			if (response instanceof Error) {
				readProblem = `The last attempt to read its status failed: ${response.message}. `;
			} else {
				const { isDone, status } = progress(response);
				if (isDone) return response;
				lastStatus = status ? `Its last status was '${status}'. ` : '';
			}
			const secondsLeft = Math.max(0, (endTime - Date.now()) / 1000);
			await call.pause(Math.min(seconds, secondsLeft));
			seconds = Math.min(seconds * 1.5, LONGEST_PAUSE_SECONDS);
			if (secondsLeft > 0) continue;
			throw new PortalError(`${what} did not finish within ${maxSeconds} seconds`, {
				advice: [
					`${readProblem}${lastStatus}Portal.io might still be working on it. Check its status later, increase 'Max Wait (Seconds)', or start a workflow with the Portal.io Trigger when it finishes.`,
				],
			});
		}
	};
}

/** Returns an error after which another read might succeed. Rethrows any other error. */
function requireTransient(error: Error): Error {
	// Do not retry a rejected login, because that could lock the account.
	if (!isSetupError(error) && /^(|429|5..)$/.test(httpStatusOf(error))) return error;
	throw error;
}
