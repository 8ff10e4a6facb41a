import { NodeApiError } from 'n8n-workflow';
import type { FieldValue } from '../../../client/encoding';
import type { ServiceRequest } from '../../../client/request';
import { readWords } from '../../../client/words';
import { joinLines } from '../../shared/failure';
import { added, type Values } from '../fields/field';
import { choice, field, flag, options, requiredText, rows } from '../fields/types';
import { toPascalCase } from './operation';

const overrideFields = {
	bodyFormat: added(
		choice(
			'Body Format',
			[
				{ name: 'Form', value: 'form' },
				{ name: 'JSON', value: 'json' },
			],
			{
				description:
					'For troubleshooting: the format of the request. It is not documented in what was available to us (April 2026). Change it if Portal.io refuses the form.',
			},
		),
	),
	extraFields: rows(
		'Extra Fields',
		{
			displayName: 'Field',
			name: 'field',
			fields: {
				name: requiredText('Name', {
					required: false,
					placeholder: 'e.g. Quantity',
					description: 'Name of the field in the Portal.io API',
				}),
				value: field('string', 'Value', (value) => value as FieldValue),
			},
		},
		{
			placeholder: 'Add field',
			description:
				'For troubleshooting: fields to send in addition to those of this operation, or in place of them, under the names that Portal.io uses. The names of this operation are not documented in what was available to us (April 2026).',
		},
	),
};

/**
 * Whether the result is looked for in the proposal (resources/item/checkResult.ts). Switching it off is
 * for a service that writes values in a way that nobody knows.
 */
const checkResult = flag('Check Result', {
	description: 'Whether to fail if the response of Portal.io does not show the change',
});

/**
 * What every operation has whose body the service does not document: a user who learns better can
 * correct it without a new release.
 */
export const overrideOptions = options(overrideFields);

/** The same for an operation whose result can be seen. */
export const checkedFields = { checkResult, ...overrideFields };
export const checkedOptions = options(checkedFields);

/**
 * The body of an operation whose body is assumed: a form with names in PascalCase, or JSON with names
 * in camelCase, with what the user corrected.
 */
export function overriddenBody(
	values: Record<string, FieldValue>,
	{ bodyFormat, extraFields }: Values<typeof overrideFields>,
): Pick<ServiceRequest, 'form' | 'json'> {
	const corrections = Object.fromEntries(
		extraFields.map(({ name, value }) => [name.trim(), value]),
	);
	return bodyFormat === 'json'
		? { json: { ...values, ...corrections } }
		: { form: { ...toPascalCase(values), ...corrections } };
}

/** Whether an operation has *Extra Fields*, by its values. */
export const canBeCorrected = (values: object) =>
	'extraFields' in ((values as { options?: object }).options ?? {});

/** What a request has in its path. */
const IN_PATH = ['proposalid', 'proposalitemid'];

/** Says in the words of the node which fields a refused request did not have. */
export function withAskedFields(failure: Error, { form, json }: ServiceRequest): Error {
	if (!(failure instanceof NodeApiError) || failure.httpCode !== '400') return failure;
	const names = (readWords(failure.errorResponse)?.errors ?? [])
		.map(({ fieldName }) => fieldName.replace(/^(?:body|request|dto)\./i, ''))
		.filter((name) => /^\w[\w[\].]{0,60}$/.test(name));
	const asked = [...new Set(names)].filter((name) => !isSent(name, { ...form, ...json }));
	const [first] = asked;
	if (first === undefined) return failure;
	const [list, inEntries] = first.split(/\[\d*\]\./);
	const quoted = asked.map((name) => `'${name}'`).join(', ');
	failure.message = `Portal.io asks for ${asked.length === 1 ? 'a field' : 'the fields'} ${quoted}`;
	const remedy =
		inEntries === undefined
			? `Add ${asked.length === 1 ? 'it' : 'them'} under 'Extra Fields' in 'Options'.`
			: `Add '${list}' under 'Extra Fields' in 'Options': a JSON list of entries with '${inEntries}'.`;
	failure.description = joinLines(remedy, failure.description);
	return failure;
}

/** Whether a body has a field of an error, such as `Items[0].itemId`; the case of names counts for nothing. */
function isSent(name: string, body: Record<string, unknown>): boolean {
	const [field = '', inEntries] = name.toLowerCase().split(/\[\d*\]\.?/);
	if (IN_PATH.includes(field)) return true;
	const [, value] = Object.entries(body).find(([own]) => own.toLowerCase() === field) ?? [];
	if (!inEntries || !Array.isArray(value)) return value !== undefined;
	return value.some((entry: object) =>
		Object.keys(entry).some((own) => own.toLowerCase() === inEntries),
	);
}
