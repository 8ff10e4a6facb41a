import { path } from '../../../../client/encoding';
import type { OperationRequest } from '../../unconfirmed/alternatePaths';

/** The fields of an outline; its text is null until it is completed. */
export const outlineSchema = {
	proposalId: 'integer',
	outlineId: 'integer',
	status: 'string',
	outline: 'string',
} as const;

/** Reads the outline of a proposal. */
export const readOutline = (proposalId: number): OperationRequest => ({
	method: 'GET',
	path: path`/public/api/proposals/${proposalId}/ai/outline`,
});
