import type { IDataObject } from 'n8n-workflow';
import { boolean, integer, text, type Shape } from '../../../shared/shape';

/** A location as Portal.io returns it, with the contact that it belongs to. */
export interface PlacedLocation {
	id?: number;
	contactId: number;
	street?: string | null;
	suite?: string | null;
	city?: string | null;
	postalCode?: string | null;
	state?: string | null;
	country?: string | null;
	isPrimary?: boolean;
	isBilling?: boolean;
}

/** A location as the ten flat fields that people map. */
export const locationShape: Shape<PlacedLocation> = {
	id: integer(({ id }) => id),
	contactId: integer(({ contactId }) => contactId),
	street: text(({ street }) => street),
	suite: text(({ suite }) => suite),
	city: text(({ city }) => city),
	postalCode: text(({ postalCode }) => postalCode),
	state: text(({ state }) => state),
	country: text(({ country }) => country),
	isPrimary: boolean(({ isPrimary }) => isPrimary),
	isBilling: boolean(({ isBilling }) => isBilling),
};

/** A location with the ID of its contact, which the service leaves out. */
export const withContactId = (location: IDataObject, { contactId }: { contactId: number }) => ({
	contactId,
	...location,
});
