import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { catalogItemId, itemId, proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf } from '../../shared/values';

/** Path: specification, *Further operations*; body assumed (operations.md, `item`). */
export const replace: Operation = {
	name: 'Replace',
	action: 'Replace item',
	description: 'Put another item of the catalog in the place of an item of a proposal',
	mark: 'assumed',
	fields: [proposalId, itemId, catalogItemId, correctionOptions],
	request: (parameters) => {
		const proposal = idOf(parameters.proposalId, 'Proposal');
		const item = idOf(parameters.itemId, 'Item');
		return {
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${proposal}/items/${item}/replace`,
			...assumedBody({ ItemId: idOf(parameters.catalogItemId, 'Catalog Item') }, parameters),
		};
	},
};
