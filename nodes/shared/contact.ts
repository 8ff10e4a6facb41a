import type { Contact } from '../../client/model';
import { integer, text, type Shape } from './shape';

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
