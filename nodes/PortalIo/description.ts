import {
	updateDisplayOptions,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { requestOptions } from './fields/requestOptions';
import type { Operation } from './operation/operation';
import { simplifiedNames } from './operation/output';
import { registry } from './resources';

const resources = Object.entries(registry);
const operations = resources.flatMap(([resource, { operations }]) =>
	Object.entries(operations).map(([name, operation]) => {
		return { name, operation, show: { resource: [resource], operation: [name] } };
	}),
);

const UNCONFIRMED = 'Might not work until Portal.io publishes the field names';

const describeOperation = ({ description, unconfirmed }: Operation): string =>
	unconfirmed === undefined ? description : `${description.replace(/\.?$/, '.')} ${UNCONFIRMED}.`;

function listFields({ fields, unconfirmed }: Operation): INodeProperties[] {
	if (unconfirmed === undefined) return fields;
	const check = unconfirmed === 'checked' ? 'so the step checks' : 'and the step cannot check';
	const notice: INodeProperties = {
		displayName: `Portal.io has not published the field names for this operation yet, ${check} the result`,
		name: 'unconfirmedNotice',
		type: 'notice',
		default: '',
	};
	return [notice, ...fields];
}

export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(([value, { name, description }]) => ({ name, value, description })),
		default: 'proposal',
	},
	...resources.map(([resource, { operations }]): INodeProperties => {
		const options = Object.entries(operations).map(([value, operation]) => {
			const { name, action } = operation;
			return { name, value, action, description: describeOperation(operation) };
		});
		const reads = options.find(({ value }) => value === 'getMany' || value === 'search');
		const first = (reads ?? options[0]!).value;
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options,
			default: first,
		};
	}),
	...operations.flatMap(({ operation, show }) =>
		updateDisplayOptions({ show }, listFields(operation)),
	),
	requestOptions,
];

/** Returns an expression that shows a parameter value in words, such as *AI Content* for `aiContent`. */
const wordsExpression = (parameter: string) =>
	`$parameter["${parameter}"].replace(/([A-Z])/g, " $1").replace(/\\b[a-z]/g, (letter) => letter.toUpperCase()).replace("Ai ", "AI ")`;

/** Parameters that distinguish the steps of a workflow, from most to least specific. */
const DISTINCTIVE = [
	'areaOptionId',
	'areaId',
	'itemId',
	'name',
	'searchText',
	'street',
	'contactId',
	'catalogItemId',
	'proposalId',
];

/**
 * Subtitle such as `Add: Living Room`, or `Add: Item` if the step gets the records from its input. It uses the stored
 * parameters without evaluating them, because n8n shows no subtitle if an expression reads the input.
 */
export const subtitle = `={{ ${wordsExpression('operation')} + ": " + (${JSON.stringify(DISTINCTIVE)}
	.map((name) => $parameter.toJSON()[name])
	.filter((field) => /^[^=]/.test(field?.value ?? field ?? ""))
	.map((field) => field.cachedResultName ?? field.value ?? field)[0] ?? ${wordsExpression('resource')}) }}`;

const TRIGGER = 'n8n-nodes-portal-io.portalIoTrigger';
const POLLING_TRIGGER = 'n8n-nodes-portal-io.portalIoPollingTrigger';

/** Hints for n8n's assistant, which would otherwise not see the descriptions and output fields of operations. */
export const builderHint: INodeTypeDescription['builderHint'] = {
	searchHint:
		"Use mode 'id' for IDs that earlier steps return. Use mode 'number' of proposalId only for the number that people see, such as 1042, which is not the ID. An area option is not an area. Use the areaOptionId that creating or listing areas returns, or mode 'name' of areaOptionId with the area's name.",
	relatedNodes: [
		{ nodeType: TRIGGER, relationHint: "Starts when a proposal's status changes" },
		{ nodeType: POLLING_TRIGGER, relationHint: 'Starts on the same events and more, by polling' },
	],
	extraTypeDefContent: operations.map(({ operation, show }) => ({
		content: `${describeOperation(operation)}\nOutput: ${outputFields(operation)}`,
		displayOptions: { show },
	})),
};

function outputFields({ output, idFields }: Operation): string {
	const ids = 'confirms' in output ? idFields : [];
	return [...simplifiedNames(output), ...ids].join(', ');
}
