/** Provides a webhook trigger that receives deliveries, for unit and property tests. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { expect } from 'vitest';
import type { openMemory } from '../../nodes/PortalIoTrigger/triggerMemory.ts';
import { receive } from '../../nodes/PortalIoTrigger/receive.ts';
import { ResponseStandIn } from '../../dev/testbed/response.mts';
import { signedHeaders } from '../wire/deliver.mts';

export const TYPE = 'proposal.status_changed';
export const OUTLINE = 'proposal.outline.status_update';
export const NOW = 1_800_000_000;

export const subscription = (subscriptionId: number, secretKey: string) => ({
	[TYPE]: { subscriptionId, secretKey },
});
/** Returns a trigger's static data with the given subscriptions. */
export const remembered = (subscriptions: object): IDataObject => ({
	subscriptions: subscriptions as IDataObject,
});
export const event = (more: object = {}) =>
	JSON.stringify({ id: 'evt_1', type: TYPE, created: '', data: { id: 7 }, ...more });

interface Sending {
	secret?: string;
	time?: number;
	status?: number;
	request?: object;
}

/** Trigger in a published workflow, or in one that listens for a test event. */
export class Trigger {
	memory: IDataObject & { deliveryKeys?: string } = remembered(subscription(1, 'ours'));
	parameters: IDataObject = {};
	mode = 'webhook';
	url = 'https://n8n.example.com/webhook/1/webhook';
	/** ID of the node. The process keeps the node's state under this ID. */
	nodeId: string = randomUUID();
	readonly log: string[] = [];

	constructor(changes: Partial<Trigger> = {}) {
		Object.assign(this, changes);
	}

	context(request: object = {}, headers: object = {}, response: object = {}) {
		return {
			getRequestObject: () => request,
			getHeaderData: () => headers,
			getResponseObject: () => response,
			getWorkflowStaticData: (of: string) => (of === 'node' ? this.memory : {}),
			getNodeParameter: (name: string, byDefault: unknown) =>
				name in this.parameters ? this.parameters[name] : name === 'events' ? [TYPE] : byDefault,
			getMode: () => this.mode,
			getNodeWebhookUrl: (name: string) => (name === 'default' ? this.url : 'another address'),
			getNode: () => ({ id: this.nodeId, name: 'Trigger' }),
			logger: { warn: (line: string) => this.log.push(line) },
		} as unknown as IWebhookFunctions & Parameters<typeof openMemory>[0];
	}

	async call(
		body: string | Buffer,
		response: object,
		{ secret = 'ours', time, request }: Sending = {},
	) {
		const headers = signedHeaders(secret, String(body), time);
		const context = this.context({ rawBody: Buffer.from(body), ...request }, headers, response);
		return await receive(context);
	}

	/** @returns the workflow's input, or the status of a rejection */
	async receive(
		body: string | Buffer,
		sending: Sending = {},
	): Promise<IWebhookResponseData['workflowData'] | number> {
		const response = new ResponseStandIn();
		const { workflowData, noWebhookResponse } = await this.call(body, response, sending);
		expect(response.writableEnded, 'the trigger answers refusals, n8n the rest').toBe(
			noWebhookResponse === true,
		);
		if (noWebhookResponse) return response.statusCode;
		response.status(sending.status ?? 200).end();
		return workflowData;
	}

	/** @returns whether the workflow was started, or the status of a rejection */
	async take(body = event(), sending: Sending = {}): Promise<boolean | number> {
		const outcome = await this.receive(body, sending);
		return typeof outcome === 'number' ? outcome : outcome !== undefined;
	}
}
