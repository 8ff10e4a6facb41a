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

/** Returns the field that limits an event to some statuses, shown for the parameter values in `show`. */
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
	description:
		'Start the workflow only when the status becomes one of these. Leave empty for any status.',
});

type ParameterContext = Pick<IPollFunctions, 'getNode' | 'getNodeParameter'>;

/**
 * Returns whether a switch is on. Accepts `true` as text, which an expression can return. Any other value counts as
 * off.
 */
export const isOn = (value: unknown): boolean => String(value) === 'true';

/**
 * Returns whether the output is simplified. Anything except *Raw* counts as simplified, such as an expression without a
 * result.
 */
export const isSimplified = (context: ParameterContext): boolean =>
	choiceKey(String(context.getNodeParameter('output', 'simplified') ?? '')) !== 'raw';

/**
 * Returns the chosen statuses, from a multi-select, an array, or comma-separated text. An empty list means any status.
 */
export const readStatuses = (
	context: ParameterContext,
	field: StatusField = 'statuses',
): string[] =>
	String(context.getNodeParameter(field, []) ?? '')
		.split(',')
		.filter(choiceKey);

/** Returns the chosen statuses. Throws a NodeOperationError for a status that Portal.io does not have. */
export function readValidStatuses(
	context: ParameterContext,
	field: StatusField = 'statuses',
): string[] {
	const statuses = readStatuses(context, field);
	const invalidStatus = statuses.find((status) => !isDocumentedStatus(status, field));
	if (invalidStatus === undefined) return statuses;
	throw new NodeOperationError(
		context.getNode(),
		`'Only When Status Becomes' contains '${invalidStatus.trim()}', which is not a Portal.io status. Use one of these: ${STATUSES[field].map(toLabel).join(', ')}`,
	);
}
