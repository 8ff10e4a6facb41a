import type { IDataObject } from 'n8n-workflow';
import { PortalError } from '../../../../client/errors';
import { isProposal, readProposal } from '../../../../client/model';
import { proposalShape } from '../../../shared/proposal';
import { added, optional } from '../../fields/field';
import { additionalFields, options, requiredText } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { contactId, contactLocationId, locator, proposalId } from '../../fields/locators';
import { operation, toPascalCase } from '../../operation/operation';
import { FieldError } from '../../fields/values';
import { assertContact } from './assign';
import { complete, leftOut, progressOf, type Copy } from './copy';

/** docs/dev/portal-api.md#proposals */
export const duplicate = operation({
	name: 'Duplicate',
	action: 'Duplicate proposal',
	description:
		'Create a proposal in Draft from another one: its salesperson, description, areas, options, texts and items, with nesting, quantities and prices. Costs and suppliers are those of the catalog now.',
	fields: {
		proposalId: {
			...proposalId,
			property: { ...proposalId.property, description: 'The proposal to copy, such as a template' },
		},
		name: optional(
			requiredText('Name', {
				placeholder: 'e.g. Holt residence, lower level',
				description: 'If empty, the name of the proposal that is copied',
			}),
			{ isStrict: true },
		),
		additionalFields: additionalFields({
			contactId: added(contactId, {
				description:
					'The client of the new proposal. If not added, that of the proposal that is copied.',
			}),
			locationId: added(contactLocationId, {
				displayOptions: { show: { contactId: [{ _cnd: { exists: true } }] } },
				description: 'The site: a location of the contact',
			}),
		}),
		simplify,
		options: options({
			existingProposalId: added(
				locator(
					'Existing Proposal',
					'An unfinished copy. Only what is missing is added. The message of a step that failed names it.',
					{ list: 'searchProposals' },
				),
			),
		}),
	},
	validate: ({ proposalId, additionalFields, options }) => {
		assertContact(additionalFields);
		if (options.existingProposalId !== proposalId) return;
		throw new FieldError('Existing Proposal', 'must differ from the source proposal');
	},
	execute: async (call) => {
		const { proposalId, name, additionalFields, options } = call.values;
		const { contactId, locationId } = additionalFields;
		const { existingProposalId } = options;
		const read = async (id: number) => await readProposal(call.send, id);
		const source = await read(proposalId);
		const salesPersonId = source.dealer?.salesperson?.id;
		if (salesPersonId === undefined) {
			throw call.error(
				'The proposal has no salesperson to create another one for',
				'Choose a salesperson for the proposal in Portal.io, then run the step again.',
			);
		}
		const made = await (existingProposalId === undefined
			? call.send({
					method: 'POST',
					path: '/public/proposals',
					form: toPascalCase({ salesPersonId, name: name ?? source.name }),
				})
			: read(existingProposalId));
		const id = Number((made as IDataObject | null)?.id);
		if (!Number.isSafeInteger(id) || id <= 0) {
			throw call.error(
				'Portal.io did not return the ID of the new proposal',
				'The proposal was created, but nothing was copied to it. Check in Portal.io before you run the step again.',
			);
		}
		const wanted = {
			source,
			contactId: contactId ?? source.customer?.id,
			locationId: contactId === undefined ? source.customer?.location?.id : locationId,
		};
		const copy: Copy = { id, latest: isProposal(made) ? made : undefined, kept: [] };
		const proposal = await complete(call, wanted, copy).catch((error: Error) => {
			throw asIncomplete(error, id, progressOf(source, copy.latest));
		});
		const all = progressOf(source, proposal);
		const left = leftOut(source, copy.kept);
		call.hint(`Proposal ${proposal.number} has all ${all}. Not copied: ${left}.`);
		return proposal;
	},
	output: { shape: proposalShape },
});

/** Names the proposal in the error: it exists although the step failed. */
const asIncomplete = (error: Error, id: number, progress: string): PortalError =>
	PortalError.from(error).with({
		what: `The proposal was copied to the ID ${id}, but not completely: ${error.message}`,
		progress: [`Copied: ${progress}.`],
		advice: [
			`To complete it, run the step again with 'Existing Proposal' ${id} under 'Options'. Without it, the step creates another one.`,
		],
	});
