import { path } from '../../../../client/http/path';
import { contactId, paging } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf } from '../../shared/values';

/** Public reference, 5.4. */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many locations',
	description:
		'List the locations of a contact, the primary one first, then the one for bills. Changes nothing.',
	mark: 'docs',
	fields: [contactId, ...paging],
	request: (parameters) => ({
		method: 'GET',
		path: path`/public/people/${idOf(parameters.contactId, 'Contact')}/location`,
	}),
	list: () => ({ records: 'contactLocations', count: 'locationCount' }),
};
