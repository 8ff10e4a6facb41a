import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { properties } from './description';
import { receive } from './receive';
import { areComplete, complete, removeAll } from './subscriptions';

/** Starts a workflow when Portal.io reports a change (specification, *Events*). */
export class PortalIoTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Portal.io Trigger',
		name: 'portalIoTrigger',
		icon: { light: 'file:../../icons/portalIo.svg', dark: 'file:../../icons/portalIo.dark.svg' },
		group: ['trigger'],
		// The same. But for a webhook of version 1 n8n 2.40 evaluates an expression with every delivery (its
		// `webhook-helpers`, `parseRequestBody`), which can take it longer than all the rest.
		version: [1, 2],
		defaultVersion: 2,
		// The values in words: "proposal status changed".
		subtitle: '={{ $parameter["events"].join(", ").replace(/[._]/g, " ") }}',
		description: 'Starts the workflow when a proposal, its outline or its build changes status',
		defaults: { name: 'Portal.io Trigger' },
		eventTriggerDescription: 'Waiting for you to change the status of a proposal in Portal.io',
		activationMessage: 'Portal.io will now tell n8n about the chosen events.',
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'portalIoApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '', // See started.ts.
				path: 'webhook',
			},
		],
		properties,
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await areComplete(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await complete(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				await removeAll(this);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions) {
		return await receive(this);
	}
}
