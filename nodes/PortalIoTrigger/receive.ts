import { createHash } from 'node:crypto';
import {
	jsonParse,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { asRecord } from '../../client/list';
import { EVENTS, type EventEnvelope } from '../../client/model';
import { simplifyTo } from '../shared/shape';
import { isChosenStatus, isOn, splitTexts } from '../shared/triggerFields';
import { ACKNOWLEDGED, KEY_LENGTH, startOnce, type ProcessDeliveries } from './deduplicate';
import { eventsOf } from './events';
import { fetchProposal } from './fetchProposal';
import { outputShape, proposalOf, proposalStatusOf } from './output';
import { verify } from './verify';

/**
 * Receives a delivery: verifies it, and starts the workflow if its event was chosen and did not come
 * before.
 *
 * A forged or outdated delivery gets 401 and nothing else; the reason goes to n8n's log. Nothing in
 * the body is read before it is verified. It never throws: n8n would tell the sender why, and keep a
 * failed execution.
 *
 * @param process what this process knows of earlier deliveries
 */
export async function receive(
	context: IWebhookFunctions,
	process?: ProcessDeliveries,
): Promise<IWebhookResponseData> {
	const body = await bodyOf(context);
	const verification = verify(context, body);
	if ('refusal' in verification) {
		context.logger.warn(`Portal.io Trigger: delivery refused, ${verification.refusal}`);
		return refuse(context, 401);
	}
	const sent = parse(context, body as Buffer);
	if (sent === undefined) {
		context.logger.warn('Portal.io Trigger: delivery refused, its body is not a JSON object');
		return refuse(context, 400);
	}
	const event = { ...sent, type: typeOf(context, sent, verification.subscribedEvent) };
	if (!isWanted(context, event)) return ACKNOWLEDGED;
	const start = async () => await inputOf(context, sent, event);
	// A test run shows one event, which may be one that came before.
	if (context.getMode() === 'manual') return await start();
	return await startOnce(context, keyOf(sent, body as Buffer), start, process);
}

/** The bytes as they arrived. n8n reads those of JSON, and leaves those of other types to the node. */
async function bodyOf(context: IWebhookFunctions): Promise<unknown> {
	const request = context.getRequestObject() as {
		rawBody?: unknown;
		readRawBody?: () => Promise<void>;
	};
	if (request.rawBody === undefined) await request.readRawBody?.().catch(() => {});
	return request.rawBody;
}

/** The event in a body. n8n has decoded JSON and text, also in UTF-16 or with a byte order mark. */
function parse(context: IWebhookFunctions, rawBody: Buffer): EventEnvelope | undefined {
	const { contentType, body } = context.getRequestObject() as {
		contentType?: string;
		body?: unknown;
	};
	if (contentType === 'application/json') return asRecord(body) as EventEnvelope | undefined;
	const text = typeof body === 'string' ? body : rawBody.toString();
	// A byte order mark counts as white space here.
	const parsed = jsonParse<unknown>(text.trim(), { fallbackValue: null });
	return asRecord(parsed) as EventEnvelope | undefined;
}

/**
 * The identifier of an event. Older pages of Portal.io call the events otherwise, such as
 * `ProposalStatusChanged`; what is not known is the event of the subscription that it came from.
 */
function typeOf(context: IWebhookFunctions, { type }: EventEnvelope, subscribed: string): string {
	const known: string[] = [...Object.values(EVENTS), ...eventsOf(context)];
	return known.includes(type) ? type : subscribed;
}

/**
 * The item that the workflow starts with.
 *
 * @param sent the event as it came
 * @param event the same with its type as the trigger knows it
 */
async function inputOf(
	context: IWebhookFunctions,
	sent: EventEnvelope,
	event: EventEnvelope,
): Promise<IWebhookResponseData> {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const fetched = isOn(options.fetchProposal, false)
		? await fetchProposal(context, event)
		: undefined;
	if (!isOn(context.getNodeParameter('simplify', true), true)) {
		return { workflowData: [[{ json: { ...sent, ...fetched } as unknown as IDataObject }]] };
	}
	const { proposal, ...failure } = fetched ?? {};
	// The status is the one that the event reports: a fetched proposal may have changed since.
	const reported = {
		event,
		proposal: proposal
			? { ...proposal, status: (proposalStatusOf(event) ?? proposal.status) as string }
			: proposalOf(event),
	};
	return { workflowData: [[{ json: { ...simplifyTo(outputShape, reported), ...failure } }]] };
}

/** Identifies a delivery: a hash of its ID, or of all its bytes when it has none. */
function keyOf(event: EventEnvelope, body: Buffer): string {
	const { id } = event as { id?: unknown };
	const text = typeof id === 'string' && id !== '' ? id : body;
	return createHash('sha256').update(text).digest('base64url').slice(0, KEY_LENGTH);
}

function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

/** Whether the workflow starts on an event, and on the status that it reports. */
function isWanted(context: IWebhookFunctions, event: EventEnvelope): boolean {
	if (!eventsOf(context).includes(event.type)) return false;
	if (event.type !== EVENTS.proposalStatus) return true;
	const statuses = splitTexts(context.getNodeParameter('statuses', []));
	return isChosenStatus(proposalStatusOf(event), statuses);
}
