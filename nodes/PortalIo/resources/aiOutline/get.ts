import { path } from '../../../../client/encoding';
import { shownIf } from '../../fields/field';
import { choice } from '../../fields/types';
import { locator, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import type { OperationRequest } from '../../../../client/request';

/** The fields of an outline; its text is null until it is completed. */
export const outlineSchema = {
	proposalId: 'integer',
	outlineId: 'integer',
	status: 'string',
	outline: 'string',
} as const;

export const readOutline = (proposalId: number): OperationRequest => ({
	method: 'GET',
	path: path`/public/api/proposals/${proposalId}/ai/outline`,
	alternates: [{ path: path`/public/proposals/${proposalId}/ai/outline` }],
});

const getBy = choice(
	'Get By',
	[
		{ name: 'Outline', value: 'outline' },
		{ name: 'Proposal', value: 'proposal' },
	],
	{ default: 'proposal' },
);

const outlineId = locator(
	'Outline',
	"The outline to read. Its ID is in the output of 'Generate'.",
	{},
);

/** docs/dev/portal-api.md#ai-builder */
export const get = operation({
	name: 'Get',
	action: 'Get AI outline',
	description: 'Retrieve the outline of a proposal and its status',
	fields: {
		getBy,
		proposalId: shownIf('getBy', 'proposal', proposalId),
		outlineId: shownIf('getBy', 'outline', outlineId),
	},
	request: (values) =>
		values.proposalId === undefined
			? { method: 'GET', path: path`/public/ai/outline/${values.outlineId!}` }
			: readOutline(values.proposalId),
	output: { schema: outlineSchema },
});
