import type { IDataObject } from 'n8n-workflow';

/** A contact as the ten flat fields that people map. */
export function simplifyContact(contact: IDataObject): IDataObject {
	const { id, partyType, contactType, firstName, lastName, companyName } = contact;
	const location = (contact.primaryLocation ?? {}) as IDataObject;
	return {
		id,
		partyType,
		contactType,
		firstName: firstName ?? null,
		lastName: lastName ?? null,
		companyName: companyName ?? null,
		email: contact.contactEmail ?? null,
		phone: contact.contactPhone ?? null,
		city: location.city ?? null,
		lastModifiedDate: contact.lastModifiedDate ?? null,
	};
}
