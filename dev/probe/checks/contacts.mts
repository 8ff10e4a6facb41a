/** Contacts and their locations. */
import type { Fields, Json } from '../model.mts';
import type { Check, Probe } from '../probe.mts';
import { isJustMade, isSame, keepStatus, listIn, readProposal, shows } from './reading.mts';

/** Made up; the area code and the domain are reserved for examples. */
const person = ({ options }: Probe, attempt: number) => ({
	PartyType: 'Person',
	ContactType: 'Client',
	FirstName: 'n8n',
	LastName: `${options.name.slice(4)} (${attempt})`,
	CompanyName: `n8n probe ${attempt}`,
	ContactEmail: `n8n-probe-${attempt}@example.com`,
	ContactEmailCC: `n8n-probe-cc-${attempt}@example.com`,
	ContactPhone: `202-555-0${100 + (attempt % 100)}`,
	Notes: `n8n probe note ${attempt}`,
});

const digits = (value: unknown) => String(value ?? '').replace(/\D/g, '');

/** A service may leave out the company of a person and the CC, and write a phone number its own way. */
const isKept = (
	{ CompanyName: _, ContactEmailCC: __, ContactPhone, ...rest }: Fields,
	read: Json,
) => shows(lowerCased(read), rest) && digits(read?.contactPhone).endsWith(digits(ContactPhone));

const lowerCased = (read: Json) => ({
	...read,
	contactEmail: String(read?.contactEmail ?? '').toLowerCase(),
});

const location = (_: Probe, attempt: number) => ({
	Street: `${attempt} n8n probe`,
	Suite: `Suite ${attempt}`,
	City: 'Denver',
	PostalCode: '80205',
	State: 'CO',
	Country: 'United States',
	ContactFirstName: 'n8n',
	ContactLastName: `probe ${attempt}`,
	ContactPhoneNumber: `202-555-0${100 + (attempt % 100)}`,
	ContactEmail: `n8n-probe-location-${attempt}@example.com`,
	IsPrimary: true,
	IsBilling: true,
});

/** A service may complete what it knows of a place. */
function isPlaceKept(sent: Fields, read: Json): boolean {
	const { State, Country, PostalCode, ContactPhoneNumber, ...rest } = sent;
	return (
		shows(lowerCased(read), rest) &&
		[read?.state, read?.stateAbbrev].includes(State) &&
		Country !== undefined &&
		(read.country ?? '') !== '' &&
		String(read.postalCode).startsWith(String(PostalCode)) &&
		digits(read.contactPhoneNumber).endsWith(digits(ContactPhoneNumber))
	);
}

/** A contact first; its location only once it is assigned, so that it brings none into the proposal. */
export const contactChecks: Check[] = [
	{
		operation: 'contact.create',
		fields: person,
		tookEffect: async (probe, sent, answer) => {
			const { id } = answer.data ?? {};
			if (id === undefined) return false;
			const read = await probe.read('contact.get', {}, { PersonId: id });
			if (!isJustMade(answer, read, read?.lastName, String(sent.LastName))) return false;
			probe.own.ContactId = id;
			probe.own.PersonId = id;
			return isKept(sent, read);
		},
		after: keepStatus('contact.create'),
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
		fields: location,
		tookEffect: async (probe, sent, { data }) => {
			const read = await probe.read('location.getMany');
			const listed = listIn(read, 'contactLocations').find(({ id }) => id === data?.id);
			if (listed === undefined || !isPlaceKept(sent, listed)) return false;
			probe.own.LocationId = listed.id;
			return true;
		},
		after: keepStatus('location.create'),
	},
	{
		operation: 'location.getMany',
		fields: () => ({ PageNumber: 1, PageSize: 10 }),
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
