import { CONTACT_TYPES, PARTY_TYPES } from '../../../../client/model';
import { choices } from '../../../shared/labels';
import type { Operation } from '../../shared/operation';
import { choiceOf, collectionOf, FieldError, filledTextOf, shortTextOf } from '../../shared/values';

/** Public reference, 5.3. */
export const create: Operation = {
	name: 'Create',
	action: 'Create contact',
	description:
		'Create a person or company in the contacts. Running it twice creates two: look for an existing one first.',
	mark: 'docs',
	fields: [
		{
			displayName: 'Party Type',
			name: 'partyType',
			type: 'options',
			options: choices(PARTY_TYPES),
			default: 'Person',
			required: true,
		},
		{
			displayName: 'Contact Type',
			name: 'contactType',
			type: 'options',
			options: choices(CONTACT_TYPES),
			default: 'Client',
			required: true,
		},
		{
			displayName: 'First Name',
			name: 'firstName',
			type: 'string',
			default: '',
			required: true,
			description: 'Of a company: of the person to talk to',
		},
		{
			displayName: 'Company Name',
			name: 'companyName',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { partyType: ['Company'] } },
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					displayName: 'Email',
					name: 'contactEmail',
					type: 'string',
					placeholder: 'e.g. name@example.com',
					default: '',
				},
				{
					displayName: 'Email CC',
					name: 'contactEmailCC',
					type: 'string',
					default: '',
					description: 'Further addresses that get a copy of what is submitted',
				},
				{ displayName: 'Last Name', name: 'lastName', type: 'string', default: '' },
				{
					displayName: 'Notes',
					name: 'notes',
					type: 'string',
					typeOptions: { rows: 3 },
					default: '',
				},
				{ displayName: 'Phone', name: 'contactPhone', type: 'string', default: '' },
			],
		},
	],
	request: (parameters) => {
		const more = collectionOf(parameters.additionalFields);
		const partyType = choiceOf(parameters.partyType, 'Party Type', PARTY_TYPES);
		const companyName = shortTextOf(parameters.companyName, 'Company Name', 100);
		if (partyType === 'Company' && companyName === undefined) {
			throw new FieldError('Company Name', 'is empty: a company needs one');
		}
		return {
			method: 'POST',
			path: '/public/people',
			form: {
				PartyType: partyType,
				ContactType: choiceOf(parameters.contactType, 'Contact Type', CONTACT_TYPES),
				FirstName: shortTextOf(filledTextOf(parameters.firstName, 'First Name'), 'First Name', 100),
				LastName: shortTextOf(more.lastName, 'Last Name', 50),
				CompanyName: companyName,
				ContactEmail: shortTextOf(more.contactEmail, 'Email', 256),
				ContactEmailCC: shortTextOf(more.contactEmailCC, 'Email CC', Infinity),
				ContactPhone: shortTextOf(more.contactPhone, 'Phone', 30),
				Notes: shortTextOf(more.notes, 'Notes', Infinity),
			},
		};
	},
};
