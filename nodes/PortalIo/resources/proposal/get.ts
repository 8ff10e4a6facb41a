import { path } from '../../../../client/http/path';
import { proposalId, simplify } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf } from '../../shared/values';
import { simplifyProposal } from './simplify';

/** Specification, *Listing and reading proposals*. */
export const get: Operation = {
	name: 'Get',
	action: 'Get proposal',
	description:
		'Read one proposal: its status, customer, totals, areas with items, payments. Changes nothing.',
	mark: 'spec',
	fields: [proposalId, simplify],
	request: (parameters) => ({
		method: 'GET',
		path: path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}`,
	}),
	output: (answer, { simplify: simple }) => (simple ? simplifyProposal(answer) : answer),
};
