import { path } from '../../../../client/encoding';
import { shownIf } from '../../shared/field';
import { choice } from '../../shared/fieldTypes';
import { BY_ID, proposalId, resourceLocator } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { readOutline, outlineSchema } from './readOutline';

const getBy = choice(
	'Get By',
	[
		{ name: 'Outline', value: 'outline' },
		{ name: 'Proposal', value: 'proposal' },
	],
	{ default: 'proposal' },
);

const outlineId = resourceLocator('Outline', [BY_ID], {
	description: "The outline to read. Its ID is in the output of 'Generate'.",
});

/** docs/portal-api.md#ai-builder */
export const get = operation({
	name: 'Get',
	action: 'Get AI outline',
	description: 'Retrieve the outline of a proposal and its status',
	fields: {
		getBy: getBy,
		proposalId: shownIf('getBy', 'proposal', proposalId),
		outlineId: shownIf('getBy', 'outline', outlineId),
	},
	request: (values) =>
		values.proposalId === undefined
			? { method: 'GET', path: path`/public/ai/outline/${values.outlineId!}` }
			: readOutline(values.proposalId),
	output: { schema: outlineSchema },
});
