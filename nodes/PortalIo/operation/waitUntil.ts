import type { IDataObject } from 'n8n-workflow';
import { isLasting, PortalError, statusOf } from '../../../client/errors';
import { flag, options, setting } from '../fields/types';
import type { Call } from './operation';
import type { ServiceRequest } from '../../../client/request';

/** Long enough for a recording of an hour; nobody documents how long it takes. */
const DEFAULT_SECONDS = 600;

const maxWait = setting('Max Wait (Seconds)', {
	min: 1,
	default: DEFAULT_SECONDS,
	displayOptions: { show: { waitForCompletion: [true] } },
	description: 'Longer waits end with an error. Defaults to 600.',
});

/** Options for waiting; `what` completes *Whether to wait until …*. */
export const waitingOptions = (what: string) =>
	options({
		waitForCompletion: flag('Wait for Completion', {
			description: `Whether to wait until ${what}. Otherwise, Portal.io continues after the step.`,
		}),
		maxWait,
	});

/** Something that runs in Portal.io and whose state can be read. */
export interface Watch {
	/** The subject of a sentence about it. */
	what: string;
	request: ServiceRequest;
	/** Called with each response, in order; `status` is that of Portal.io, if it has one. */
	progress(reading: IDataObject): { isDone?: boolean; hasFailed?: boolean; status?: string };
}

const FIRST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 30;

/**
 * Limits the time of all waits of one input together. The returned function reads at growing
 * intervals and returns the last reading; it throws a PortalError on failure, at the limit, or if
 * the execution is stopped.
 */
export function waitAtMost(call: Call, maxSeconds = DEFAULT_SECONDS) {
	const end = Date.now() + maxSeconds * 1000;
	return async ({ what, request, progress }: Watch): Promise<IDataObject> => {
		let last = '';
		let seconds = FIRST_PAUSE_SECONDS;
		for (;;) {
			const reading = await call.send(request).catch(onlyTransient);
			let trouble = '';
			if (reading instanceof Error) {
				trouble = `The last attempt to read its status failed: ${reading.message}. `;
			} else {
				const { isDone, hasFailed, status } = progress(reading as IDataObject);
				if (isDone) return reading as IDataObject;
				if (hasFailed) {
					throw new PortalError(`${what} was not completed by Portal.io`, {
						advice: [
							`Its status is '${status}'. Check the uploaded content, then run the step again.`,
						],
					});
				}
				last = status ? `Its last status was '${status}'. ` : '';
			}
			const left = Math.max(0, (end - Date.now()) / 1000);
			await call.pause(Math.min(seconds, left));
			seconds = Math.min(seconds * 1.5, LONGEST_PAUSE_SECONDS);
			if (left > 0) continue;
			throw new PortalError(`${what} did not finish within ${maxSeconds} seconds`, {
				advice: [
					`${trouble}${last}Portal.io is still working on it. Increase 'Max Wait (Seconds)', or start a workflow with the Portal.io Trigger when it ends.`,
				],
			});
		}
	};
}

interface Work {
	start: ServiceRequest;
	before: Watch;
	/** The end of the work. It is called before the start, with the last reading of `before`. */
	end(reading: IDataObject): Watch | Promise<Watch>;
}

/** Starts work in Portal.io; returns its response and, if the user wants to wait, the last reading. */
export async function startWork(
	call: Call<{ options: { waitForCompletion?: boolean; maxWait?: number } }>,
	{ start, before, end }: Work,
): Promise<{ response: unknown; reading?: IDataObject }> {
	const { waitForCompletion, maxWait } = call.values.options;
	if (!waitForCompletion) return { response: await call.send(start) };
	const until = waitAtMost(call, maxWait);
	const watch = await end(await until(before));
	const response = await call.send(start);
	await call.pause(FIRST_PAUSE_SECONDS);
	return { response, reading: await until(watch) };
}

/** Returns an error after which reading again may succeed; throws any other. */
function onlyTransient(error: Error): Error {
	// A rejected login would be rejected again, and count against the account.
	if (!isLasting(error) && /^(|429|5..)$/.test(statusOf(error))) return error;
	throw error;
}
