import type { IDataObject } from 'n8n-workflow';
import type { Shape } from '../../../shared/shape';
import { withKnown } from '../../operation/output';

/** A location as the ten flat fields that people map. */
export const locationShape: Shape = {
	id: 'integer',
	contactId: 'integer',
	street: 'string',
	suite: 'string',
	city: 'string',
	postalCode: 'string',
	state: 'string',
	country: 'string',
	isPrimary: 'boolean',
	isBilling: 'boolean',
};

/** A location with the ID of its contact. */
export const withContactId = (location: IDataObject, { contactId }: { contactId: number }) =>
	withKnown(location, { contactId });
