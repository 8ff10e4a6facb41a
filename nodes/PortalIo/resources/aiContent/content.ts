import type { Shape } from '../../../shared/shape';

export const contentShape: Shape = {
	proposalId: 'integer',
	id: 'integer',
	name: 'string',
	summary: 'string',
	status: 'string',
	sourceType: 'string',
	createdDate: 'string',
	userCreated: 'object',
};

/** An upload may take hours, which must not hold back other changes of the proposal. */
export const contentQueue = ({ proposalId }: { proposalId: number }) => `content ${proposalId}`;
