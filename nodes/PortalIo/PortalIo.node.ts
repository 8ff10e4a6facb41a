import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { builderHint, properties, subtitle } from './description';
import { listSearch, loadOptions } from './editor/lists';
import { runNode } from './run/execution';

export class PortalIo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Portal.io',
		name: 'portalIo',
		icon: { light: 'file:../../icons/portalIo.svg', dark: 'file:../../icons/portalIo.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description: 'Work with proposals, items, the catalog, and contacts in Portal.io',
		defaults: { name: 'Portal.io' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'portalIoApi', required: true }],
		// Mark the secret of a new webhook subscription (docs/dev/n8n-internals.md#what-is-stored-and-shown).
		sensitiveOutputFields: ['secretKey'],
		builderHint,
		properties,
	};

	methods = { listSearch, loadOptions };

	async execute(this: IExecuteFunctions) {
		return [await runNode(this)];
	}
}
