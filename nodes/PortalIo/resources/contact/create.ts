import { path } from '../../../../client/encoding';
import { CONTACT_TYPES, PARTY_TYPES } from '../../../../client/model';
import { contactShape } from '../../../shared/contact';
import { shownIf } from '../../fields/field';
import {
	additionalFields,
	choice,
	email,
	flag,
	options,
	requiredText,
	text,
} from '../../fields/types';
import { simplify } from '../../fields/lists';
import { operation, toPascalCase, type Call } from '../../operation/operation';
import { FieldError } from '../../fields/values';

/** docs/dev/portal-api.md#contacts-and-locations */
export const create = operation({
	name: 'Create',
	action: 'Create contact',
	description: 'Create a contact, a person or a company',
	fields: {
		partyType: choice('Person or Company', PARTY_TYPES, { default: 'Person', required: true }),
		contactType: choice('Contact Type', CONTACT_TYPES, { required: true }),
		firstName: requiredText('First Name', {
			max: 100,
			description: 'For a company: the first name of its contact person',
		}),
		companyName: shownIf('partyType', 'Company', requiredText('Company Name', { max: 100 })),
		additionalFields: additionalFields({
			contactEmail: email('Email'),
			contactEmailCC: text('Email CC', {
				description: 'Additional email addresses that receive a copy of submitted proposals',
			}),
			lastName: text('Last Name', { max: 50 }),
			notes: text('Notes', { typeOptions: { rows: 3 } }),
			contactPhone: text('Phone', { max: 30 }),
		}),
		simplify,
		options: options({
			reuseExisting: flag('Reuse Existing Contact', {
				description:
					'Whether to return the contact with this email, if there is one, instead of creating another. If there are several, the oldest is returned.',
			}),
		}),
	},
	// Two inputs with the same email are not to create two contacts.
	queue: ({ options, additionalFields }) =>
		options.reuseExisting ? addressOf(additionalFields.contactEmail) : undefined,
	validate: ({ options, additionalFields }) => {
		if (options.reuseExisting !== true || additionalFields.contactEmail !== undefined) return;
		throw new FieldError(
			'Email',
			"is empty: 'Reuse Existing Contact' finds a contact by its email",
		);
	},
	execute: async (call) => {
		const { partyType, contactType, firstName, companyName, ...more } = call.values;
		const { lastName, ...others } = more.additionalFields;
		if (more.options.reuseExisting) {
			const existing = await oldestWithEmail(call, others.contactEmail!);
			if (existing !== undefined) {
				return await call.send({ method: 'GET', path: path`/public/people/${existing}` });
			}
		}
		return await call.send({
			method: 'POST',
			path: '/public/people',
			form: toPascalCase({
				partyType,
				contactType,
				firstName,
				lastName,
				companyName,
				...others,
			}),
		});
	},
	output: { shape: contactShape },
});

/** An email as it is compared: letter case does not matter, nor do blanks, which imports leave. */
const addressOf = (email: unknown) => String(email).trim().toLowerCase();

/** The ID of the oldest contact with an email, if there is one. */
async function oldestWithEmail(call: Call, email: string): Promise<number | undefined> {
	const people = await call.readList({
		request: { method: 'GET', path: '/public/people', query: { SearchText: email } },
		records: 'people',
		count: 'peopleCount',
	});
	const ids = people
		.filter(({ contactEmail }) => addressOf(contactEmail) === addressOf(email))
		.map(({ id }) => Number(id));
	return ids.length > 0 ? Math.min(...ids) : undefined;
}
