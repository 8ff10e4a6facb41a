import { path } from '../../../../client/http/path';
import { proposalShape } from '../../../shared/proposal';
import { added, ifFilled } from '../../shared/field';
import { additionalFields, requiredText } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { contactId, contactLocationId, salesPersonId } from '../../shared/locators';
import { operation, type Step } from '../../shared/operation';
import { FieldError } from '../../shared/values';
import { toWire } from '../../shared/wire';
import { assignContactTo, assignLocationTo } from './assign';

/** docs/portal-api.md#proposals */
export const create = operation({
	name: 'Create',
	action: 'Create proposal',
	description:
		'Create an empty proposal in Draft, with its salesperson and, if given, its client and location',
	fields: {
		salesPersonId,
		name: ifFilled(
			requiredText('Name', {
				placeholder: 'e.g. Holt residence, lower level',
				description: 'If empty, Portal.io names the proposal',
			}),
		),
		additionalFields: additionalFields({
			contactId: added(contactId, { description: 'The client of the proposal' }),
			locationId: added(contactLocationId, {
				displayOptions: { show: { contactId: [{ _cnd: { exists: true } }] } },
				description: 'The site: a location of the contact',
			}),
		}),
		simplify,
	},
	request: ({ salesPersonId, name, additionalFields: { contactId, locationId } }) => {
		if (locationId !== undefined && contactId === undefined) {
			throw new FieldError('Contact', 'is empty: a location can only be assigned with its contact');
		}
		return { method: 'POST', path: '/public/proposals', form: toWire({ salesPersonId, name }) };
	},
	afterCreation: (proposalId, { additionalFields: { contactId, locationId } }) => {
		if (contactId === undefined) return [];
		const steps: Step[] = [{ sets: ['Contact'], request: assignContactTo(proposalId, contactId) }];
		if (locationId !== undefined) {
			steps.push({ sets: ['Location'], request: assignLocationTo(proposalId, locationId) });
		}
		return steps;
	},
	reading: (proposalId) => ({ method: 'GET', path: path`/public/proposals/${proposalId}` }),
	output: { shape: proposalShape },
});
