import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { runWithNodeErrors } from '../shared/nodeError';
import { properties } from './description';
import { receive } from './receive';
import { checkSubscriptions, createSubscriptions, deleteSubscriptions } from './subscriptions';

export class PortalIoTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Portal.io Trigger',
		name: 'portalIoTrigger',
		icon: { light: 'file:../../icons/portalIo.svg', dark: 'file:../../icons/portalIo.dark.svg' },
		group: ['trigger'],
		// Use version 2, because n8n evaluates each expression of a version 1 node in a new sandbox for each delivery.
		version: 2,
		// Show `proposal.status_changed` as *Proposal Status Changed*.
		subtitle:
			'={{ [$parameter["events"]].flat().join(", ").replace(/[._]/g, " ").replace(/\\b[a-z]/g, (letter) => letter.toUpperCase()).replace(/Proposal (Build|Outline) Status Update/g, "AI $1 Status Changed") }}',
		description:
			"Work with proposals, items, and contacts, or start a workflow when a proposal's status changes",
		defaults: { name: 'Portal.io Trigger' },
		eventTriggerDescription:
			'Waiting for an event in Portal.io. To trigger one, submit a proposal, for example.',
		activationMessage: 'Portal.io now sends the chosen events to this workflow.',
		builderHint: {
			searchHint:
				'Portal.io webhooks: status changes of proposals, AI outlines, and AI builds. Requires an n8n instance with a public https URL. Without one, or for payments, change orders, contacts, and new or updated proposals, use the Portal.io Polling Trigger.',
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
				return await runWithNodeErrors(this, async () => await checkSubscriptions(this));
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await runWithNodeErrors(this, async () => await createSubscriptions(this));
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				await runWithNodeErrors(this, async () => await deleteSubscriptions(this));
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions) {
		return await receive(this);
	}
}
