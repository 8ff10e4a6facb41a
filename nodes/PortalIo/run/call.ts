/** Sends the requests of an operation for one input, and makes its output. */
import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { pause } from '../../../client/concurrency';
import { httpStatusOf, PortalError } from '../../../client/errors';
import { isRecord, ShapeError } from '../../../client/guards';
import { readPagedList } from '../../../client/lists';
import { doubtAbout, type ServiceRequest } from '../../../client/request';
import type { Session } from '../../../client/session';
import { DOUBT_ABOUT_UPLOAD, sendUpload } from '../../../client/upload';
import { isToolNode } from '../../shared/failure';
import { sentIds, type AnyValues, type Call, type Operation } from '../operation/operation';
import { selectFields } from '../operation/output';
import { continueFrom, type Progress } from './repetition';

/** A call that records what it did. */
export interface NodeCall extends Call<AnyValues> {
	lastChange?: ServiceRequest;
	/** The number of records in all lists of the call, including those beyond *Limit*. */
	total: number;
	/** True if one of these lists has more records than Portal.io may show. */
	isBeyondWindow: boolean;
	/** The warning that the last change may have been processed; '' before the first change. */
	doubt: string;
}

interface CallOptions {
	limit?: number;
	newOptionIds?: Set<number>;
	/** The progress of earlier tries for the input. */
	progress?: Progress;
}

export function callOf(
	context: IExecuteFunctions,
	session: Session,
	values: AnyValues,
	{ limit = Infinity, newOptionIds = new Set(), progress }: CallOptions = {},
): NodeCall {
	const replay = progress && continueFrom(progress);
	const call: NodeCall = {
		values,
		baseUrl: session.account.baseUrl,
		isTool: isTool(context),
		newOptionIds,
		total: 0,
		isBeyondWindow: false,
		doubt: '',
		send: async (request) => {
			const isRead = request.method === 'GET';
			if (!isRead) {
				call.lastChange = request;
				call.doubt = doubtAbout(request);
			}
			if (replay === undefined) return await session.send(request);
			const step = isRead ? replay.read : replay.change;
			return await step(request, async () => await session.send(request));
		},
		readIfExists: async (request) => {
			// *Retry On Fail* must also replay that the record did not exist.
			const attempt = async () =>
				await session.send(request).catch((error: Error) => {
					if (httpStatusOf(error) !== '404') throw error;
				});
			return await (replay?.read(request, attempt) ?? attempt());
		},
		readList: async (list, maxRecords = limit) => {
			const attempt = async () => await readPagedList(session, list, { limit: maxRecords });
			const { records, total } = await (replay?.read(list.request, attempt) ?? attempt());
			call.total += total;
			call.isBeyondWindow ||= total > (list.window ?? Infinity);
			return records;
		},
		upload: async (upload) => {
			call.doubt = DOUBT_ABOUT_UPLOAD;
			const attempt = async () => await sendUpload(session, upload);
			return await (replay?.change(upload.request, attempt) ?? attempt());
		},
		pause: async (seconds) => {
			await pause(seconds * 1000, session.signal);
			if (session.isStopped) throw new PortalError('The execution was stopped while waiting');
		},
		hint: (message) => addHint(context, message, 'info'),
		warn: (message) => {
			addHint(context, message, 'warning');
			context.logger.warn(`Portal.io: ${message}`);
		},
	};
	return call;
}

export const isTool = (context: IExecuteFunctions): boolean => isToolNode(context.getNode());

/** Shows a hint next to the output. */
export const addHint = (
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'],
): void => context.addExecutionHints({ message, type, location: 'outputPane' });

/** Runs an operation for one input and returns its output items. */
export async function outputOf(operation: Operation, call: NodeCall): Promise<IDataObject[]> {
	const { output } = operation;
	const result = await operation.run(call).catch((error: Error) => {
		// An unexpected response does not mean that the change was not made.
		throw error instanceof ShapeError ? PortalError.from(error).with({ doubt: call.doubt }) : error;
	});
	const outputs = output ? selectFields(output, result, call.values) : result.records;
	const records: IDataObject[] = [];
	const isChange = call.doubt !== '';
	// A change without records outputs a confirmation: an empty output would end the workflow.
	const entries = outputs.length === 0 && isChange ? [undefined] : outputs;
	for (const record of entries) {
		const isShown = output && isRecord(record) && !(isChange && Object.keys(record).length === 0);
		records.push(isShown ? record : confirmation(operation, call, record));
	}
	return records;
}

function confirmation(operation: Operation, call: NodeCall, response: unknown): IDataObject {
	const { deleted = true } = (response || {}) as { deleted?: boolean };
	const result = call.lastChange?.method === 'DELETE' ? { deleted } : { success: true };
	const message = typeof response === 'string' && response !== '' ? { message: response } : {};
	return { ...result, ...sentIds(operation, call.values), ...message };
}
