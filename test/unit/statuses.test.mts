/** Tests which statuses start a trigger's workflow. */
import type { IHookFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { isChosenStatus, type StatusField } from '../../nodes/shared/statuses.ts';
import { readValidStatuses } from '../../nodes/shared/triggerFields.ts';

it.each<[unknown, string[], boolean, StatusField?]>([
	['Accepted', [], true],
	['Declined', ['Accepted', 'Declined'], true],
	['Submitted', ['Accepted', 'Declined'], false],
	['Undefined', ['Accepted'], false],
	// Values of expressions: the label from the list, and variants that people type.
	['ViewedByClient', [' viewed  by\u00a0CLIENT '], true],
	['EmailFailed', ['email_failed'], true],
	['Viewed By Client', ['ViewedByClient'], true],
	['Viewed By Client', ['Accepted'], false],
	// Portal.io's documentation has two words for each of these statuses.
	['Accepted', ['Approved'], true],
	['Approved', ['Accepted'], true],
	['submitted', ['sent'], true],
	['Sent', ['Accepted'], false],
	// Start the workflow on an unknown status, because its event would otherwise be lost.
	['Renegotiated', ['Accepted'], true],
	['constructor', ['Accepted'], true],
	['', ['Accepted'], true],
	[undefined, ['Accepted'], true],
	['Draft', ['Paid'], false, 'paymentStatuses'],
	['requires action', ['Viewed'], false, 'paymentStatuses'],
])('starts the workflow on the status %j with %j chosen: %s', (...row) => {
	const [status, chosen, expected, field] = row;
	expect(isChosenStatus(status, chosen, field)).toBe(expected);
});

const check = (statuses: unknown, field?: StatusField) => {
	const getNodeParameter = (name: string) => (name === (field ?? 'statuses') ? statuses : []);
	const context = { getNodeParameter, getNode: () => ({}) };
	return readValidStatuses(context as unknown as IHookFunctions, field);
};

it.each<[unknown, string[], StatusField?]>([
	[[], []],
	['', []],
	[undefined, []],
	[
		['Accepted', 'Undefined'],
		['Accepted', 'Undefined'],
	],
	['viewed by client,Sent,approved', ['viewed by client', 'Sent', 'approved']],
	[['Requires Action', 'draft'], ['Requires Action', 'draft'], 'paymentStatuses'],
])('accepts the chosen statuses %j as the list %j', (statuses, expected, field) =>
	expect(check(statuses, field)).toEqual(expected),
);

it.each<[unknown, string, StatusField?]>([
	['Accepted, Acepted', 'Acepted'],
	[['Paid'], 'Paid'],
	[['Expired'], 'Expired', 'paymentStatuses'],
	[['__proto__'], '__proto__'],
	[5, '5'],
])('rejects the chosen statuses %j because of %s', (statuses, name, field) => {
	const [known, first] = field ? ['Verifying', 'Cancelled'] : ['Viewed By Client', 'Accepted'];
	expect(() => check(statuses, field)).toThrow(
		new RegExp(
			`^'Only When Status Becomes' contains '${name}', which is not a Portal.io status. Use one of these: ${first}, .*${known}`,
		),
	);
});
