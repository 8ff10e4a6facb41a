import { isNotFound, PortalError } from '../../../../client/errors';
import { optionsOf, readProposal, type Proposal } from '../../../../client/proposal';
import * as collection from '../../fields/collections';
import { withDescription } from '../../fields/declare';
import { joinLines, joinWithAnd } from '../../fields/fieldError';
import { proposalId, salesPersonId } from '../../fields/locators';
import { defineOperation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { proposalOutput } from '../outputs';
import { assertContact, clientInputFields, requireProposalId, newNameField } from './newProposal';
import { ProposalCopy } from './proposalCopy';

const CHECK_SALESPERSON =
	"The source proposal's salesperson might no longer be an active user. Choose another 'Salesperson' under 'Additional Fields'.";

/** See docs/dev/portal-api.md#proposals. */
export const duplicate = defineOperation({
	name: 'Duplicate',
	action: 'Duplicate proposal',
	description:
		'Duplicate a proposal as a draft, with its text, areas, options, items, and prices, for the same or a different client and salesperson. Costs and suppliers come from the catalog.',
	// Mark the operation as unconfirmed, because Portal.io has not published all field names for adding and updating
	// items.
	unconfirmed: 'checked',
	kind: 'change',
	// Use no queue, because the source is not changed, and the copy is still unknown to other steps.
	queue: 'none',
	fields: {
		proposalId: withDescription(proposalId, 'The proposal to copy, such as a template'),
		name: newNameField("Name of the new proposal. Defaults to the source proposal's name."),
		additionalFields: collection.additionalFields({
			...clientInputFields("Client of the new proposal. Defaults to the source proposal's client."),
			salesPersonId: withDescription(
				salesPersonId,
				"Salesperson of the new proposal. Defaults to the source proposal's salesperson.",
			),
		}),
	},
	validate: assertContact,
	run: async (call) => {
		const { proposalId, name, additionalFields } = call.values;
		const { contactId, locationId } = additionalFields;
		const source = await readProposal(call, proposalId);
		const salesPersonId = additionalFields.salesPersonId ?? source.dealer?.salesperson?.id;
		if (salesPersonId === undefined) {
			throw new PortalError('The source proposal has no salesperson, so it cannot be copied', {
				advice: ["Add 'Salesperson' under 'Additional Fields', then run the step again."],
			});
		}
		const newProposal = await call
			.send(request.post('/public/proposals', { salesPersonId, name: name ?? source.name }))
			.catch((error: Error) => {
				const isFromSource = additionalFields.salesPersonId === undefined;
				if (!isFromSource || !isNotFound(error)) throw error;
				throw error.with({ advice: [CHECK_SALESPERSON] });
			});
		const id = requireProposalId(newProposal, 'nothing was copied to it.');
		const proposalCopy = new ProposalCopy(call, source, id, {
			contactId: contactId ?? source.customer?.id,
			locationId: contactId === undefined ? source.customer?.location?.id : locationId,
		});
		const incomplete = (error: Error) =>
			PortalError.from(error).with({
				what: `The copy (proposal ID ${id}) is incomplete: ${error.message}`,
				progress: [`Copied: ${proposalCopy.describeProgress()}.`],
				advice: ['Delete this copy in Portal.io before you run the step again.'],
			});
		await proposalCopy.fill().catch((error: Error) => {
			throw incomplete(error);
		});
		const copy = await readProposal(call, id).catch((error: Error) => {
			throw PortalError.from(error).with({
				what: `The proposal was copied (ID ${id}), but could not be compared with its source: ${error.message}`,
				advice: ['Compare the two proposals in Portal.io.'],
			});
		});
		const { problems, isReformatted } = proposalCopy.findProblems(copy);
		if (problems.length === 1) throw incomplete(new PortalError(problems[0]!));
		if (problems.length > 1) {
			const what = `Portal.io did not make ${problems.length} of the changes`;
			throw incomplete(new PortalError(what, { progress: [joinLines(problems)] }));
		}
		const exceptions = describeExceptions(source, isReformatted);
		const counts = proposalCopy.describeProgress();
		call.hint(`Copied to proposal ${copy.number}: ${counts}. Not copied: ${exceptions}.`);
		return [copy];
	},
	output: proposalOutput,
});

function describeExceptions(source: Proposal, isReformatted: boolean): string {
	const { financialSummary, paymentSchedule } = source;
	const hasDecision = optionsOf(source).some(({ option }) =>
		['Accepted', 'Declined'].includes(String(option.status)),
	);
	return joinWithAnd([
		'internal notes',
		'costs',
		'suppliers',
		...(hasDecision ? ['the accepted or declined status of options'] : []),
		...(financialSummary?.partsDiscount ? ['discount'] : []),
		...(paymentSchedule?.payments?.length ? ['payment schedule'] : []),
		...(isReformatted ? ['some text, which Portal.io stores differently'] : []),
	]);
}
