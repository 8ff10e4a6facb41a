/** Fields of both triggers, and their readers. */
import {
	NodeOperationError,
	type IHookFunctions,
	type INodeProperties,
	type IPollFunctions,
} from 'n8n-workflow';
import { PAYMENT_STATUSES, PROPOSAL_STATUSES } from '../../client/model';
import { toLabel, toOptions } from './labels';
import { asSwitch, splitList } from './text';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The statuses to choose from, by the field that limits an event to some of them. */
const STATUSES = { statuses: PROPOSAL_STATUSES, paymentStatuses: PAYMENT_STATUSES };
export type StatusField = keyof typeof STATUSES;

/** Limits an event about a status to some statuses; shown for the given values of another field. */
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

/** Texts from a multi-select, an array or comma-separated text; empty for anything else. */
export const splitTexts = (value: unknown): string[] =>
	splitList(value).flatMap((entry) => (typeof entry === 'string' ? [entry.trim()] : []));

/** Whether a switch is on; invalid values count as off. */
export const isOn = (value: unknown, byDefault: boolean): boolean =>
	asSwitch(value ?? byDefault) ?? false;

/** Labels that Portal.io's documentation uses for a status, where it is certain which. */
const STATUS_OF_LABEL = new Map([
	['approved', 'accepted'],
	['sent', 'submitted'],
]);

/** The key by which statuses are compared: `Viewed By Client` is `ViewedByClient`. */
const statusKey = (text: string): string => {
	const key = text.toLowerCase().replace(/[\s\p{Cf}_-]/gu, '');
	return STATUS_OF_LABEL.get(key) ?? key;
};

/** Portal.io documents these for payments and proposals alike, although few start a workflow on them. */
const INITIAL_STATUSES = ['Draft', 'Undefined'];

const keysOf = (statuses: readonly string[]) =>
	new Set([...statuses, ...INITIAL_STATUSES].map(statusKey));

const KNOWN_STATUSES: Record<StatusField, Set<string>> = {
	statuses: keysOf(PROPOSAL_STATUSES),
	paymentStatuses: keysOf(PAYMENT_STATUSES),
};

/**
 * Whether a workflow starts on a status: on each of the chosen ones, and on any if none are chosen. A
 * status that is missing or not documented always starts it, because the event would be lost otherwise.
 */
export function isChosenStatus(
	status: unknown,
	chosen: string[],
	field: StatusField = 'statuses',
): boolean {
	if (chosen.length === 0 || typeof status !== 'string') return true;
	const key = statusKey(status);
	return !KNOWN_STATUSES[field].has(key) || chosen.map(statusKey).includes(key);
}

/**
 * Checks the chosen statuses when a workflow is published.
 *
 * @throws NodeOperationError naming a status that Portal.io does not have
 */
export function checkStatuses(
	context: IHookFunctions | IPollFunctions,
	field: StatusField = 'statuses',
): void {
	const chosen = splitList(context.getNodeParameter(field, [])).map((one) =>
		String(one ?? '').trim(),
	);
	const unknown = chosen.find((one) => one !== '' && !KNOWN_STATUSES[field].has(statusKey(one)));
	if (unknown === undefined) return;
	throw new NodeOperationError(
		context.getNode(),
		`'Only When Status Becomes' contains '${unknown}', which is not a Portal.io status. Use one of these: ${STATUSES[field].map(toLabel).join(', ')}`,
	);
}
