/** docs/dev/portal-api.md#proposals */
import { PortalError } from '../../../../client/errors';
import { proposalAfterChange } from '../../../../client/proposal';
import { path, type ServiceRequest } from '../../../../client/request';
import {
	contactId,
	contactLocationId,
	locationId,
	proposalId,
	salesPersonId,
} from '../../fields/locators';
import * as field from '../../fields/types';
import { FieldError } from '../../fields/values';
import { oneRequest, operation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { sendSteps, type Step } from '../../operation/steps';
import { proposalOutput } from '../shapes';

export type Assigned = 'contact' | 'location';

/** The IDs are in the path and, as JSON, in the body. */
export const assign = (proposalId: number, what: Assigned, id: number): ServiceRequest => ({
	method: 'POST',
	isRepeatable: true,
	path: path`/public/proposals/${proposalId}/${what}/${id}`,
	json: { proposalId, [`${what}Id`]: id },
});

type GivenClient = { additionalFields: { contactId?: number; locationId?: number } };

/** @throws FieldError for a location without its contact */
export function assertContact({ additionalFields }: GivenClient): void {
	const { contactId, locationId } = additionalFields;
	if (locationId === undefined || contactId !== undefined) return;
	throw new FieldError('Contact', 'is empty: choose a contact before a location');
}

export const assignContact = operation({
	name: 'Assign Contact',
	action: 'Assign contact to proposal',
	description:
		'Assign a contact to a proposal as its client, which replaces the current one. If the contact has exactly one primary location, Portal.io assigns it too and calculates the tax.',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, contactId },
	run: oneRequest(({ proposalId, contactId }) => assign(proposalId, 'contact', contactId)),
});

export const assignLocation = operation({
	name: 'Assign Location',
	action: 'Assign location to proposal',
	description:
		'Assign a location to a proposal. Portal.io then calculates the sales tax. Assign a contact first.',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, locationId },
	run: oneRequest(({ proposalId, locationId }) => assign(proposalId, 'location', locationId)),
	output: proposalOutput,
});

/** The name, client and site of a new proposal; the texts say what happens without them. */
export const newProposalFields = (ofName: string, ofContact: string) => ({
	name: field.strict(
		field.text('Name', { placeholder: 'e.g. Holt residence, lower level', description: ofName }),
	),
	additionalFields: field.additionalFields({
		contactId: field.described(contactId, ofContact),
		locationId: field.described(
			contactLocationId,
			"The site: a location of the contact. Add 'Contact' too.",
		),
	}),
});

export const create = operation({
	name: 'Create',
	action: 'Create proposal',
	description: 'Create an empty proposal in Draft, with a salesperson',
	kind: 'change',
	queue: 'none',
	fields: {
		salesPersonId,
		...newProposalFields('If empty, Portal.io names the proposal', 'The client of the proposal'),
	},
	validate: assertContact,
	run: async (call) => {
		const { salesPersonId, name, additionalFields } = call.values;
		const { contactId, locationId } = additionalFields;
		const created = await call.send(request.post('/public/proposals', { salesPersonId, name }));
		if (contactId === undefined) return { records: [created] };
		const labels = locationId === undefined ? "'Contact'" : "'Contact', 'Location'";
		const id = createdId(created, `is incomplete. Not sent: ${labels}.`);
		const steps: Step[] = [{ sets: ['Contact'], ...assign(id, 'contact', contactId) }];
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

/** The ID of a new proposal; `state` says in an error what is missing from the proposal. */
export function createdId(created: unknown, state: string): number {
	const id = Number((created as { id?: unknown } | null)?.id);
	if (Number.isSafeInteger(id) && id > 0) return id;
	throw new PortalError('Portal.io did not return the ID of the new proposal', {
		advice: [
			`The proposal was created, but ${state} Check in Portal.io before you run the step again.`,
		],
	});
}
