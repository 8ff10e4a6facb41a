import { path } from '../../../../client/http/path';
import type { ServiceRequest } from '../../../../client/http/request';

/** Reads the outline of a proposal. */
export const outlineOf = (proposalId: number): ServiceRequest => ({
	method: 'GET',
	path: path`/public/api/proposals/${proposalId}/ai/outline`,
});
