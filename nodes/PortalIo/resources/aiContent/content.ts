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

/** An upload may take hours, and other changes of the proposal must not wait for it. */
export const contentQueue = ({ proposalId }: { proposalId: number }) => `content ${proposalId}`;
