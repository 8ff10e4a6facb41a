/** Contacts and their locations. */
import type { Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import type { Fields } from '../ways.mts';
import { NO_TEXT, PAGING, sortingBy, tryFilters } from './filters.mts';
import { isSame, LATEST_FIRST, listIn, PAGE, readProposal, shows } from './reading.mts';

/** Reserved for examples, as is the domain of the email addresses. */
const phone = (attempt: number) => `202-555-0${100 + (attempt % 100)}`;

const person = ({ options }: Probe, attempt: number) => ({
	PartyType: 'Person',
	ContactType: 'Client',
	FirstName: 'n8n',
	LastName: `${options.name.replace('n8n ', '')} (${attempt})`,
	CompanyName: `n8n probe ${attempt}`,
	ContactEmail: `n8n-probe-${attempt}@example.com`,
	ContactEmailCC: `n8n-probe-cc-${attempt}@example.com`,
	ContactPhone: phone(attempt),
	Notes: `n8n probe note ${attempt}`,
});

const place = (_: Probe, attempt: number) => ({
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
});

const isSamePhone = (sent: unknown, read: unknown) => {
	const digits = (value: unknown) => String(value ?? '').replace(/\D/g, '');
	return digits(read).endsWith(digits(sent));
};

/** A service may leave out the company of a person and the CC, and write a phone number its own way. */
function isPersonKept(sent: Fields, read: Json): boolean {
	const { PartyType, ContactType, FirstName, ContactEmail, Notes } = sent;
	return (
		shows(read, { PartyType, ContactType, FirstName, ContactEmail, Notes }) &&
		isSamePhone(sent.ContactPhone, read.contactPhone)
	);
}

/** A service may complete what it knows of a place. */
function isPlaceKept(sent: Fields, read: Json): boolean {
	const { State, Country, PostalCode, ContactPhoneNumber, ...rest } = sent;
	return (
		shows(read, rest) &&
		[read.state, read.stateAbbrev].includes(State) &&
		Boolean(Country) === Boolean(read.country) &&
		String(read.postalCode).startsWith(String(PostalCode)) &&
		isSamePhone(ContactPhoneNumber, read.contactPhoneNumber)
	);
}

/** A contact first; its location only once it is assigned, so that it brings none into the proposal. */
export const contactChecks: Check[] = [
	{
		operation: 'contact.create',
		fields: person,
		tookEffect: async (probe, sent, { data }) => {
			if (data?.id === undefined) return false;
			const read = await probe.read('contact.get', {}, { PersonId: data.id });
			// Only what has the name of this run is ever changed, whatever ID the response names.
			if (!isSame(sent.LastName, read?.lastName)) return false;
			probe.own.ContactId = data.id;
			probe.own.PersonId = data.id;
			return isPersonKept(sent, read);
		},
	},
	{
		operation: 'contact.get',
		fields: () => ({ IncludeCounts: true }),
		tookEffect: async ({ own, found }, _, { data }) =>
			isSame(own.PersonId ?? found.PersonId!, data?.id),
	},
];

export const locationChecks: Check[] = [
	{
		operation: 'proposal.assignContact',
		obstacle: ({ own }) =>
			own.ContactId === undefined ? 'There is no contact to assign.' : undefined,
		fields: ({ own }) => ({ proposalId: own.ProposalId, contactId: own.ContactId }),
		tookEffect: async (probe) => (await readProposal(probe))?.customer?.id === probe.own.ContactId,
	},
	{
		operation: 'location.create',
		fields: place,
		tookEffect: async (probe, sent, { data }) => {
			const locations = listIn(await probe.read('location.getMany'), 'contactLocations');
			const made = locations.find(({ id }) => id === data?.id);
			if (made === undefined || !isPlaceKept(sent, made)) return false;
			probe.own.LocationId = made.id;
			return true;
		},
	},
	{
		operation: 'location.getMany',
		fields: () => PAGE,
		tookEffect: async ({ own }, _, { data }) =>
			own.LocationId === undefined ||
			listIn(data, 'contactLocations').some(({ id }) => id === own.LocationId),
	},
	{
		operation: 'proposal.assignLocation',
		fields: ({ own }) => ({ proposalId: own.ProposalId, locationId: own.LocationId }),
		tookEffect: async (probe) =>
			(await readProposal(probe))?.customer?.location?.id === probe.own.LocationId,
	},
];

/** Late, as the list may take a moment to show what is new. */
export const contactListCheck: Check = {
	operation: 'contact.getMany',
	fields: () => ({ ...PAGE, ...LATEST_FIRST, ContactTypes: ['Person', 'Company'] }),
	// The probe's own was modified last.
	tookEffect: async ({ own }, _, { data }) =>
		own.PersonId === undefined || listIn(data, 'people').some(({ id }) => id === own.PersonId),
	after: tryFilters('contact.getMany', 'people', {
		SearchText: [{ SearchText: NO_TEXT }],
		ContactTypes: [{ ContactTypes: ['Person'] }, { ContactTypes: ['Company'] }],
		...sortingBy('ModifiedDate'),
		...PAGING,
	}),
};
