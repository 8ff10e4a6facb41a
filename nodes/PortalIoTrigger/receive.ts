import {
	jsonParse,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { untilAborted } from '../../client/concurrency';
import { asRecord } from '../../client/responseShape';
import { readProposal, type Proposal } from '../../client/proposal';
import { openSession } from '../../client/session';
import { markUtc } from '../../client/time';
import { WEBHOOK_EVENTS, type EventEnvelope } from '../../client/webhook';
import { describeFailure } from '../shared/nodeError';
import { simplifyTo } from '../shared/simplify';
import { isChosenStatus } from '../shared/statuses';
import { isOn, isSimplified } from '../shared/triggerFields';
import {
	toEventRecord,
	readTriggerEvents,
	outputShape,
	findProposalId,
	findReportedStatus,
	statusFilter,
} from './eventParameters';
import {
	ACKNOWLEDGED,
	deliveryKey,
	openMemory,
	startOnce,
	readSubscriptions,
} from './triggerMemory';
import { checkSignature, readTolerance } from './deliverySignature';

interface BodyRequest {
	/** Bytes of the body. n8n reads them only if the content type is JSON; otherwise, `readRawBody` does. */
	rawBody?: Buffer;
	readRawBody: () => Promise<void>;
	contentType?: string;
	/** Parsed body. It is preferred for JSON, because n8n also decodes UTF-16 and a byte order mark. */
	body?: unknown;
}

/**
 * Verifies a delivery, and starts the workflow if the event is among the chosen ones and is not a repeat. Rejects a
 * forged or outdated delivery with 401, and only logs the reason. Never throws, because n8n would send the error to the
 * sender and store a failed execution.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject() as BodyRequest;
	if (request.rawBody === undefined) await request.readRawBody().catch(() => {});
	const memory = openMemory(context);
	const subscriptions = readSubscriptions(memory.stored);
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const verdict = checkSignature({
		header: context.getHeaderData()['x-webhook-signature'],
		body: request.rawBody,
		subscriptions,
		now: Date.now(),
		toleranceSeconds: readTolerance(options.toleranceSeconds),
	});
	if ('rejection' in verdict) {
		const hasSubscriptions = Object.keys(subscriptions).length > 0;
		const reason = hasSubscriptions ? verdict.rejection : `${verdict.rejection}${REPUBLISH}`;
		return reject(context, 401, reason);
	}
	const rawEvent = parseEvent(request);
	if (rawEvent === undefined) return reject(context, 400, 'its body is not a JSON object');

	// Replace an unknown event name with the event of the subscription, because older pages of Portal.io's
	// documentation use other names, such as `ProposalStatusChanged`.
	const names: string[] = [...Object.values(WEBHOOK_EVENTS), ...readTriggerEvents(context)];
	const type = names.includes(rawEvent.type) ? rawEvent.type : verdict.event;
	const event = { ...rawEvent, type };
	const isChosen = readTriggerEvents(context).includes(type);
	if (!isChosen || !isChosenStatus(findReportedStatus(event), statusFilter(context, event))) {
		return ACKNOWLEDGED;
	}
	const key = deliveryKey(rawEvent, request.rawBody!);
	// Make Portal.io try again, because n8n might still fail to store the execution that the earlier attempt started.
	if (memory.deliveries.openResponses.has(key)) {
		return reject(context, 503, 'n8n has not yet responded to an earlier attempt');
	}
	const { baseUrl } = memory.stored;
	const start = async () => await makeOutput(context, rawEvent, event, baseUrl);
	return await startOnce(memory, key, context.getResponseObject(), start);
}

const REPUBLISH =
	', and this workflow has no stored subscription. Unpublish it and publish it again.';

function reject(context: IWebhookFunctions, status: number, reason: string): IWebhookResponseData {
	context.logger.warn(`Portal.io Trigger: delivery rejected: ${reason}`);
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

function parseEvent({ contentType, body, rawBody }: BodyRequest): EventEnvelope | undefined {
	// Trim the text, which also removes a byte order mark.
	const parsed =
		contentType === 'application/json'
			? body
			: jsonParse<unknown>(String(rawBody).trim(), { fallbackValue: null });
	const event = asRecord(parsed);
	return event && jsonParse<EventEnvelope>(markUtc(JSON.stringify(event)));
}

/**
 * Returns the output that starts the workflow, or `ACKNOWLEDGED` if the status is not among the chosen ones. If the
 * event reports no status, uses the proposal's. If the proposal cannot be read, starts the workflow, so no event is
 * lost.
 *
 * @param event the raw event, with its type replaced by the current name
 */
async function makeOutput(
	context: IWebhookFunctions,
	rawEvent: EventEnvelope,
	event: EventEnvelope,
	baseUrl: string | undefined,
): Promise<IWebhookResponseData> {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const statuses = statusFilter(context, event);
	const isIncluded = isOn(options.fetchProposal);
	const isStatusMissing = statuses.length > 0 && findReportedStatus(event) === undefined;
	const { proposal, ...failure } =
		isIncluded || isStatusMissing ? await readEventProposal(context, event, baseUrl) : {};
	const status = findReportedStatus(event) ?? proposal?.status;
	if (!isChosenStatus(status, statuses)) return ACKNOWLEDGED;
	const additions: ProposalOutput = isIncluded ? { proposal, ...failure } : failure;
	const json = isSimplified(context)
		? { ...simplifyTo(outputShape, toEventRecord(event, additions.proposal, status)), ...failure }
		: { ...rawEvent, ...additions };
	return { workflowData: [[{ json: json as unknown as IDataObject }]] };
}

/** Time limit for reading a proposal. Portal.io retries a delivery that gets no response within ten seconds. */
const TIMEOUT_MS = 5000;

interface ProposalOutput {
	proposal?: Proposal | null;
	proposalError?: IDataObject;
}

/** Reads the proposal that an event is about. Returns a failure as part of the output, so no event is lost. */
async function readEventProposal(
	context: IWebhookFunctions,
	event: EventEnvelope,
	baseUrl: string | undefined,
): Promise<ProposalOutput> {
	// Also limit the waits for the rate limit, a login, and the body of the response.
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const read = async () => {
		const id = findProposalId(event);
		if (id === undefined) throw new Error('The event does not say which proposal changed');
		const session = await openSession(context, { attempts: 1, timeoutMs: TIMEOUT_MS, signal });
		if (baseUrl !== undefined && session.account.baseUrl !== baseUrl) {
			throw new Error(
				`The event comes from ${baseUrl}, but the credential is now for ${session.account.baseUrl}. Unpublish the workflow, then publish it again`,
			);
		}
		return await readProposal(session, id);
	};
	try {
		const proposal = await untilAborted(read(), signal);
		if (proposal) return { proposal };
		throw new Error('Portal.io did not return the proposal within 5 seconds');
	} catch (error) {
		return { proposal: null, proposalError: describeFailure(error as Error) };
	}
}
