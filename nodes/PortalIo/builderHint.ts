import type { INodeTypeDescription } from 'n8n-workflow';
import type { Operation } from './operation/operation';
import { registry } from './resources';

const TRIGGER = 'n8n-nodes-portal-io.portalIoTrigger';
const POLLING_TRIGGER = 'n8n-nodes-portal-io.portalIoPollingTrigger';

/**
 * What n8n's assistant reads of the node beside its fields: the description and the output fields of
 * each operation, which n8n does not find by itself.
 */
export const builderHint: INodeTypeDescription['builderHint'] = {
	searchHint:
		"Give IDs that earlier steps return with mode 'id'. Use mode 'number' of proposalId only for the number that people know, such as 1042, which is not the ID.",
	relatedNodes: [
		{ nodeType: TRIGGER, relationHint: 'Starts when the status of a proposal changes' },
		{ nodeType: POLLING_TRIGGER, relationHint: 'The same, and more events, by polling' },
	],
	extraTypeDefContent: Object.entries(registry).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([operation, declaration]) => ({
			content: `${declaration.description}\nOutput: ${outputFields(operation, declaration)}`,
			displayOptions: { show: { resource: [resource], operation: [operation] } },
		})),
	),
};

function outputFields(name: string, { output, idFields }: Operation): string {
	const fields = output?.shape ?? output?.schema;
	const confirmation = [name === 'delete' ? 'deleted' : 'success', ...idFields];
	return (fields ? Object.keys(fields) : confirmation).join(', ');
}
