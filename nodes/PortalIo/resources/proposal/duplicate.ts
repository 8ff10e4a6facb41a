import { isNotFound, PortalError } from '../../../../client/errors';
import {
	areasOf,
	isProposal,
	itemsOf,
	optionsOf,
	proposalAfterChange,
	readProposal,
	type Proposal,
} from '../../../../client/proposal';
import type { ServiceRequest } from '../../../../client/request';
import * as collection from '../../fields/collections';
import { described } from '../../fields/declare';
import { proposalId, salesPersonId } from '../../fields/locators';
import { operation, type Call } from '../../operation/operation';
import { request } from '../../operation/requests';
import { proposalOutput } from '../shapes';
import { pairItems, pairOptions, planItems, STAGES, type CopyGoal } from './copyPlan';
import { assertContact, clientFields, newProposalId, newName } from './newProposal';

const CHECK_SALESPERSON =
	"The salesperson of the source proposal may no longer be an active user: choose another 'Salesperson' under 'Additional Fields'.";

/** docs/dev/portal-api.md#proposals */
export const duplicate = operation({
	name: 'Duplicate',
	action: 'Duplicate proposal',
	description:
		'Create a proposal in Draft from another one: its texts, areas, options and items with their prices, for the same or another client and salesperson. Costs and suppliers come from the catalog.',
	// It adds and updates items, whose field names Portal.io has not published.
	unconfirmed: 'checked',
	kind: 'change',
	// The source is not changed, and nobody else knows the copy.
	queue: 'none',
	fields: {
		proposalId: described(proposalId, 'The proposal to copy, such as a template'),
		name: newName('Defaults to the name of the source proposal'),
		additionalFields: collection.additionalFields({
			...clientFields('Defaults to the client of the source proposal'),
			salesPersonId: described(salesPersonId, 'Defaults to the salesperson of the source proposal'),
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
		const id = newProposalId(newProposal, 'nothing was copied to it.');
		const goal = {
			source,
			contactId: contactId ?? source.customer?.id,
			locationId: contactId === undefined ? source.customer?.location?.id : locationId,
		};
		let latest: Proposal | undefined;
		// The error of a failed request says what was copied before it.
		const send = async (request: ServiceRequest) => {
			const response = await call.send(request);
			if (isProposal(response) && response.areas) latest = response;
			return response;
		};
		const completing = complete({ send }, goal, id, newProposal);
		const { proposal, isReformatted } = await completing.catch((error: Error) => {
			throw PortalError.from(error).with({
				what: `The copy (proposal ID ${id}) is incomplete: ${error.message}`,
				progress: [`Copied: ${progressOf(source, latest)}.`],
				advice: ['Delete this copy in Portal.io before you run the step again.'],
			});
		});
		const counts = progressOf(source, proposal);
		const exceptions = notCopied(source, isReformatted);
		call.hint(`Copied to proposal ${proposal.number}: ${counts}. Not copied: ${exceptions}.`);
		return [proposal];
	},
	output: proposalOutput,
});

/** Plans each stage from the current copy. */
async function complete(
	sender: Pick<Call, 'send'>,
	goal: CopyGoal,
	id: number,
	newProposal: unknown,
) {
	let proposal = await proposalAfterChange(sender, id, newProposal, true);
	let isReformatted = false;
	const sentRequests = new Set<string>();
	for (const stage of STAGES) {
		for (;;) {
			const changes = stage(goal, proposal);
			// A request that is planned again had no effect.
			const ineffective = changes.filter(({ request }) =>
				sentRequests.has(JSON.stringify(request)),
			);
			const missingChange = ineffective.find(({ mayDiffer }) => !mayDiffer);
			if (missingChange !== undefined) {
				const advice = ['Compare the two proposals in Portal.io.'];
				throw new PortalError(missingChange.failure, { advice });
			}
			isReformatted ||= ineffective.length > 0;
			const toSend = changes.filter((change) => !ineffective.includes(change));
			if (toSend.length === 0) break;
			// A response that lacks items cannot show that items were added.
			const mayBeEmpty = stage !== planItems && itemsOf(proposal).length === 0;
			let response: unknown;
			for (const { request, advice = '' } of toSend) {
				sentRequests.add(JSON.stringify(request));
				const sending = sender.send({ ...request, followsCreation: true });
				response = await sending.catch((error: Error) => {
					throw PortalError.from(error).with({ advice: [advice] });
				});
			}
			proposal = await proposalAfterChange(sender, id, response, mayBeEmpty);
		}
	}
	return { proposal, isReformatted };
}

/** Returns text such as `3 areas, 2 of 6 options, 9 of 40 items`. */
function progressOf(source: Proposal, copy: Pick<Proposal, 'areas'> = {}): string {
	const options = pairOptions(source, copy);
	const areas = new Set(options.map(({ copiedArea }) => copiedArea).filter(Boolean));
	let items = 0;
	for (const { option, copiedOption } of options) {
		items += pairItems(option.items, copiedOption?.items ?? []).size;
	}
	const counts = [
		['area', areas.size, areasOf(source).length],
		['option', options.filter(({ copiedOption }) => copiedOption).length, options.length],
		['item', items, itemsOf(source).length],
	] as const;
	return counts
		.map(([what, done, all]) => {
			const count = done === all ? all : `${done} of ${all}`;
			return `${count} ${what}${all === 1 ? '' : 's'}`;
		})
		.join(', ');
}

function notCopied(source: Proposal, isReformatted: boolean): string {
	const { financialSummary, paymentSchedule } = source;
	const hasDecision = optionsOf(source).some(({ option }) =>
		['Accepted', 'Declined'].includes(String(option.status)),
	);
	return [
		'internal notes',
		'costs and suppliers',
		...(hasDecision ? ['which options the client has accepted or declined'] : []),
		...(financialSummary?.partsDiscount ? ['discount'] : []),
		...(paymentSchedule?.payments?.length ? ['payment schedule'] : []),
		...(isReformatted ? ['some texts, which Portal.io stores differently'] : []),
	].join(', ');
}
