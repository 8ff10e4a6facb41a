import { path } from '../../../../client/http/path';
import type { ServiceRequest } from '../../../../client/http/request';

/** The fields of an outline; its text is null until it is completed. */
export const outlineSchema = {
	proposalId: 'integer',
	outlineId: 'integer',
	status: 'string',
	outline: 'string',
} as const;

/** Reads the outline of a proposal. */
export const outlineOf = (proposalId: number): ServiceRequest => ({
	method: 'GET',
	path: path`/public/api/proposals/${proposalId}/ai/outline`,
});
