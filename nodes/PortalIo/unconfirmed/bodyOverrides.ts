import type { FieldValue } from '../../../client/encoding';
import type { ServiceRequest } from '../../../client/request';
import { added, type Values } from '../shared/field';
import { choice, field, options, requiredText, rows } from '../shared/fieldTypes';
import { toPascalCase } from '../shared/operation';

export const overrideFields = {
	bodyFormat: added(
		choice(
			'Body Format',
			[
				{ name: 'Form', value: 'form' },
				{ name: 'JSON', value: 'json' },
			],
			{
				description:
					'For troubleshooting: the format of the request. Portal.io does not document it for this operation. Change it if Portal.io refuses the form.',
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
				'For troubleshooting: fields to send in addition to those of this operation, or in place of them, under the names that Portal.io uses',
		},
	),
};

/**
 * What every operation has whose body the service does not document: a user who learns better can
 * correct it without a new release.
 */
export const overrideOptions = options(overrideFields);

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
