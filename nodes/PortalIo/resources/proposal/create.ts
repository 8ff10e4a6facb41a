/** See docs/dev/portal-api.md#proposals. */
import type { IDataObject } from 'n8n-workflow';
import { PortalError } from '../../../../client/errors';
import { proposalList } from '../../../../client/lists';
import {
	areasOf,
	readChangedProposal,
	readProposal,
	type Proposal,
	type ProposalSummary,
} from '../../../../client/proposal';
import type { ServiceRequest } from '../../../../client/request';
import { nameKey } from '../../../shared/text';
import * as collection from '../../fields/collections';
import * as field from '../../fields/fieldTypes';
import { salesPersonId } from '../../fields/locators';
import { invalidField } from '../../fields/fieldError';
import { readCreated } from '../../operation/changedRecords';
import { defineOperation, type OperationCall } from '../../operation/operation';
import { addDefaults } from '../../operation/output';
import { request } from '../../operation/requests';
import { sendSteps, type UpdateStep } from '../../operation/updateOperation';
import { createdProposalOutput } from '../outputs';
import { assignRequest } from './assign';
import { assertContact, clientInputFields, newNameField, requireProposalId } from './newProposal';

export const create = defineOperation({
	name: 'Create',
	action: 'Create proposal',
	description: 'Create an empty draft proposal and assign it to a salesperson',
	kind: 'change',
	// Queue by name, or an AI agent that makes two calls with the same name would create two proposals.
	queueKey: ({ options, name }) =>
		options.reuseEmpty ? `new proposal ${nameKey(name)}` : undefined,
	fields: {
		salesPersonId,
		name: newNameField('Name of the proposal. If empty, Portal.io chooses one.'),
		additionalFields: collection.additionalFields(clientInputFields("The proposal's client")),
		options: collection.options({
			reuseEmpty: field.flag('Reuse Empty Draft', {
				description:
					"Whether to return an existing empty draft with this name, salesperson, client, and location instead of creating another. The output field 'reused' is then true.",
			}),
		}),
	},
	validate: ({ name, additionalFields, options }) => {
		assertContact({ additionalFields });
		if (options.reuseEmpty !== true || name !== undefined) return;
		throw invalidField('Name', "is empty: 'Reuse Empty Draft' requires a name");
	},
	run: async (call) => {
		const { salesPersonId, name, additionalFields, options } = call.values;
		const { contactId, locationId } = additionalFields;
		const draft = options.reuseEmpty
			? await findEmptyDraft(call, name!, (proposal) => {
					const { dealer, customer } = proposal;
					return (
						dealer?.salesperson?.id === salesPersonId &&
						customer?.id === contactId &&
						(locationId === undefined || customer?.location?.id === locationId)
					);
				})
			: undefined;
		if (draft !== undefined) return [{ ...draft, reused: true }];
		const newProposal = await call.send(request.post('/public/proposals', { salesPersonId, name }));
		if (contactId === undefined) {
			const read = async (id: number) => await readProposal(call, id);
			const proposal = await readCreated(call, newProposal, 'number', read);
			return [addDefaults(proposal, { reused: false })];
		}
		const labels = locationId === undefined ? "'Contact'" : "'Contact', 'Location'";
		const id = requireProposalId(newProposal, `is incomplete. Not sent: ${labels}.`);
		const steps: UpdateStep[] = [{ sets: ['Contact'], ...assignRequest(id, 'contact', contactId) }];
		if (locationId !== undefined) {
			steps.push({ sets: ['Location'], ...assignRequest(id, 'location', locationId) });
		}
		const send = async (request: ServiceRequest) =>
			await call.send({ ...request, followsCreation: true });
		const response = await sendSteps(steps, send).catch((error: Error) => {
			throw PortalError.from(error).with({
				what: `The proposal was created (ID ${id}), but is incomplete: ${error.message}`,
				advice: ['Running the step again would create another one. Complete this one instead.'],
			});
		});
		// The proposal was created, so only warn if it cannot be read again.
		const proposal = await readChangedProposal(call, id, response, true).catch((error: Error) => {
			const what = `Proposal ${id} was created and its client was assigned, but it could not be read again`;
			call.warn(`${what}, so some output fields are missing: ${error.message}`);
			const location = locationId === undefined ? undefined : { id: locationId };
			return { ...(newProposal as IDataObject), customer: { id: contactId, location } };
		});
		return [addDefaults(proposal, { reused: false })];
	},
	output: createdProposalOutput,
});

/** Returns the newest draft that has the given name, has no areas, and satisfies `isSame`. */
async function findEmptyDraft(
	{ readList, send }: Pick<OperationCall, 'readList' | 'send'>,
	name: string,
	isSame: (proposal: Proposal) => boolean,
): Promise<Proposal | undefined> {
	const query = { SearchText: name, Statuses: ['Draft'] };
	const drafts = (await readList(proposalList(query), {
		advice: "Turn off 'Reuse Empty Draft', or use a name that fewer proposals have.",
	})) as unknown as ProposalSummary[];
	const namesakes = drafts.filter((draft) => nameKey(draft.name) === nameKey(name));
	for (const { id } of namesakes.toSorted((first, second) => second.id - first.id)) {
		const proposal = await readProposal({ send }, id);
		if (areasOf(proposal).length === 0 && isSame(proposal)) return proposal;
	}
	return undefined;
}
