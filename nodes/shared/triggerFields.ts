/** What both triggers ask for, and how they read it. */
import type { INodeProperties } from 'n8n-workflow';
import { PROPOSAL_STATUSES } from '../../client/model';
import { toOptions } from './labels';
import { asSwitch, splitList } from './text';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Limits an event about a status to some statuses; shown for the given values of another field. */
export const statusesField = (
	show: Record<string, string[]>,
	name = 'statuses',
	statuses: readonly string[] = PROPOSAL_STATUSES,
): INodeProperties => ({
	displayName: 'Only When Status Becomes',
	name,
	type: 'multiOptions',
	displayOptions: { show },
	options: toOptions(statuses),
	default: [],
	description: 'Start only when the status becomes one of these. Leave empty for any status.',
});

/** Texts from a multi-select, an array or comma-separated text; empty for anything else. */
export const splitTexts = (value: unknown): string[] =>
	splitList(value)
		.filter((entry) => typeof entry === 'string')
		.map((entry) => entry.trim());

/** Whether a switch is on; what is none counts as off. */
export const isOn = (value: unknown, byDefault: boolean): boolean =>
	asSwitch(value ?? byDefault) ?? false;

/** Labels that Portal.io's documentation uses for a status, where it is certain which. */
const STATUS_OF_LABEL: Record<string, string> = { Approved: 'Accepted', Sent: 'Submitted' };

const statusOf = (text: string) => STATUS_OF_LABEL[text] ?? text;

/**
 * Whether a status is one of the chosen ones: any is when none were chosen. Statuses are compared as
 * text, as Portal.io may add some. What is not a status is let through rather than lost.
 */
export const isChosenStatus = (status: unknown, chosen: string[]): boolean =>
	chosen.length === 0 ||
	typeof status !== 'string' ||
	chosen.some((one) => statusOf(one) === statusOf(status));
