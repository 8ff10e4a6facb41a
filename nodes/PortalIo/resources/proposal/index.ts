/** See docs/dev/portal-api.md#proposals. */
import type { IDataObject } from 'n8n-workflow';
import { mapConcurrent } from '../../../../client/concurrency';
import { apiStatusOf, isNotFound } from '../../../../client/errors';
import { proposalList } from '../../../../client/lists';
import { PROPOSAL_STATUSES, proposalRequest } from '../../../../client/proposal';
import { parseTime } from '../../../../client/time';
import * as collection from '../../fields/collections';
import { withDescription, makeOptional } from '../../fields/declare';
import { invalidField } from '../../fields/fieldError';
import * as field from '../../fields/fieldTypes';
import { chooseOrder, paging, sortCollection } from '../../fields/listFields';
import { contactId, proposalId } from '../../fields/locators';
import {
	runOneRequest,
	defineOperation,
	type OperationCall,
	type Resource,
} from '../../operation/operation';
import { toPascalCase } from '../../operation/requests';
import { listedProposalOutput, proposalOutput, UNLISTED_FIELDS } from '../outputs';
import { assignContact, assignLocation } from './assign';
import { create } from './create';
import { duplicate } from './duplicate';
import { update } from './update';

const get = defineOperation({
	name: 'Get',
	action: 'Get proposal',
	description: "Retrieve a proposal. The 'Raw' output includes its areas, items, and payments.",
	kind: 'read',
	fields: { proposalId },
	run: runOneRequest(({ proposalId }) => proposalRequest(proposalId)),
	output: proposalOutput,
});

const PROPOSAL_SORT_FIELDS = [
	'ClientName',
	'CreatedDate',
	'LastModifiedByMe',
	'ModifiedDate',
	'Name',
	'Number',
	'Status',
];

const DETAILS_AT_A_TIME = 5;

const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many proposals',
	description:
		"Retrieve a list of proposals. For salesperson, profit, and margin, add 'Include Full Proposal' and set 'Output' to 'Selected Fields'.",
	kind: 'read',
	fields: {
		...paging,
		filters: collection.filters({
			isArchive: field.flag('Archived', {
				description: 'Whether to return archived proposals instead of active ones',
			}),
			contactId: withDescription(makeOptional(contactId), "Return only this contact's proposals"),
			modifiedAfter: field.date('Modified After', {
				description:
					"Return only proposals that were modified after this time. Uses the workflow's time zone unless the value has one.",
			}),
			searchText: field.text('Search Text', {
				description: 'Text to find in the name, number, or client',
			}),
			statuses: field.openChoices('Statuses', PROPOSAL_STATUSES),
		}),
		options: collection.options({
			includeDetails: field.flag('Include Full Proposal', {
				description:
					"Whether to retrieve each full proposal, which adds fields such as salesperson, profit, and margin to 'Raw' and 'Selected Fields'. Sends one more request per proposal. Proposals that this user cannot open are returned without the extra fields.",
			}),
		}),
		sort: sortCollection(PROPOSAL_SORT_FIELDS),
	},
	validate: ({ output, fields = [], options }) => {
		if (output !== 'selected' || options.includeDetails) return;
		const labels = fields.flatMap((name) => UNLISTED_FIELDS.get(name) ?? []);
		if (labels.length === 0) return;
		const advice = "Add the option 'Include Full Proposal'.";
		throw invalidField(
			'Fields',
			`contains fields that a list does not return: ${labels.join(', ')}. ${advice}`,
		);
	},
	run: async (call) => {
		const { filters, sort, options, returnAll, output } = call.values;
		const isIgnored = options.includeDetails === true && output === 'simplified';
		if (isIgnored) {
			call.hint(
				"'Include Full Proposal' has no effect if 'Output' is 'Simplified'. For salesperson, profit, and margin, set 'Output' to 'Selected Fields'.",
			);
		}
		const isUsual = returnAll && Object.keys(sort).length === 0;
		// Keep the default order, which is by number, because a proposal that changes during the read then keeps its
		// place.
		const order = isUsual ? {} : chooseOrder(sort, 'ModifiedDate');
		const query = toPascalCase({ ...filters, ...order });
		const proposals = await call.readList(proposalList(query));
		if (isUsual)
			proposals.reverse().sort((first, second) => modifiedTime(second) - modifiedTime(first));
		return options.includeDetails && !isIgnored ? await readInFull(call, proposals) : proposals;
	},
	output: listedProposalOutput,
});

/**
 * Reads the full proposals. Omits proposals that were deleted. If the user is not allowed to read a proposal, returns
 * it as it was listed.
 */
async function readInFull(call: OperationCall, proposals: IDataObject[]): Promise<unknown[]> {
	const results = await mapConcurrent(proposals, DETAILS_AT_A_TIME, async (summary) => {
		return await call.send(proposalRequest(Number(summary.id))).catch((error: Error) => {
			const isGone = isNotFound(error);
			if (!isGone && apiStatusOf(error) !== '403') throw error;
			const what = isGone ? 'is left out' : 'is returned without its full details';
			call.warn(`Proposal #${String(summary.number)} ${what}: ${error.message}`);
			return isGone ? [] : summary;
		});
	});
	return results.flat();
}

const modifiedTime = ({ lastModifiedDate }: IDataObject) => parseTime(lastModifiedDate) ?? 0;

export const proposal: Resource = {
	name: 'Proposal',
	description: 'A proposal for a client',
	operations: {
		assignContact,
		assignLocation,
		create,
		duplicate,
		get,
		getMany,
		update,
	},
};
