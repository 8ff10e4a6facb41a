import type { Contact } from '../../client/model';
import { integer, text, type Shape } from './shape';

/** The name of a person; undefined where there is none. */
export const personName = (
	one: { firstName?: unknown; lastName?: unknown } | null | undefined,
): string | undefined => [one?.firstName, one?.lastName].filter(Boolean).join(' ') || undefined;

/** The name of a client: the company, or the person where there is none. */
export const clientName = (contact: Contact | null | undefined): string | undefined =>
	contact?.companyName || personName(contact);

/** A contact as the ten flat fields that people map. */
export const contactShape: Shape<Partial<Contact>> = {
	id: integer(({ id }) => id),
	partyType: text(({ partyType }) => partyType),
	contactType: text(({ contactType }) => contactType),
	firstName: text(({ firstName }) => firstName),
	lastName: text(({ lastName }) => lastName),
	companyName: text(({ companyName }) => companyName),
	email: text(({ contactEmail }) => contactEmail),
	phone: text(({ contactPhone }) => contactPhone),
	city: text(({ primaryLocation }) => primaryLocation?.city),
	lastModifiedDate: text(({ lastModifiedDate }) => lastModifiedDate),
};
