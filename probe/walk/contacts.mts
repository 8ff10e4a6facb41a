/** Users, contacts and locations. */
import { isSuccess } from '../attempt.mts';
import type { Answer } from '../model.mts';
import type { Values } from '../trial.mts';
import { isOwn } from './own.mts';
import {
	addNote,
	camelCase,
	isSame,
	keepStatus,
	listIn,
	readBack,
	type Json,
	type Walk,
} from './walk.mts';

/** Finds the user who owns what is made: the one of the keys, else the first. */
export async function readUsers(walk: Walk): Promise<void> {
	const users = listIn(await walk.probe.try({ operation: 'user.getMany' }), 'users');
	const isOwn = ({ email }: Json) => String(email).toLowerCase() === walk.username.toLowerCase();
	walk.userId = (users.find(isOwn) ?? users[0])?.id;
}

const OTHER_VALUES = {
	PartyType: { Person: ['Individual'] },
	ContactType: { Client: ['Customer'] },
	SortBy: { ModifiedDate: ['LastModifiedDate'] },
	SortDirection: { Desc: ['Descending'] },
};

/** Made-up data; the area code and the domain are reserved for examples. */
const person = (walk: Walk) => (attempt: number) => ({
	PartyType: 'Person',
	ContactType: 'Client',
	FirstName: 'n8n',
	LastName: `${walk.name.slice(4)} (${attempt})`,
	CompanyName: `n8n probe ${attempt}`,
	ContactEmail: `n8n-probe-${attempt}@example.com`,
	ContactEmailCC: `n8n-probe-cc-${attempt}@example.com`,
	ContactPhone: `202-555-0${100 + (attempt % 100)}`,
	Notes: `n8n probe note ${attempt}`,
});

const digits = (value: unknown) => String(value ?? '').replace(/\D/g, '');

/** A service may write phone numbers and email addresses in its own way. */
function isKept(name: string, sent: unknown, read: unknown): boolean {
	// Older documents have other values for these; that there is one is enough.
	if (name === 'PartyType' || name === 'ContactType') return (read ?? 'Undefined') !== 'Undefined';
	if (name.includes('Phone')) return digits(read).endsWith(digits(sent));
	if (name.includes('Email')) return isSame(sent, String(read ?? '').toLowerCase());
	return isSame(sent, read);
}

/** A service may leave these out of a person; a note says so. */
const OPTIONAL = ['CompanyName', 'ContactEmailCC'];

const areKept = (values: Values, record: Json) =>
	Object.entries(values).every(([name, sent]) => isKept(name, sent, record?.[camelCase(name)]));

/** Makes a contact and reads it back. */
export async function createContact(walk: Walk): Promise<void> {
	const { probe } = walk;
	let read: Json;
	const answer = await probe.try({
		operation: 'contact.create',
		values: person(walk),
		otherValues: OTHER_VALUES,
		hasEffect: async (values, made) => {
			const { id } = (made.data ?? {}) as Json;
			if (id === undefined) return false;
			const own = await probe.call('contact.get', { PersonId: id });
			const texts = (record: Json): [unknown, unknown][] => [[values.LastName, record.lastName]];
			if (!isOwn(made, own, texts)) return false;
			walk.made.contacts.push(id);
			read = readBack(own, made);
			const required = Object.entries(values).filter(([name]) => !OPTIONAL.includes(name));
			return areKept(Object.fromEntries(required), read);
		},
	});
	keepStatus(walk, 'contact.create', answer);
	const missing = OPTIONAL.filter((name) => (read?.[camelCase(name)] ?? '') === '');
	if (answer !== undefined && missing.length > 0) {
		addNote(walk, 'contact.create', `Not returned: ${missing.join(', ')}.`);
	}
	walk.contactId = walk.made.contacts.at(-1);
}

/** Reads the list of contacts, and the probe's own or the first of them. */
export async function readContacts(walk: Walk): Promise<void> {
	const { probe } = walk;
	const isListed = (answer: Answer) =>
		listIn(answer, 'people').some(({ id }) => id === walk.contactId);
	const list = await probe.try({
		operation: 'contact.getMany',
		query: {
			ContactTypes: ['Person', 'Company'],
			SortBy: 'ModifiedDate',
			SortDirection: 'Desc',
			PageNumber: 1,
			PageSize: 10,
		},
		otherValues: OTHER_VALUES,
		// The probe's own was modified last.
		hasEffect: async (_values, answer) => walk.contactId === undefined || isListed(answer),
	});
	const id = walk.contactId ?? listIn(list, 'people')[0]?.id;
	if (id === undefined) {
		probe.skip(['contact.get', 'location.getMany'], 'There is no contact to read.');
		return;
	}
	await probe.try({
		operation: 'contact.get',
		ids: { PersonId: id },
		query: { IncludeCounts: true },
		hasEffect: async (_values, { data }) => isSame(id, (data as Json).id),
	});
	await probe.try({
		operation: 'location.getMany',
		ids: { ContactId: id },
		query: { PageNumber: 1, PageSize: 10 },
		hasEffect: async (_values, answer) =>
			walk.locationId === undefined ||
			listIn(answer, 'contactLocations').some((one) => one.id === walk.locationId),
	});
}

const location = (attempt: number) => ({
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
function isPlaceKept({ State, Country, PostalCode, ...values }: Values, read: Json): boolean {
	return (
		areKept(values, read) &&
		[read?.state, read?.stateAbbrev].includes(State) &&
		(read.country ?? '') !== '' &&
		Country !== undefined &&
		String(read.postalCode).startsWith(String(PostalCode))
	);
}

/** Makes a location of the probe's contact and reads it back. */
export async function createLocation(walk: Walk): Promise<void> {
	const { probe, contactId } = walk;
	if (contactId === undefined) {
		probe.skip(['location.create'], 'No contact could be made for it.');
		return;
	}
	const ids = { ContactId: contactId };
	const answer = await probe.try({
		operation: 'location.create',
		ids,
		values: location,
		hasEffect: async (values, { data }) => {
			const { id } = (data ?? {}) as Json;
			const list = await probe.call('location.getMany', ids);
			const listed = listIn(list, 'contactLocations').find((one) => one.id === id);
			return isPlaceKept(values, isSuccess(list) ? listed : data);
		},
	});
	walk.locationId = keepStatus(walk, 'location.create', answer)?.id;
}
