import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { registry } from './resources';
import { requestOptions } from './run/requestOptions';

/** The parameters of the node, in the order in which the editor shows them, from the registry. */
export function properties(): INodeProperties[] {
	const resources = Object.entries(registry);
	const fields: INodeProperties[] = [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(([value, { name, description }]) => ({ name, value, description })),
			default: 'proposal',
		},
	];
	for (const [resource, { operations }] of resources) {
		const entries = Object.entries(operations);
		const reads = ['getMany', 'search'].find((name) => name in operations);
		const first = reads ?? entries[0]![0];
		fields.push({
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: entries.map(([value, { name, action, description }]) => ({
				name,
				value,
				action,
				description,
			})),
			default: first,
		});
	}
	for (const [resource, { operations }] of resources) {
		for (const [operation, declaration] of Object.entries(operations)) {
			const show = { resource: [resource], operation: [operation] };
			fields.push(...updateDisplayOptions({ show }, declaration.fields));
		}
	}
	fields.push(requestOptions);
	return fields;
}
