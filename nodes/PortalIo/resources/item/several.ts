/** Operations on several items of a proposal at once. */
import type { INodeProperties } from 'n8n-workflow';
import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { areaOptionId, proposalId } from '../../shared/fields';
import type { Operation, Parameters } from '../../shared/operation';
import { filledIdsOf, idOf } from '../../shared/values';

const itemIds: INodeProperties = {
	displayName: 'Item IDs',
	name: 'itemIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. 101, 102',
	required: true,
	description: 'The items of the proposal, separated by commas, or a list',
};
const areaOptionIds: INodeProperties = {
	displayName: 'Area Option IDs',
	name: 'areaOptionIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. 11, 12',
	required: true,
	description: 'The options of areas to copy to, separated by commas, or a list',
};

const itemsPath = (parameters: Parameters) =>
	path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}/items`;
const chosenItems = (parameters: Parameters) => filledIdsOf(parameters.itemIds, 'Item IDs');

/** Path: specification, *Further operations*; body assumed (operations.md, `item`). */
export const deleteItems: Operation = {
	name: 'Delete',
	action: 'Delete items',
	description: 'Delete items from a proposal for good, with the items nested under them',
	mark: 'assumed',
	fields: [proposalId, itemIds, correctionOptions],
	request: (parameters) => ({
		method: 'DELETE',
		path: itemsPath(parameters),
		...assumedBody({ ProposalItemIds: chosenItems(parameters) }, parameters),
	}),
};

/** Path: specification, *Further operations*; body assumed (operations.md, `item`). */
export const move: Operation = {
	name: 'Move',
	action: 'Move items',
	description: 'Move items of a proposal to another option of an area',
	mark: 'assumed',
	fields: [proposalId, itemIds, areaOptionId, correctionOptions],
	request: (parameters) => ({
		method: 'POST',
		isRepeatable: true,
		path: `${itemsPath(parameters)}/move`,
		...assumedBody(
			{
				ProposalItemIds: chosenItems(parameters),
				AreaOptionId: idOf(parameters.areaOptionId, 'Area Option'),
			},
			parameters,
		),
	}),
};

/** Path: specification, *Further operations*; body assumed (operations.md, `item`). */
export const copy: Operation = {
	name: 'Copy',
	action: 'Copy items',
	description:
		'Copy items of a proposal to one or more options of areas. Running it twice copies them twice.',
	mark: 'assumed',
	fields: [proposalId, itemIds, areaOptionIds, correctionOptions],
	request: (parameters) => ({
		method: 'POST',
		path: `${itemsPath(parameters)}/copy`,
		...assumedBody(
			{
				ProposalItemIds: chosenItems(parameters),
				AreaOptionIds: filledIdsOf(parameters.areaOptionIds, 'Area Option IDs'),
			},
			parameters,
		),
	}),
};
