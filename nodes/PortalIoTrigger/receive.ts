import {
	jsonParse,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { untilAborted } from '../../client/concurrency';
import { asRecord } from '../../client/guards';
import { readProposal, type Proposal } from '../../client/proposal';
import { openSession } from '../../client/session';
import { markUtc } from '../../client/time';
import { WEBHOOK_EVENTS, type EventEnvelope } from '../../client/webhook';
import { describeFailure } from '../shared/failure';
import { simplifyTo } from '../shared/shape';
import { isOn, isSimplified } from '../shared/triggerFields';
import { eventRecord, eventsOf, isChosenEvent, outputShape, proposalIdOf } from './events';
import { ACKNOWLEDGED, deliveryKey, openMemory, startOnce, usableSubscriptions } from './memory';
import { checkSignature, readTolerance } from './signature';

/** The parts of n8n's request that contain the body. */
interface BodyRequest {
	/** The bytes of the body. n8n reads those of JSON, and leaves those of other types to the node. */
	rawBody?: Buffer;
	readRawBody: () => Promise<void>;
	contentType?: string;
	/** The parsed body. n8n decodes JSON even in UTF-16 or with a byte order mark. */
	body?: unknown;
}

/**
 * Verifies a delivery, and starts the workflow with it if its event is chosen and has not started it
 * before. A forged or outdated delivery gets 401; only n8n's log says why. This never throws: n8n would
 * show the sender the reason, and store a failed execution.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject() as BodyRequest;
	if (request.rawBody === undefined) await request.readRawBody().catch(() => {});
	const memory = openMemory(context);
	const subscriptions = usableSubscriptions(memory.stored);
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const verdict = checkSignature({
		header: context.getHeaderData()['x-webhook-signature'],
		body: request.rawBody,
		subscriptions,
		now: Date.now(),
		toleranceSeconds: readTolerance(options.toleranceSeconds),
	});
	if ('refusal' in verdict) {
		const hasSubscriptions = Object.keys(subscriptions).length > 0;
		const reason = hasSubscriptions ? verdict.refusal : `${verdict.refusal}${REPUBLISH}`;
		return reject(context, 401, reason);
	}
	const sent = parseEvent(request);
	if (sent === undefined) return reject(context, 400, 'its body is not a JSON object');

	// Older pages of Portal.io have other names, such as `ProposalStatusChanged`.
	const names: string[] = [...Object.values(WEBHOOK_EVENTS), ...eventsOf(context)];
	const event = { ...sent, type: names.includes(sent.type) ? sent.type : verdict.event };
	if (!isChosenEvent(context, event)) return ACKNOWLEDGED;
	const key = deliveryKey(sent, request.rawBody!);
	// n8n may yet fail to store the execution of the earlier attempt, so Portal.io has to repeat the event.
	if (memory.local.unanswered.has(key)) {
		return reject(context, 503, 'n8n has not answered an earlier attempt yet');
	}
	const start = async () => await makeOutput(context, sent, event);
	return await startOnce(memory, key, context.getResponseObject(), start);
}

const REPUBLISH =
	', and this workflow has no stored subscription: unpublish it and publish it again';

function reject(context: IWebhookFunctions, status: number, reason: string): IWebhookResponseData {
	context.logger.warn(`Portal.io Trigger: delivery rejected: ${reason}`);
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

/** Returns the event in a body; undefined if the body is not a JSON object. */
function parseEvent({ contentType, body, rawBody }: BodyRequest): EventEnvelope | undefined {
	// `trim` also removes a byte order mark.
	const parsed =
		contentType === 'application/json'
			? body
			: jsonParse<unknown>(String(rawBody).trim(), { fallbackValue: null });
	const event = asRecord(parsed);
	return event && jsonParse<EventEnvelope>(markUtc(JSON.stringify(event)));
}

/** Makes the item that the workflow starts with; `event` has the current name of its type. */
async function makeOutput(
	context: IWebhookFunctions,
	sent: EventEnvelope,
	event: EventEnvelope,
): Promise<IWebhookResponseData> {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const additions = isOn(options.fetchProposal) ? await readProposalOf(context, event) : undefined;
	const { proposal, ...failure } = additions ?? {};
	const json = isSimplified(context)
		? { ...simplifyTo(outputShape, eventRecord(event, proposal)), ...failure }
		: { ...sent, ...additions };
	return { workflowData: [[{ json: json as unknown as IDataObject }]] };
}

/** Portal.io repeats a delivery that is not answered within ten seconds. */
const TIMEOUT_MS = 5000;

/** Reads the proposal of an event. A failure becomes part of the output, so that no event is lost. */
async function readProposalOf(
	context: IWebhookFunctions,
	event: EventEnvelope,
): Promise<{ proposal: Proposal | null; proposalError?: IDataObject }> {
	// The time limit includes waiting for the rate limit, a login, and the body of the response.
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const read = async () => {
		const id = proposalIdOf(event);
		if (id === undefined) throw new Error('The event does not say which proposal changed');
		const session = await openSession(context, { attempts: 1, timeoutMs: TIMEOUT_MS, signal });
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
