/** Contacts and their locations. */
import type { Check } from '../probe.mts';
import {
	LATEST_FIRST,
	listIn,
	listsLatest,
	NO_TEXT,
	PAGE,
	readProposal,
	tryFilters,
} from './reading.mts';

/** Reserved for examples, as is the domain of the email addresses. */
const phone = (attempt: number) => `202-555-0${100 + (attempt % 100)}`;

/** A contact first; its location only once it is assigned, so that it brings none into the proposal. */
export const contactChecks: Check[] = [
	{
		operation: 'contact.create',
		fields: ({ name }, attempt) => ({
			PartyType: 'Person',
			ContactType: 'Client',
			FirstName: 'n8n',
			LastName: `${name.replace('n8n ', '')} (${attempt})`,
			CompanyName: `n8n probe ${attempt}`,
			ContactEmail: `n8n-probe-${attempt}@example.com`,
			ContactEmailCC: `n8n-probe-cc-${attempt}@example.com`,
			ContactPhone: phone(attempt),
			Notes: `n8n probe note ${attempt}`,
		}),
		readBack: async (probe, { data }) => {
			if (data?.id === undefined) return undefined;
			const read = await probe.read('contact.get', {}, { PersonId: data.id });
			// Only what has the name of this run is ever changed, whatever ID the response names.
			if (!probe.isOfThisRun(`n8n ${read?.lastName}`)) return undefined;
			probe.own.ContactId = data.id;
			probe.own.PersonId = data.id;
			return read;
		},
		unproven: ['CompanyName', 'ContactEmailCC'],
	},
	{ operation: 'contact.get', fields: () => ({ IncludeCounts: true }) },
];

export const locationChecks: Check[] = [
	{
		operation: 'proposal.assignContact',
		fields: ({ own }) => ({ proposalId: own.ProposalId, contactId: own.ContactId }),
		readBack: readProposal,
		places: { proposalId: 'id', contactId: 'customer.id' },
	},
	{
		operation: 'location.create',
		fields: (_, attempt) => ({
			Street: `${attempt} n8n probe`,
			Suite: `Suite ${attempt}`,
			City: 'Denver',
			PostalCode: '80205',
			State: 'CO',
			Country: 'United States',
			ContactFirstName: 'n8n',
			ContactLastName: `probe ${attempt}`,
			ContactPhoneNumber: phone(attempt),
			ContactEmail: `n8n-probe-location-${attempt}@example.com`,
			IsPrimary: true,
			IsBilling: true,
		}),
		readBack: async (probe, { data }) => {
			const locations = listIn(await probe.read('location.getMany'), 'contactLocations');
			const made = locations.find(({ id }) => id === data?.id);
			if (made === undefined) return undefined;
			probe.own.LocationId = made.id;
			return { ...made, state: made.stateAbbrev ?? made.state };
		},
		// A service may have its own name of a country.
		unproven: ['Country'],
	},
	{ operation: 'location.getMany', fields: () => PAGE },
	{
		operation: 'proposal.assignLocation',
		fields: ({ own }) => ({ proposalId: own.ProposalId, locationId: own.LocationId }),
		readBack: readProposal,
		places: { proposalId: 'id', locationId: 'customer.location.id' },
	},
];

const PERSONS = { ...LATEST_FIRST, ContactTypes: ['Person'] };

/** Late, as the list may take a moment to show what is new. */
export const contactListCheck: Check = {
	operation: 'contact.getMany',
	fields: () => ({ ...PERSONS, ContactTypes: ['Person', 'Company'] }),
	tookEffect: async ({ own }, _, { data }) => listsLatest(data, 'people', own.PersonId),
	after: tryFilters('contact.getMany', 'people', PERSONS, {
		SearchText: { SearchText: NO_TEXT },
		ContactTypes: { ContactTypes: ['Company'] },
		'SortBy and SortDirection': { SortDirection: 'Asc' },
		'PageNumber and PageSize': { PageNumber: 2, PageSize: 1 },
	}),
};
