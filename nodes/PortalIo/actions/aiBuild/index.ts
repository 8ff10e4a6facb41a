import { path } from '../../../../service/path';
import { proposalId } from '../fields';
import type { Operation, Resource } from '../operation';
import { idOf } from '../values';

/** Path: specification, *Further operations*; alternate and body: public reference, 8.6. */
const start: Operation = {
	name: 'Start',
	action: 'Start AI build',
	description:
		'Build the areas and items of a proposal from its completed outline. It goes on after this step has ended, and running it twice may build twice.',
	mark: 'spec',
	fields: [proposalId],
	request: (parameters) => {
		const proposal = idOf(parameters.proposalId, 'Proposal');
		return {
			method: 'POST',
			path: '/public/ai/build-proposal',
			json: { proposalId: proposal },
			alternate: { path: path`/public/proposals/${proposal}/ai/build` },
		};
	},
};

/** The building of a proposal from its outline (public reference, 8.6). */
export const aiBuild: Resource = { name: 'AI Build', operations: { start } };
