import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { withNodeErrors } from '../shared/failure';
import { properties } from './description';
import { poll } from './poll';
import { readSample } from './sample';

/**
 * Starts a workflow when a poll finds changes: for an n8n that Portal.io cannot reach, and for events
 * that no webhook subscription delivers.
 */
export class PortalIoPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Portal.io Polling Trigger',
		name: 'portalIoPollingTrigger',
		icon: { light: 'file:../../icons/portalIo.svg', dark: 'file:../../icons/portalIo.dark.svg' },
		group: ['trigger'],
		version: 1,
		// The value in words: "payment status changed".
		subtitle:
			'={{ $parameter["event"].replace(/([A-Z])/g, " $1").replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(" Or ", " or ") }}',
		description: 'Starts the workflow when a change is found in Portal.io, such as a payment',
		defaults: { name: 'Portal.io Polling Trigger' },
		builderHint: {
			searchHint:
				'Polls Portal.io for changes without a webhook: payments, change orders, contacts, new or updated proposals. Prefer the Portal.io Trigger for status changes of proposals, unless n8n has no public https address.',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'portalIoApi', required: true }],
		properties,
	};

	async poll(this: IPollFunctions) {
		if (this.getMode() !== 'manual') return await poll(this);
		return await withNodeErrors(this, async () => [[await readSample(this)]]);
	}
}
