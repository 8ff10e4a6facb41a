import { path } from '../../../../client/http/path';
import { changeOrderId, paging, proposalId, simplify } from '../../shared/fields';
import type { Operation, Resource } from '../../shared/operation';
import { simplifyProposal } from '../proposal/simplify';
import { idOf } from '../../shared/values';

/** Public reference, 4.2. */
const get: Operation = {
	name: 'Get',
	action: 'Get change order',
	description:
		'Read one change order of a proposal: status, totals, areas with items. Changes nothing.',
	mark: 'docs',
	fields: [proposalId, changeOrderId, simplify],
	request: (parameters) => {
		const proposal = idOf(parameters.proposalId, 'Proposal');
		const changeOrder = idOf(parameters.changeOrderId, 'Change Order');
		return {
			method: 'GET',
			path: path`/public/proposals/${proposal}/changeorders/${changeOrder}`,
		};
	},
	output: (answer, { simplify: simple }) => (simple ? simplifyProposal(answer) : answer),
};

/** Public reference, 4.1: a bare array. */
const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many change orders',
	description: 'List the change orders of a proposal with status and total. Changes nothing.',
	mark: 'docs',
	fields: [proposalId, ...paging, simplify],
	request: (parameters) => ({
		method: 'GET',
		path: path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}/changeorders`,
	}),
	output: (answer, { simplify: simple }) => (simple ? simplifyProposal(answer) : answer),
};

/** The change orders of a proposal: proposals themselves, with a parent (public reference, 4). */
export const changeOrder: Resource = { name: 'Change Order', operations: { get, getMany } };
