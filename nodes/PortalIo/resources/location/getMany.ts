import { path } from '../../../../client/http/path';
import { paging } from '../../shared/lists';
import { contactId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** docs/portal-api.md#contacts-and-locations */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many locations',
	description:
		'List the locations of a contact, the primary one first, then the one for bills. Changes nothing.',
	mark: 'docs',
	fields: { contactId, ...paging },
	request: ({ contactId }) => ({
		method: 'GET',
		path: path`/public/people/${contactId}/location`,
	}),
	list: () => ({ records: 'contactLocations', count: 'locationCount' }),
});
