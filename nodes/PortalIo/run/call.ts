/** Sends the requests for one input item, and records their effects. */
import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { pause } from '../../../client/concurrency';
import { httpStatusOf, PortalError } from '../../../client/errors';
import { readPagedList } from '../../../client/lists';
import { describeDoubt, type ServiceRequest } from '../../../client/request';
import type { Session } from '../../../client/session';
import { DOUBT_ABOUT_UPLOAD, sendUpload } from '../../../client/upload';
import { isToolNode } from '../../shared/nodeError';
import type { AnyValues, OperationCall } from '../operation/operation';

export class CallLog {
	lastChange: ServiceRequest | undefined;
	/** Warning that the last change might have been processed; '' before the first change. */
	doubt = '';
	/** True after a change that must not be made twice, or after a failure that might have made such a change. */
	hasChanged = false;
	/** Number of records in all lists, including those beyond *Limit*. */
	listedRecords = 0;
	/** True if Portal.io might not return all records of one of these lists. */
	isBeyondWindow = false;

	/**
	 * Sends a change and records it. An idempotent request does not set `hasChanged`, because it can safely be sent
	 * again.
	 */
	async recordChange<R>(
		request: ServiceRequest,
		doubt: string,
		send: () => Promise<R>,
	): Promise<R> {
		this.lastChange = request;
		this.doubt = doubt;
		const isUnique = request.isRepeatable !== true;
		const response = await send().catch((error: Error) => {
			this.hasChanged ||= isUnique && error instanceof PortalError && error.doubt !== '';
			throw error;
		});
		this.hasChanged ||= isUnique;
		return response;
	}
}

export const sendLogged = async (session: Session, log: CallLog, request: ServiceRequest) => {
	const send = async () => await session.send(request);
	if (request.method === 'GET') return await send();
	return await log.recordChange(request, describeDoubt(request), send);
};

interface ExecutionParts {
	context: IExecuteFunctions;
	hints: Map<string, NodeExecutionHint['type']>;
}

export function createCall(
	{ context, hints }: ExecutionParts,
	session: Session,
	log: CallLog,
	values: AnyValues,
	limit: number,
): OperationCall<AnyValues> {
	return {
		values,
		baseUrl: session.account.baseUrl,
		isTool: isTool(context),
		get lastChange() {
			return log.lastChange;
		},
		send: async (request) => await sendLogged(session, log, request),
		readIfExists: async (request) =>
			await session.send(request).catch((error: Error) => {
				if (httpStatusOf(error) !== '404') throw error;
			}),
		readList: async (list, options) => {
			const { records, total } = await readPagedList(session, list, { limit, ...options });
			log.listedRecords += total;
			log.isBeyondWindow ||= total > (list.window ?? Infinity);
			return records;
		},
		upload: async (upload) =>
			await log.recordChange(
				upload.request,
				DOUBT_ABOUT_UPLOAD,
				async () => await sendUpload(session, upload),
			),
		pause: async (seconds) => {
			await pause(seconds * 1000, session.signal);
			if (session.isStopped) throw new PortalError('The execution was stopped while waiting');
		},
		hint: (message) => void hints.set(message, 'info'),
		warn: (message) => {
			hints.set(message, 'warning');
			context.logger.warn(`Portal.io: ${message}`);
		},
	};
}

export const isTool = (context: IExecuteFunctions): boolean => isToolNode(context.getNode());

export const addHint = (
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'],
): void => context.addExecutionHints({ message, type, location: 'outputPane' });
