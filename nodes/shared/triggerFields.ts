/** Fields of both triggers, and their readers. */
import { NodeOperationError, type INodeProperties, type IPollFunctions } from 'n8n-workflow';
import { isDocumentedStatus, STATUSES, type StatusField } from './statuses';
import { choiceKey, toLabel, toOptions } from './text';

export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw' },
		{ name: 'Simplified', value: 'simplified' },
	],
	default: 'simplified',
};

/** Limits an event to some statuses. n8n shows the field for the parameter values in `show`. */
export const statusesField = (
	show: Record<string, string[]>,
	name: StatusField = 'statuses',
): INodeProperties => ({
	displayName: 'Only When Status Becomes',
	name,
	type: 'multiOptions',
	displayOptions: { show },
	options: toOptions(STATUSES[name]),
	default: [],
	description: 'Start only when the status becomes one of these. Leave empty for any status.',
});

type ParameterContext = Pick<IPollFunctions, 'getNode' | 'getNodeParameter'>;

/** Reads a switch. An expression may set it as text; an invalid value counts as off. */
export const isOn = (value: unknown): boolean => String(value) === 'true';

/** Reads *Output*. Anything but *Raw*, such as an expression that finds nothing, counts as *Simplified*. */
export const isSimplified = (context: ParameterContext): boolean =>
	choiceKey(String(context.getNodeParameter('output', 'simplified') ?? '')) !== 'raw';

/** Reads the chosen statuses, from a multi-select, an array or comma-separated text. Empty means all. */
export const chosenStatuses = (
	context: ParameterContext,
	field: StatusField = 'statuses',
): string[] =>
	String(context.getNodeParameter(field, []) ?? '')
		.split(',')
		.filter(choiceKey);

/** Reads the chosen statuses; throws a NodeOperationError for a status that Portal.io does not have. */
export function checkStatuses(
	context: ParameterContext,
	field: StatusField = 'statuses',
): string[] {
	const statuses = chosenStatuses(context, field);
	const invalidStatus = statuses.find((status) => !isDocumentedStatus(status, field));
	if (invalidStatus === undefined) return statuses;
	throw new NodeOperationError(
		context.getNode(),
		`'Only When Status Becomes' contains '${invalidStatus.trim()}', which is not a Portal.io status. Use one of these: ${STATUSES[field].map(toLabel).join(', ')}`,
	);
}
