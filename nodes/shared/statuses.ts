/** Fields of both triggers, and their readers. */
import { NodeOperationError, type INodeProperties, type IPollFunctions } from 'n8n-workflow';
import { PAYMENT_STATUSES, PROPOSAL_STATUSES } from '../../client/proposal';
import { choiceKey, toLabel, toOptions } from './text';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const STATUSES = { statuses: PROPOSAL_STATUSES, paymentStatuses: PAYMENT_STATUSES };
export type StatusField = keyof typeof STATUSES;

/** Limits an event to some statuses; shown for these values of another field. */
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

/** Whether a field is on, also as text; invalid values count as off. */
export const isOn = (value: unknown): boolean => String(value) === 'true';

/** Whether to simplify the output; an expression that finds nothing counts as on. */
export const isSimplified = (context: Context): boolean =>
	String(context.getNodeParameter('simplify', true) ?? true) === 'true';

/** Proposals, payment requests and change orders are created in these. */
export const INITIAL_STATUSES = ['Draft', 'Undefined'];

const isKnown = (status: string, field: StatusField): boolean =>
	[...STATUSES[field], ...INITIAL_STATUSES].some((one) => choiceKey(one) === choiceKey(status));

/**
 * With no chosen statuses, every status starts the workflow. A missing or undocumented status
 * always does, because the event would be lost otherwise.
 */
export function isChosenStatus(
	status: unknown,
	chosen: string[],
	field: StatusField = 'statuses',
): boolean {
	if (chosen.length === 0 || typeof status !== 'string') return true;
	return !isKnown(status, field) || chosen.map(choiceKey).includes(choiceKey(status));
}

type Context = Pick<IPollFunctions, 'getNode' | 'getNodeParameter'>;

/** The chosen statuses, from a multi-select, an array or comma-separated text. Empty for all. */
export const chosenStatuses = (context: Context, field: StatusField = 'statuses'): string[] =>
	String(context.getNodeParameter(field, []) ?? '')
		.split(',')
		.filter(choiceKey);

/** The same; throws a NodeOperationError for a status that Portal.io does not have. */
export function checkStatuses(context: Context, field: StatusField = 'statuses'): string[] {
	const chosen = chosenStatuses(context, field);
	const unknown = chosen.find((one) => !isKnown(one, field));
	if (unknown === undefined) return chosen;
	throw new NodeOperationError(
		context.getNode(),
		`'Only When Status Becomes' contains '${unknown.trim()}', which is not a Portal.io status. Use one of these: ${STATUSES[field].map(toLabel).join(', ')}`,
	);
}
