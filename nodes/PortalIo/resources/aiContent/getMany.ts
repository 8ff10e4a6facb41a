import { path } from '../../../../client/encoding';
import { withProposalId } from '../../operation/output';
import { paging } from '../../fields/lists';
import { proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import type { OperationRequest } from '../../../../client/request';

export const contentSchema = {
	proposalId: 'integer',
	id: 'integer',
	name: 'string',
	summary: 'string',
	status: 'string',
	sourceType: 'string',
	createdDate: 'string',
	userCreated: 'object',
} as const;

export const listContent = (proposalId: number): OperationRequest => ({
	method: 'GET',
	path: '/public/ai/content',
	query: { ProposalId: proposalId },
	alternates: [
		{ path: path`/public/api/proposals/${proposalId}/ai/content` },
		{ path: path`/public/proposals/${proposalId}/ai/content` },
	],
});

/** docs/dev/portal-api.md#ai-builder */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many AI content files in proposal',
	description:
		'Retrieve a list of the recordings and text files uploaded to a proposal, with their status',
	fields: { proposalId, ...paging },
	request: (values) => listContent(values.proposalId),
	output: { list: ['items'], schema: contentSchema, records: withProposalId },
});
