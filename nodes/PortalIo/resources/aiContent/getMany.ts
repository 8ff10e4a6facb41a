import { path } from '../../../../client/encoding';
import { withProposalId } from '../../shared/output';
import { paging } from '../../shared/lists';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import type { OperationRequest } from '../../unconfirmed/alternatePaths';

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
	alternate: { path: path`/public/api/proposals/${proposalId}/ai/content` },
});

/** docs/portal-api.md#ai-builder */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many AI content files in proposal',
	description:
		'Retrieve a list of the recordings and text files uploaded to a proposal, with their status',
	fields: { proposalId, ...paging },
	request: (values) => listContent(values.proposalId),
	output: { list: ['items'], schema: contentSchema, records: withProposalId },
});
