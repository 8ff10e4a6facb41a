import { path } from '../../../../client/encoding';
import { paging, simplify } from '../../fields/lists';
import { contactId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { locationShape, withContactId } from './shape';

/** docs/dev/portal-api.md#contacts-and-locations */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many locations for contact',
	description:
		'Retrieve a list of the locations of a contact, the primary one first, then the billing address',
	fields: { contactId, ...paging, simplify },
	request: ({ contactId }) => ({
		method: 'GET',
		path: path`/public/people/${contactId}/location`,
	}),
	list: { records: 'contactLocations', count: 'locationCount' },
	output: { shape: locationShape, records: withContactId, raw: 'records' },
});
