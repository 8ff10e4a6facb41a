import { createHash } from 'node:crypto';
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
import { eventsOf, isWanted, outputShape, proposalIdOf, recordOf } from './events';
import { ACKNOWLEDGED, openMemory, startOnce, usableSubscriptions } from './memory';
import { checkSignature, readTolerance } from './signature';

/** The parts of n8n's request that hold the body. */
interface Request {
	/** The bytes as they arrived. n8n reads those of JSON, and leaves those of other types to the node. */
	rawBody?: Buffer;
	readRawBody: () => Promise<void>;
	contentType?: string;
	/** n8n decodes JSON, also in UTF-16 or with a byte order mark. */
	body?: unknown;
}

/**
 * Receives a delivery: verifies it, and starts the workflow if its event was chosen and did not come
 * before. A forged or outdated delivery gets 401 and nothing else; the reason goes to n8n's log. It
 * never throws: n8n would show the sender the reason, and keep a failed execution.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject() as Request;
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
		const isForgetful = Object.keys(subscriptions).length === 0;
		return refuse(context, 401, isForgetful ? verdict.refusal + FORGETFUL : verdict.refusal);
	}
	const sent = parse(request);
	if (sent === undefined) return refuse(context, 400, 'its body is not a JSON object');

	// Older pages of Portal.io have other names, such as `ProposalStatusChanged`.
	const names: string[] = [...Object.values(WEBHOOK_EVENTS), ...eventsOf(context)];
	const event = { ...sent, type: names.includes(sent.type) ? sent.type : verdict.event };
	if (!isWanted(context, event)) return ACKNOWLEDGED;
	const start = async () => await inputOf(context, sent, event);
	const hash = hashOf(sent, request.rawBody!);
	return await startOnce(memory, hash, context.getResponseObject(), start);
}

const FORGETFUL =
	', and this workflow has no stored subscription: unpublish it and publish it again';

function refuse(context: IWebhookFunctions, status: number, reason: string): IWebhookResponseData {
	context.logger.warn(`Portal.io Trigger: delivery rejected: ${reason}`);
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

/** The event in a body; undefined if the body is not a JSON object. */
function parse({ contentType, body, rawBody }: Request): EventEnvelope | undefined {
	// A byte order mark counts as white space here.
	const parsed =
		contentType === 'application/json'
			? body
			: jsonParse<unknown>(String(rawBody).trim(), { fallbackValue: null });
	const event = asRecord(parsed);
	return event && jsonParse<EventEnvelope>(markUtc(JSON.stringify(event)));
}

/** The item that the workflow starts with; `event` has the type as the trigger knows it. */
async function inputOf(
	context: IWebhookFunctions,
	sent: EventEnvelope,
	event: EventEnvelope,
): Promise<IWebhookResponseData> {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const isFetching = isOn(options.fetchProposal);
	const fetched = isFetching ? await proposalFor(context, event) : undefined;
	const { proposal, ...failure } = fetched ?? {};
	const json = isSimplified(context)
		? { ...simplifyTo(outputShape, recordOf(event, proposal)), ...failure }
		: { ...sent, ...fetched };
	return { workflowData: [[{ json: json as unknown as IDataObject }]] };
}

/** Portal.io waits for the answer to the event, which must come within ten seconds. */
const TIMEOUT_MS = 5000;

/** Reads the proposal of an event. The event must not wait for it: a failure is part of the result. */
async function proposalFor(
	context: IWebhookFunctions,
	event: EventEnvelope,
): Promise<{ proposal: Proposal | null; proposalError?: IDataObject }> {
	// Covers all that may take long: a rate limit, a key exchange, the response and its body.
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

/** The hash that identifies a delivery: of its ID, or of all its bytes if its ID is no text. */
function hashOf({ id }: { id: unknown }, body: Buffer): string {
	const identity = typeof id === 'string' && id !== '' ? id : body;
	return createHash('sha256').update(identity).digest('base64url');
}
