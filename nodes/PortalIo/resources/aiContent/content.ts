import type { RecordShape } from '../../operation/output';

export const contentShape: RecordShape = {
	proposalId: 'integer',
	contentId: ['integer', 'id'],
	name: 'string',
	summary: 'string',
	status: 'string',
	sourceType: 'string',
	createdDate: 'string',
	userCreated: 'object',
};

/**
 * Returns the key of the queue for a proposal's content. The queue is separate, because an upload can take hours, and
 * other changes to the proposal must not wait for it.
 */
export const contentQueue = ({ proposalId }: { proposalId: number }) => `content ${proposalId}`;
