import { CONTACT_TYPES, PARTY_TYPES } from '../../../../client/model';
import { additionalFields, choice, requiredText, text } from '../../shared/fieldTypes';
import { operation } from '../../shared/operation';
import { FieldError } from '../../shared/values';
import { toWire } from '../../shared/wire';

const companyName = text('Company Name', {
	max: 100,
	required: true,
	displayOptions: { show: { partyType: ['Company'] } },
});

/** docs/portal-api.md#contacts-and-locations */
export const create = operation({
	name: 'Create',
	action: 'Create contact',
	description:
		'Create a person or company in the contacts. Running it twice creates two: look for an existing one first.',
	mark: 'docs',
	fields: {
		partyType: choice('Party Type', PARTY_TYPES, { default: 'Person', required: true }),
		contactType: choice('Contact Type', CONTACT_TYPES, { required: true }),
		firstName: requiredText('First Name', {
			max: 100,
			description: 'Of a company: of the person to talk to',
		}),
		companyName,
		additionalFields: additionalFields({
			contactEmail: text('Email', { max: 256, placeholder: 'e.g. name@example.com' }),
			contactEmailCC: text('Email CC', {
				description: 'Further addresses that get a copy of what is submitted',
			}),
			lastName: text('Last Name', { max: 50 }),
			notes: text('Notes', { typeOptions: { rows: 3 } }),
			contactPhone: text('Phone', { max: 30 }),
		}),
	},
	request: ({ additionalFields: { lastName, ...others }, ...values }) => {
		const { partyType, contactType, firstName, companyName: company } = values;
		if (partyType === 'Company' && company === undefined) {
			throw new FieldError(companyName.property.displayName, 'is empty: a company needs one');
		}
		return {
			method: 'POST',
			path: '/public/people',
			form: toWire({
				partyType,
				contactType,
				firstName,
				lastName,
				companyName: company,
				...others,
			}),
		};
	},
});
