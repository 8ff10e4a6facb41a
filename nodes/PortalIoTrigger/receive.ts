import { createHash } from 'node:crypto';
import {
	jsonParse,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { EVENTS, type EventEnvelope } from '../../client/model';
import { simplifyTo } from '../shared/shape';
import { isChosenStatus, isOn, splitTexts } from '../shared/triggerFields';
import { ACKNOWLEDGED, startOnce, type ProcessDeliveries } from './deduplicate';
import { eventsOf } from './events';
import { fetchProposal } from './fetchProposal';
import { asObject, outputShape, proposalOf, proposalStatusOf } from './output';
import { KEY_LENGTH } from './takenKeys';
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
	const reason = verify(context, body);
	if (reason !== undefined) {
		context.logger.warn(`Portal.io Trigger: delivery refused, ${reason}`);
		return refuse(context, 401);
	}
	const parsed = jsonParse<unknown>((body as Buffer).toString(), { fallbackValue: null });
	const event = asObject(parsed) as EventEnvelope | undefined;
	if (event === undefined) {
		context.logger.warn('Portal.io Trigger: delivery refused, its body is not a JSON object');
		return refuse(context, 400);
	}
	if (!isWanted(context, event)) return ACKNOWLEDGED;
	const start = async () => await inputOf(context, event);
	// A test run shows one event, which may be one that came before.
	if (context.getMode() === 'manual') return await start();
	return await startOnce(context, keyOf(event, body as Buffer), start, process);
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

/** The item that the workflow starts with. */
async function inputOf(
	context: IWebhookFunctions,
	event: EventEnvelope,
): Promise<IWebhookResponseData> {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const fetched = isOn(options.fetchProposal, false)
		? await fetchProposal(context, event)
		: undefined;
	if (!isOn(context.getNodeParameter('simplify', true), true)) {
		return { workflowData: [[{ json: { ...event, ...fetched } as unknown as IDataObject }]] };
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
	const { type } = event as { type?: unknown };
	if (typeof type === 'string' && !eventsOf(context).includes(type)) return false;
	if (type !== EVENTS.proposalStatus) return true;
	const statuses = splitTexts(context.getNodeParameter('statuses', []));
	return isChosenStatus(proposalStatusOf(event), statuses);
}
