import type { Contact } from '../../client/model';
import type { Shape } from './shape';

/** First and last name, if there are any. */
export const personName = (
	one: { firstName?: unknown; lastName?: unknown } | null | undefined,
): string | undefined => [one?.firstName, one?.lastName].filter(Boolean).join(' ') || undefined;

/** The name of a client: the company, or else the person. */
export const clientName = (contact: Contact | null | undefined): string | undefined =>
	contact?.companyName || personName(contact);

/** The ten fields of a contact that people map most. */
export const contactShape: Shape = {
	id: 'integer',
	partyType: 'string',
	contactType: 'string',
	firstName: 'string',
	lastName: 'string',
	companyName: 'string',
	email: ['string', 'contactEmail'],
	phone: ['string', 'contactPhone'],
	city: ['string', 'primaryLocation.city'],
	lastModifiedDate: 'string',
};
