/** See docs/dev/portal-api.md#contacts-and-locations. */
import { CONTACT_TYPES, PARTY_TYPES } from '../../../client/contact';
import { contactList } from '../../../client/lists';
import { path } from '../../../client/request';
import type { Shape } from '../../shared/simplify';
import { contactShape } from '../../shared/shapes';
import { nameKey } from '../../shared/text';
import * as collection from '../fields/collections';
import { showIf } from '../fields/declare';
import * as field from '../fields/fieldTypes';
import { chooseOrder, paging, sortCollection } from '../fields/listFields';
import { contactId } from '../fields/locators';
import { invalidField } from '../fields/fieldError';
import { readCreated } from '../operation/changedRecords';
import { defineOperation, type OperationCall, type Resource } from '../operation/operation';
import { addDefaults } from '../operation/output';
import { request, toPascalCase } from '../operation/requests';

const fullContactShape: Shape = {
	...contactShape,
	emailCC: ['string', 'contactEmailCC'],
	notes: 'string',
	street: ['string', 'primaryLocation.street'],
	postalCode: ['string', 'primaryLocation.postalCode'],
	state: ['string', 'primaryLocation.state'],
	country: ['string', 'primaryLocation.country'],
	locationId: ['integer?', 'primaryLocation.id'],
	proposalCount: 'integer',
	paymentCount: 'integer',
};

const create = defineOperation({
	name: 'Create',
	action: 'Create contact',
	description: 'Create a contact (a person or a company)',
	kind: 'change',
	// Queue by email, or two input items with the same email would create two contacts.
	queueKey: ({ options, additionalFields }) =>
		options.reuseExisting ? `email ${nameKey(additionalFields.contactEmail)}` : undefined,
	fields: {
		partyType: field.choice('Person or Company', PARTY_TYPES, {
			default: 'Person',
			required: true,
		}),
		contactType: field.choice('Contact Type', CONTACT_TYPES, { required: true }),
		firstName: field.requiredText('First Name', {
			max: 100,
			description: "First name of the person, or of the company's contact person",
		}),
		companyName: showIf('partyType', 'Company', field.requiredText('Company Name', { max: 100 })),
		additionalFields: collection.additionalFields({
			contactEmail: field.email('Email'),
			contactEmailCC: field.text('Email CC', {
				description: 'Email addresses that receive a copy of submitted proposals',
			}),
			lastName: field.text('Last Name', { max: 50 }),
			notes: field.text('Notes', { typeOptions: { rows: 3 } }),
			contactPhone: field.text('Phone', { max: 30 }),
		}),
		options: collection.options({
			reuseExisting: field.flag('Reuse Existing Contact', {
				description:
					"Whether to return the oldest existing contact with this email instead of creating another. The output field 'reused' is then true.",
			}),
		}),
	},
	validate: ({ options, additionalFields }) => {
		if (options.reuseExisting !== true || additionalFields.contactEmail !== undefined) return;
		throw invalidField(
			'Email',
			"is empty: 'Reuse Existing Contact' requires it. Add the field, or check its value.",
		);
	},
	run: async (call) => {
		const { partyType, contactType, firstName, companyName, additionalFields, options } =
			call.values;
		if (options.reuseExisting) {
			const existingId = await findOldestContact(call, additionalFields.contactEmail!);
			if (existingId !== undefined) {
				const existing = await call.send(request.get(path`/public/people/${existingId}`));
				return [addDefaults(existing, { reused: true })];
			}
		}
		const form = { partyType, contactType, firstName, companyName, ...additionalFields };
		const response = await call.send(request.post('/public/people', form));
		const contact = await readCreated(
			call,
			response,
			'partyType',
			async (id) => await call.send(request.get(path`/public/people/${id}`)),
		);
		return [addDefaults(contact, { reused: false })];
	},
	output: {
		flat: { ...fullContactShape, reused: 'boolean' },
		simplified: [
			'contactId',
			'partyType',
			'contactType',
			'firstName',
			'lastName',
			'companyName',
			'email',
			'phone',
			'city',
			'reused',
		],
	},
});

async function findOldestContact(call: OperationCall, email: string): Promise<number | undefined> {
	const people = await call.readList(contactList({ SearchText: email }), {
		advice: "Turn off 'Reuse Existing Contact', or search for the contact first.",
	});
	const ids = people
		.filter(({ contactEmail }) => nameKey(contactEmail) === nameKey(email))
		.map(({ id }) => Number(id));
	return ids.length > 0 ? Math.min(...ids) : undefined;
}

const get = defineOperation({
	name: 'Get',
	action: 'Get contact',
	description: "Retrieve a contact. The 'Raw' output includes its locations.",
	kind: 'read',
	fields: {
		contactId,
		options: collection.options({
			includeCounts: field.flag('Include Counts', {
				description:
					"Whether to count the contact's proposals and payments. The output 'Simplified' does not include the counts.",
			}),
		}),
	},
	run: async (call) => {
		const { contactId, options, output } = call.values;
		if (options.includeCounts && output === 'simplified') {
			call.hint("'Include Counts' has no effect if 'Output' is 'Simplified'.");
		}
		return [await call.send(request.get(path`/public/people/${contactId}`, options))];
	},
	output: { flat: fullContactShape },
});

const CONTACT_SORT_FIELDS = [
	'CreatedDate',
	'FirstName',
	'LastActive',
	'LastActiveByMe',
	'LastName',
	'ModifiedDate',
];

const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many contacts',
	description: 'Retrieve a list of contacts',
	kind: 'read',
	fields: {
		...paging,
		filters: collection.filters({
			partyTypes: field.choices('Person or Company', PARTY_TYPES),
			searchText: field.text('Search Text', {
				description: 'Text to find in a name or email address',
			}),
		}),
		sort: sortCollection(CONTACT_SORT_FIELDS),
	},
	run: async (call) => {
		const { filters, sort, returnAll } = call.values;
		const { partyTypes, searchText } = filters;
		const isUsual = returnAll && Object.keys(sort).length === 0;
		const order = isUsual ? {} : chooseOrder(sort, 'CreatedDate');
		// Rename the field, because this list calls it `contactTypes`.
		const query = { contactTypes: partyTypes, searchText, ...order };
		const people = await call.readList(contactList(toPascalCase(query)));
		// Reverse the list only now. The oldest contacts were read first, because contacts that are added during the
		// read are then not missed.
		return isUsual ? people.reverse() : people;
	},
	output: { flat: fullContactShape },
});

export const contact: Resource = {
	name: 'Contact',
	description: 'A person or company',
	operations: { create, get, getMany },
};
