import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { EVENTS, type EventEnvelope } from '../../service/model';
import { path } from '../../service/path';
import { send } from '../../service/request';
import { refusal } from '../../service/webhookSignature';
import type { Memory } from './subscriptions';

interface Options {
	fetchProposal?: boolean;
	statuses?: string[];
	toleranceSeconds?: number;
}

/** Labels of the documentation's prose and the status that they certainly mean (15, row 17). */
const STATUS_OF_LABEL: Record<string, string> = { Approved: 'Accepted', Sent: 'Submitted' };

/** Received and of no interest: n8n answers 200, so that the service does not send it again. */
const ACKNOWLEDGED: IWebhookResponseData = {};

/**
 * Takes a delivery: verifies it, and starts the workflow if it is one that was asked for.
 *
 * A forged or stale delivery gets 401 and nothing else; the reason goes into n8n's log. Nothing is
 * read from the body before it is verified, and it never throws, since n8n would show the sender
 * why and keep a failed execution.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { subscriptions = {} } = context.getWorkflowStaticData('node') as Memory;
	const options = context.getNodeParameter('options', {}) as Options;
	const body = (context.getRequestObject() as { rawBody?: unknown }).rawBody;
	const reason = refusal({
		header: context.getHeaderData()['x-webhook-signature'],
		body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
		secrets: Object.values(subscriptions).map(({ secretKey }) => secretKey),
		now: Date.now(),
		toleranceSeconds: options.toleranceSeconds ?? 300,
	});
	if (reason !== undefined) {
		context.logger.warn(`Portal.io Trigger: delivery refused, ${reason}`);
		return refuse(context, 401);
	}
	const event = parse(body as Buffer);
	if (event === undefined) {
		context.logger.warn('Portal.io Trigger: delivery refused, its body is not a JSON object');
		return refuse(context, 400);
	}
	const events = context.getNodeParameter('events', []) as string[];
	if (typeof event.type === 'string' && !events.includes(event.type)) return ACKNOWLEDGED;
	if (!isWanted(event, options.statuses ?? [])) return ACKNOWLEDGED;

	const json = { ...event } as unknown as IDataObject;
	if (options.fetchProposal) Object.assign(json, await proposalOf(context, event));
	const item: INodeExecutionData = { json };
	return { workflowData: [[item]] };
}

function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

function parse(body: Buffer): EventEnvelope | undefined {
	try {
		const value: unknown = JSON.parse(body.toString('utf8'));
		const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
		return isObject ? (value as EventEnvelope) : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Whether a status that was asked for is reached. The fields of `data` are not documented: an event
 * whose status cannot be read is let through rather than lost.
 */
function isWanted(event: EventEnvelope, statuses: string[]): boolean {
	if (statuses.length === 0 || event.type !== EVENTS.proposalStatus) return true;
	const { data } = event;
	const status = data?.status ?? (data?.proposal as IDataObject | undefined)?.status;
	if (typeof status !== 'string') return true;
	return statuses.includes(STATUS_OF_LABEL[status] ?? status);
}

/** The full proposal of an event; when it cannot be read the event still comes, with the reason. */
async function proposalOf(context: IWebhookFunctions, event: EventEnvelope): Promise<IDataObject> {
	const { data } = event;
	const id =
		data?.proposalId ??
		(data?.proposal as IDataObject | undefined)?.id ??
		(event.type === EVENTS.proposalStatus ? data?.id : undefined);
	if (typeof id !== 'number' && typeof id !== 'string') {
		return { proposal: null, proposalError: 'The event does not say which proposal changed' };
	}
	try {
		const request = { method: 'GET', path: path`/public/proposals/${id}` } as const;
		return { proposal: (await send(context, request)) as IDataObject };
	} catch (error) {
		return { proposal: null, proposalError: (error as Error).message };
	}
}
