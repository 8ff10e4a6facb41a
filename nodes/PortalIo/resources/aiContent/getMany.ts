import { recordsIn } from '../../shared/responseLists';
import { paging } from '../../shared/lists';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { listContent, contentSchema } from './listContent';

/** docs/portal-api.md#ai-builder */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many AI content files in proposal',
	description:
		'Retrieve a list of the recordings and text files uploaded to a proposal, with their status',
	fields: { proposalId, ...paging },
	request: (values) => listContent(values.proposalId),
	output: {
		schema: contentSchema,
		records: (answer, { proposalId }) =>
			recordsIn(answer, 'items').map((content) => ({ proposalId, ...content })),
	},
});
