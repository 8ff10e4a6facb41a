import type { IDataObject } from 'n8n-workflow';
import { boolean, integer, text, type Shape } from '../../../shared/shape';
import { withKnown } from '../../operation/output';

/** A location as the ten flat fields that people map. */
export const locationShape: Shape<IDataObject> = {
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

/** A location with the ID of its contact. */
export const withContactId = (location: IDataObject, { contactId }: { contactId: number }) =>
	withKnown(location, { contactId });
