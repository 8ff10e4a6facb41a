import { listOf } from '../../shared/answers';
import { paging } from '../../shared/lists';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { contentOf } from './contentOf';

/** docs/portal-api.md#ai-builder */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many AI contents',
	description:
		'List the recordings and texts that were uploaded to a proposal, with their status. Changes nothing.',
	mark: 'spec',
	fields: { proposalId, ...paging },
	request: (values) => contentOf(values.proposalId),
	output: (answer) => listOf(answer, 'items'),
});
