import { PortalError } from '../../../client/errors';
import {
	areasOf,
	isProposal,
	optionsOf,
	readProposal,
	type Area,
	type AreaOption,
	type Proposal,
} from '../../../client/proposal';
import { path, type ServiceRequest } from '../../../client/request';
import type { Shape } from '../../shared/simplify';
import * as collection from '../fields/collections';
import { labelErrors } from '../fields/fieldError';
import * as field from '../fields/fieldTypes';
import { paging } from '../fields/listFields';
import { proposalId } from '../fields/locators';
import { findNewRecords, unconfirmedError } from '../operation/changedRecords';
import { defineOperation, type OperationCall, type Resource } from '../operation/operation';
import { request } from '../operation/requests';
import { filterByName, findExistingOption } from './areaNames';

/** Output of all operations on areas and options. Each record is an option with its area. */
export const areaOptionShape: Shape = {
	areaOptionId: ['integer', 'id'],
	areaId: 'integer',
	areaName: 'string',
	proposalId: 'integer',
	status: 'string',
	total: 'number',
	totalRecurringService: 'number',
	itemCount: ['integer', 'items.length'],
	clientDescription: 'string',
	installerNotes: ['string', 'installerDescription'],
};

const joinArea = (area: Area, option: AreaOption | undefined) => ({
	...(option as AreaOption),
	areaId: area.id,
	areaName: area.name,
});

export const listOptions = (proposal: Proposal) =>
	optionsOf(proposal).map(({ area, option }) => joinArea(area, option));

export const createAreaRequest = (proposalId: number, name: string): ServiceRequest =>
	request.post(path`/public/proposals/${proposalId}/area`, { name });

/**
 * Returns the proposal after a change to its areas or options. Reads the proposal again if the response is an
 * acknowledgment or a short form without options.
 */
export async function readProposalAreas(
	sender: Pick<OperationCall, 'send'>,
	proposalId: number,
	response: unknown,
): Promise<Proposal> {
	try {
		const isShown =
			isProposal(response) && response.id === proposalId && optionsOf(response).length > 0;
		return isShown ? response : await readProposal(sender, proposalId);
	} catch (failure) {
		throw unconfirmedError(failure as Error);
	}
}

/**
 * Returns the record that a change added. If another user added records at the same time, `choose` selects the new
 * records that have the sent values. Throws a PortalError unless exactly one record remains.
 */
export function requireAddedRecord<T extends { id: number }>(
	what: string,
	before: T[],
	after: T[],
	choose: (candidates: T[]) => T[],
): T {
	const candidates = findNewRecords(before, after);
	const matches = candidates.length === 1 ? candidates : choose(candidates);
	if (matches.length === 1) return matches[0]!;
	const problem =
		candidates.length === 0
			? `the proposal has no new ${what}`
			: `someone else added an ${what} at the same time, so the new one cannot be identified`;
	throw new PortalError(`Portal.io accepted the request, but ${problem}`, {
		advice: ['Open the proposal in Portal.io before you run the step again.'],
	});
}

/** Returns a list with the option from `find`, or an empty list if Portal.io returned no options. */
export const toOptionOutput = (proposal: Proposal, find: () => object): object[] =>
	optionsOf(proposal).length === 0 ? [] : [{ ...find(), proposalId: proposal.id }];

export const createMissingArea = field.flag('Create Missing Area', {
	description: 'Whether to create the area if the proposal has none with this name',
});

/** See docs/dev/portal-api.md#areas-and-options. */
const create = defineOperation({
	name: 'Create',
	action: 'Create area in proposal',
	description: 'Add an area, such as a room, and its first area option to a proposal',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		name: field.requiredName('Name', {
			placeholder: 'e.g. Living Room',
			description:
				'Name of the area, which must be unique in the proposal. Areas can be renamed only in Portal.io.',
		}),
		options: collection.options({
			reuseExisting: field.flag('Reuse Existing Area', {
				description:
					"Whether to return an existing area with this name instead of creating another. The output field 'reused' is then true. To return the area's second option, enter a name such as 'Den / 2'.",
			}),
		}),
	},
	run: async (call) => {
		const { proposalId, name, options } = call.values;
		const before = await readProposal(call, proposalId);
		const previousAreas = areasOf(before);
		const existing = options.reuseExisting
			? labelErrors('Name', () => findExistingOption(previousAreas, name))
			: undefined;
		if (existing !== undefined) {
			const record = { ...joinArea(existing.area, existing.option), reused: true };
			return toOptionOutput(before, () => record);
		}
		const response = await call.send(createAreaRequest(proposalId, name));
		const after = await readProposalAreas(call, proposalId, response);
		return toOptionOutput(after, () => {
			const area = requireAddedRecord('area', previousAreas, areasOf(after), (newAreas) =>
				filterByName(newAreas, name),
			);
			return { ...joinArea(area, area.options[0]), reused: false };
		});
	},
	output: {
		flat: { ...areaOptionShape, reused: 'boolean' },
		simplified: [
			'areaOptionId',
			'areaId',
			'areaName',
			'proposalId',
			'status',
			'total',
			'itemCount',
			'clientDescription',
			'installerNotes',
			'reused',
		],
	},
});

/** See docs/dev/portal-api.md#the-proposal. */
const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many areas in proposal',
	description: "Retrieve a list of a proposal's areas, with one entry for each option",
	kind: 'read',
	fields: { proposalId, ...paging },
	run: async (call) => {
		const proposal = await readProposal(call, call.values.proposalId);
		return listOptions(proposal).map((option) => ({ ...option, proposalId: proposal.id }));
	},
	output: { flat: areaOptionShape },
});

export const area: Resource = {
	name: 'Area',
	description: 'A room or zone in a proposal. It can be renamed or deleted only in Portal.io.',
	operations: { create, getMany },
};
