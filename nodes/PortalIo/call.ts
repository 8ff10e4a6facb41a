import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import type { Session } from '../../client/session';
import { doubtAbout } from '../../client/request';
import { pause } from '../../client/throttle';
import { readPages } from '../../client/pagination';
import { DOUBT_ABOUT_UPLOAD, sendUpload } from '../../client/upload';
import { inputFile } from './inputFile';
import type { AnyValues, Call } from './shared/operation';
import { sendToEitherPath } from './unconfirmed/alternatePaths';
import { canBeCorrected, withAskedFields } from './unconfirmed/bodyOverrides';

/** A call that knows what it did. */
export interface NodeCall extends Call<AnyValues> {
	/** Whether anything but reads was sent. */
	hasChanged: boolean;
	/** What to say of the last change when it is not known what became of it. */
	doubt: string;
}

/** What an operation sends for one input, over the session of the execution. */
export function callOf(
	context: IExecuteFunctions,
	session: Session,
	itemIndex: number,
	values: AnyValues,
): NodeCall {
	const { limit: wanted = Infinity } = values as { limit?: number };
	const error = (message: string, description?: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	let firstChangeAt: number | undefined;
	const call: NodeCall = {
		values,
		hasChanged: false,
		doubt: '',
		get sentAt() {
			return (firstChangeAt ?? Date.now()) + session.clockLeadMs;
		},
		send: async (request) => {
			if (request.method !== 'GET') {
				call.hasChanged = true;
				call.doubt = doubtAbout(request);
				firstChangeAt ??= Date.now();
			}
			return await sendToEitherPath(session, request, itemIndex).catch((failure: Error) => {
				throw canBeCorrected(values) ? withAskedFields(failure, request) : failure;
			});
		},
		readList: async (list, limit = wanted) => await readPages(session, list, limit, itemIndex),
		upload: async (upload) => {
			call.hasChanged = true;
			call.doubt = DOUBT_ABOUT_UPLOAD;
			return await sendUpload(session, upload, itemIndex);
		},
		inputFile: async (field) => await inputFile(context, itemIndex, field),
		pause: async (seconds) => {
			await pause(seconds * 1000, session.signal);
			if (session.isStopped) throw error('The execution was stopped while waiting');
		},
		error,
	};
	return call;
}
