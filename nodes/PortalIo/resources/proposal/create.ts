/** docs/dev/portal-api.md#proposals */
import { PortalError } from '../../../../client/errors';
import { proposalAfterChange } from '../../../../client/proposal';
import type { ServiceRequest } from '../../../../client/request';
import { salesPersonId } from '../../fields/locators';
import * as field from '../../fields/types';
import { operation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { sendSteps, type UpdateStep } from '../../operation/steps';
import { proposalOutput } from '../shapes';
import { assign } from './assign';
import { assertContact, clientFields, createdId, newName } from './newProposal';

export const create = operation({
	name: 'Create',
	action: 'Create proposal',
	description: 'Create an empty proposal in Draft, with a salesperson',
	kind: 'change',
	queue: 'none',
	fields: {
		salesPersonId,
		name: newName('If empty, Portal.io names the proposal'),
		additionalFields: field.additionalFields(clientFields('The client of the proposal')),
	},
	validate: assertContact,
	run: async (call) => {
		const { salesPersonId, name, additionalFields } = call.values;
		const { contactId, locationId } = additionalFields;
		const created = await call.send(request.post('/public/proposals', { salesPersonId, name }));
		if (contactId === undefined) return { records: [created] };
		const labels = locationId === undefined ? "'Contact'" : "'Contact', 'Location'";
		const id = createdId(created, `is incomplete. Not sent: ${labels}.`);
		const steps: UpdateStep[] = [{ sets: ['Contact'], ...assign(id, 'contact', contactId) }];
		if (locationId !== undefined) {
			steps.push({ sets: ['Location'], ...assign(id, 'location', locationId) });
		}
		const send = async (request: ServiceRequest) =>
			await call.send({ ...request, followsCreation: true });
		const completed = await sendSteps(steps, send).catch((error: Error) => {
			throw PortalError.from(error).with({
				what: `The proposal was created (ID ${id}), but is incomplete: ${error.message}`,
				advice: ['Running the step again would create another one. Complete this one instead.'],
			});
		});
		// All is done: if the proposal cannot be read, it is good enough as it was created.
		return { records: [await proposalAfterChange(call, id, completed, true).catch(() => created)] };
	},
	output: proposalOutput,
});
