import { createHash } from 'node:crypto';
import {
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { EVENTS, type EventEnvelope } from '../../client/model';
import { path } from '../../client/http/path';
import { send } from '../../client/http/request';
import { openSession } from '../../client/http/session';
import { Claims } from './claims';
import { memoryOf } from './memory';
import { isSeen, KEY_WIDTH, withSeen } from './seen';
import { startedWith } from './started';
import { verify } from './verify';

interface Options {
	fetchProposal?: boolean;
	statuses?: string[];
}

/** Labels of the documentation's prose and the status that they certainly mean (15, row 17). */
const STATUS_OF_LABEL: Record<string, string> = { Approved: 'Accepted', Sent: 'Submitted' };

/** Received and of no interest: n8n answers 200, so that the service does not send it again. */
const ACKNOWLEDGED: IWebhookResponseData = {};

/** The claims of this process. */
const processClaims = new Claims();

/**
 * Takes a delivery: verifies it, and starts the workflow if it is one that was asked for and did
 * not come before.
 *
 * A forged or stale delivery gets 401 and nothing else; the reason goes into n8n's log. Nothing is
 * read from the body before it is verified, and it never throws, since n8n would show the sender
 * why and keep a failed execution.
 *
 * @param claims what this process is taking or has taken
 */
export async function receive(
	context: IWebhookFunctions,
	claims = processClaims,
): Promise<IWebhookResponseData> {
	const body = await bodyOf(context);
	const reason = verify(context, body);
	if (reason !== undefined) {
		context.logger.warn(`Portal.io Trigger: delivery refused, ${reason}`);
		return refuse(context, 401);
	}
	const event = parse(body as Buffer);
	if (event === undefined) {
		context.logger.warn('Portal.io Trigger: delivery refused, its body is not a JSON object');
		return refuse(context, 400);
	}
	const options = context.getNodeParameter('options', {}) as Options;
	const events = context.getNodeParameter('events', []) as string[];
	if (typeof event.type === 'string' && !events.includes(event.type)) return ACKNOWLEDGED;
	if (!isWanted(event, options.statuses ?? [])) return ACKNOWLEDGED;
	// A test run is a look at one event, which may well be one that came before.
	if (context.getMode() === 'manual') return await start(context, event, options);
	return await once(context, claims, keyOf(event, body as Buffer), async () => {
		return await start(context, event, options);
	});
}

/** The bytes as they arrived. n8n has read those of JSON; of other types whoever wants them does. */
async function bodyOf(context: IWebhookFunctions): Promise<unknown> {
	const request = context.getRequestObject() as {
		rawBody?: unknown;
		readRawBody?: () => Promise<void>;
	};
	if (request.rawBody === undefined) await request.readRawBody?.().catch(() => {});
	return request.rawBody;
}

async function start(
	context: IWebhookFunctions,
	event: EventEnvelope,
	options: Options,
): Promise<IWebhookResponseData> {
	const json = { ...event } as unknown as IDataObject;
	if (options.fetchProposal) Object.assign(json, await proposalOf(context, event));
	const item: INodeExecutionData = { json };
	return { workflowData: [[item]] };
}

/** Lets a delivery through that did not come before, and remembers it once n8n has started with it. */
async function once(
	context: IWebhookFunctions,
	claims: Claims,
	key: string,
	begin: () => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	const now = Math.floor(Date.now() / 1000);
	const memory = memoryOf(context);
	// Another activation has other subscriptions, whose deliveries are none of those before.
	const ids = Object.values(memory.subscriptions ?? {}).map((one) => one.subscriptionId);
	const node = `${context.getWorkflow().id}/${context.getNode().id}/${ids.join(',')}`;
	if (isSeen(memory.seen ?? '', key, now)) return ACKNOWLEDGED;
	const settle = await claims.claim(node, key, now);
	if (settle === undefined) return ACKNOWLEDGED;
	let delivered: IWebhookResponseData | undefined;
	try {
		delivered = await begin();
	} finally {
		if (delivered === undefined) settle(false);
	}
	return startedWith(delivered, context.getResponseObject(), {
		onStarted: () => {
			settle(true);
			memory.seen = withSeen(memory.seen ?? '', claims.taken(node), now);
		},
		onFailed: () => settle(false),
	});
}

/** What tells a delivery from others: its ID, or all of it when it has none; always short. */
function keyOf(event: EventEnvelope, body: Buffer): string {
	const { id } = event as { id?: unknown };
	const text = typeof id === 'string' && id !== '' ? id : body;
	return createHash('sha256').update(text).digest('base64url').slice(0, KEY_WIDTH);
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
		return { proposal: (await send(await openSession(context), request)) as IDataObject };
	} catch (error) {
		return { proposal: null, proposalError: (error as Error).message };
	}
}
