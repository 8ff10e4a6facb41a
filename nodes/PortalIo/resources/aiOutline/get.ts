import { path } from '../../../../client/http/path';
import { shownIf, withDefault } from '../../shared/field';
import { choice } from '../../shared/fieldTypes';
import { mode, proposalId, resourceLocator } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { outlineOf, outlineSchema } from './outlineOf';

const getBy = choice(
	'Get By',
	[
		{ name: 'Outline', value: 'outline' },
		{ name: 'Proposal', value: 'proposal' },
	],
	{ default: 'proposal' },
);

const outlineId = resourceLocator(
	'Outline',
	[mode('By ID', 'id', 'string', { placeholder: 'e.g. 12345' })],
	{ description: 'The outline to read; Portal.io has no list of them' },
);

/** docs/portal-api.md#ai-builder */
export const get = operation({
	name: 'Get',
	action: 'Get AI outline of proposal',
	description: 'Retrieve the outline of a proposal and its status',
	fields: {
		getBy: withDefault(getBy),
		proposalId: shownIf('getBy', 'proposal', proposalId),
		outlineId: shownIf('getBy', 'outline', outlineId),
	},
	request: (values) =>
		values.proposalId === undefined
			? { method: 'GET', path: path`/public/ai/outline/${values.outlineId!}` }
			: outlineOf(values.proposalId),
	output: { schema: outlineSchema },
});
