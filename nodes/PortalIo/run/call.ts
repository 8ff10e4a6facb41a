import type { IExecuteFunctions } from 'n8n-workflow';
import type { Session } from '../../../client/session';
import {
	doubtAbout,
	onAnyPath,
	sendToAnyPath,
	type OperationRequest,
} from '../../../client/request';
import { pause } from '../../../client/concurrency';
import { PortalError } from '../../../client/errors';
import { readList } from '../../../client/pages';
import { DOUBT_ABOUT_UPLOAD, sendUpload } from '../../../client/upload';
import { addHint } from './hints';
import { continueFrom, type Progress } from './repetition';
import type { AnyValues, Call } from '../operation/operation';

/** A call that knows what it did. */
export interface NodeCall extends Call<AnyValues> {
	lastChange?: OperationRequest;
	/** Whether anything but reads was sent. */
	hasChanged: boolean;
	/** How many records the lists have that it read; undefined when it read none. */
	total?: number;
	/** What to say of the last change when it is not known what became of it. */
	doubt: string;
}

/**
 * What an operation sends for one input, over the session of the execution.
 *
 * @param progress what earlier tries have done for it
 */
export function callOf(
	context: IExecuteFunctions,
	session: Session,
	values: AnyValues,
	progress?: Progress,
): NodeCall {
	const { read, change } = continueFrom(progress);
	const { limit: wanted = Infinity } = values as { limit?: number };
	const error = (message: string, advice = '') => new PortalError(message, { advice: [advice] });
	const times: Pick<Progress, 'firstChangeAt'> = progress ?? {};
	const call: NodeCall = {
		values,
		baseUrl: session.account.baseUrl,
		hasChanged: false,
		doubt: '',
		get sentAt() {
			return (times.firstChangeAt ?? Date.now()) + session.clockLeadMs;
		},
		send: async (request) => {
			const send = async () => await sendToAnyPath(session, request);
			if (request.method === 'GET') return await read(request, send);
			call.hasChanged = true;
			call.lastChange = request;
			call.doubt = doubtAbout(request);
			times.firstChangeAt ??= Date.now();
			return await change(request, send);
		},
		readList: async (list, limit = wanted) => {
			const { records, total } = await read(
				list.request,
				async () => await readList(session, list, { limit }),
			);
			call.total = (call.total ?? 0) + total;
			return records;
		},
		upload: async (upload) => {
			call.hasChanged = true;
			call.doubt = DOUBT_ABOUT_UPLOAD;
			return await change(upload.request, async () =>
				onAnyPath(
					session.account.baseUrl,
					upload.request,
					async (request) => await sendUpload(session, { ...upload, request }),
				),
			);
		},
		pause: async (seconds) => {
			await pause(seconds * 1000, session.signal);
			if (session.isStopped) throw error('The execution was stopped while waiting');
		},
		hint: (message) => addHint(context, message, 'info'),
		warn: (message) => {
			addHint(context, message, 'warning');
			context.logger.warn(`Portal.io: ${message}`);
		},
		error,
	};
	return call;
}
