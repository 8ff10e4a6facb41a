import type { Resource } from '../../operation/operation';
import { start } from './start';

/** The building of a proposal from its outline. */
export const aiBuild: Resource = {
	name: 'AI Build',
	description: 'Builds a proposal from an AI outline',
	operations: { start },
};
