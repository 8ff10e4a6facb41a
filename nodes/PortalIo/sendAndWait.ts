import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import { send, type ServiceRequest } from '../../client/http/request';
import type { Session } from '../../client/http/session';
import { pause } from '../../client/http/throttle';

/** How far something is that runs in Portal.io. */
export interface Progress {
	state: 'pending' | 'done' | 'failed';
	/** As the service names it. */
	status: string;
}

/** Something that runs in Portal.io and whose state can be read. */
export interface Watch {
	/** What it is, as the subject of a sentence. */
	what: string;
	request: ServiceRequest;
	/** Called with each response to the request, in order. */
	progress(reading: IDataObject): Progress;
}

/** How to wait for what a request starts. */
export interface Waiting {
	/** For everything together. */
	maxSeconds: number;
	/** What has to be done before the request can be sent. */
	before?: Watch;
	after: Watch;
	/** The output, from the response to the request and the last reading of the state. */
	result(answer: IDataObject, reading: IDataObject): IDataObject;
}

const FIRST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 30;

/** The pause after one of this length: longer each time, up to half a minute. */
export const nextPause = (seconds: number) => Math.min(seconds * 1.5, LONGEST_PAUSE_SECONDS);

/**
 * Sends a request that starts something, and reads its state at growing intervals until it is done,
 * the user's limit is reached, or the execution is stopped.
 *
 * @throws NodeOperationError that says whether it failed, takes too long, or the execution was stopped
 */
export async function sendAndWait(
	session: Session,
	request: ServiceRequest,
	waiting: Waiting,
	itemIndex: number,
): Promise<IDataObject> {
	const wait = { session, itemIndex, ...waiting, end: Date.now() + waiting.maxSeconds * 1000 };
	if (waiting.before !== undefined) await follow(wait, waiting.before);
	const answer = (await send(session, request, itemIndex)) as IDataObject;
	await waitSeconds(wait, FIRST_PAUSE_SECONDS);
	const reading = await follow(wait, waiting.after);
	return waiting.result(answer, reading);
}

/** What the steps of waiting share. */
interface Wait {
	session: Session;
	itemIndex: number;
	maxSeconds: number;
	/** When the limit is reached, as `Date.now` counts. */
	end: number;
}

async function follow(wait: Wait, { what, request, progress }: Watch): Promise<IDataObject> {
	const { session, itemIndex, maxSeconds, end } = wait;
	const fail = (message: string, description: string) =>
		new NodeOperationError(session.node, message, { itemIndex, description });
	let status = '';
	let trouble = '';
	for (let seconds = FIRST_PAUSE_SECONDS; ; seconds = nextPause(seconds)) {
		const reading = await send(session, request, itemIndex).catch(onlyTransient);
		assertRunning(wait);
		if (reading instanceof Error) {
			trouble = `The last attempt to read its status failed: ${reading.message}. `;
		} else {
			const now = progress(reading as IDataObject);
			if (now.state === 'done') return reading as IDataObject;
			if (now.state === 'failed') {
				throw fail(
					`${what} failed in Portal.io`,
					`Portal.io reports the status '${now.status}'. Waiting longer will not help.`,
				);
			}
			status = now.status;
			trouble = '';
		}
		if (Date.now() >= end) {
			throw fail(
				`${what} did not finish within ${maxSeconds} seconds`,
				`${trouble}${status === '' ? '' : `Its last status was '${status}'. `}It continues in Portal.io, which reports no failure. Increase 'Max Wait (Seconds)', or start a workflow with the Portal.io Trigger when it ends.`,
			);
		}
		await waitSeconds(wait, Math.min(seconds, (end - Date.now()) / 1000));
	}
}

/** Returns a failure that may pass, so that the state is read again; throws any other. */
function onlyTransient(error: Error & { httpCode?: string | null }): Error {
	const { httpCode } = error;
	if (!httpCode || httpCode === '429' || httpCode.startsWith('5')) return error;
	throw error;
}

/** Waits, but no longer than the execution runs. */
async function waitSeconds(wait: Wait, seconds: number): Promise<void> {
	await pause(Math.max(0, seconds) * 1000, wait.session.signal);
	assertRunning(wait);
}

function assertRunning({ session, itemIndex }: Wait): void {
	if (!session.isStopped) return;
	throw new NodeOperationError(session.node, 'The execution was stopped while waiting', {
		itemIndex,
	});
}
