import { path } from '../../../../client/http/path';
import { requiredText } from '../../shared/fieldTypes';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';

/** docs/portal-api.md#areas-and-options */
export const create = operation({
	name: 'Create',
	action: 'Create area',
	description:
		'Add an area, such as a room, to a proposal. It comes with one option to put items in.',
	mark: 'spec',
	fields: {
		proposalId,
		name: requiredText('Name', {
			placeholder: 'e.g. Living Room',
			description: 'A name that no other area of the proposal has',
		}),
	},
	request: ({ proposalId, name }) => ({
		method: 'POST',
		path: path`/public/proposals/${proposalId}/area`,
		form: toWire({ name }),
	}),
});
