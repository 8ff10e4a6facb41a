import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../../client/http/form';
import type { ServiceRequest } from '../../../client/http/request';
import type { Parameters } from './operation';
import { choiceOf, collectionOf, filledTextOf } from './values';

/**
 * What every operation has whose body the service does not document: a user who learns better can
 * correct it without a new release (operations.md, rule 3).
 */
export const correctionOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Body Format',
			name: 'bodyFormat',
			type: 'options',
			options: [
				{ name: 'Form', value: 'form' },
				{ name: 'JSON', value: 'json' },
			],
			default: 'form',
			description:
				'How the request is written. Portal.io does not document it for this operation: change it if Portal.io refuses the form.',
		},
		{
			displayName: 'Extra Fields',
			name: 'extraFields',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add field',
			default: {},
			description:
				'Fields to send besides, or in place of, those of this operation, under the names that Portal.io uses',
			options: [
				{
					displayName: 'Field',
					name: 'field',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. Quantity',
							description: 'The name as Portal.io writes it',
						},
						{ displayName: 'Value', name: 'value', type: 'string', default: '' },
					],
				},
			],
		},
	],
};

/**
 * The body of an operation whose body is assumed: the given fields in the service's own manner, with
 * what the user corrected.
 *
 * @param fields wire names in PascalCase, as in forms; a JSON body gets them in camelCase
 */
export function assumedBody(
	fields: Fields,
	parameters: Parameters,
): Pick<ServiceRequest, 'form' | 'json'> {
	const options = collectionOf(parameters.options);
	const format = choiceOf(options.bodyFormat ?? 'form', 'Body Format', ['form', 'json']);
	const extra = collectionOf(options.extraFields).field;
	const corrections: Fields = {};
	for (const field of Array.isArray(extra) ? extra : []) {
		const { name, value } = collectionOf(field);
		corrections[filledTextOf(name, 'Extra Fields: Name').trim()] = value as Fields[string];
	}
	if (format === 'form') return { form: { ...fields, ...corrections } };
	const camelCase = Object.entries(fields).map(([name, value]) => [
		name.charAt(0).toLowerCase() + name.slice(1),
		value,
	]);
	return { json: { ...Object.fromEntries(camelCase), ...corrections } };
}
