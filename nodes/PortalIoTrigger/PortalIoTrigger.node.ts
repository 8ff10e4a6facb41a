import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { withNodeErrors } from '../shared/failure';
import { properties } from './description';
import { receive } from './receive';
import { checkSubscriptions, createSubscriptions, deleteSubscriptions } from './subscriptions';

/** Starts a workflow when Portal.io delivers an event. */
export class PortalIoTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Portal.io Trigger',
		name: 'portalIoTrigger',
		icon: { light: 'file:../../icons/portalIo.svg', dark: 'file:../../icons/portalIo.dark.svg' },
		group: ['trigger'],
		// For version 1 n8n 2.40 evaluates an expression with every delivery, which takes longest of all.
		version: 2,
		// The values in words: "proposal status changed".
		subtitle:
			'={{ [$parameter["events"]].flat().join(", ").replace(/[._]/g, " ").replace(/\\b[a-z]/g, (letter) => letter.toUpperCase()).replace(/Proposal (Build|Outline) Status Update/g, "AI $1 Status Changed") }}',
		// n8n also shows it where it lists this trigger and the Portal.io node as one.
		description:
			'Starts the workflow when a proposal status changes, or works with proposals, items and the catalog',
		defaults: { name: 'Portal.io Trigger' },
		eventTriggerDescription:
			'Waiting for an event in Portal.io, such as a proposal that you submit',
		activationMessage: 'Portal.io now sends the chosen events to this workflow.',
		builderHint: {
			searchHint:
				'Portal.io webhooks: status changes of proposals, AI outlines and AI builds. Requires an n8n with a public https address. Use the Portal.io Polling Trigger for payments, change orders, contacts and new or updated proposals, or without such an address.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'portalIoApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'noData',
				path: 'webhook',
			},
		],
		properties,
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await withNodeErrors(this, async () => await checkSubscriptions(this));
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await withNodeErrors(this, async () => await createSubscriptions(this));
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				await withNodeErrors(this, async () => await deleteSubscriptions(this));
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions) {
		return await receive(this);
	}
}
