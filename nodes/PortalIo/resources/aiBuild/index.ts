import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../../client/http/path';
import { proposalId } from '../../shared/fields';
import type { Operation, Resource } from '../../shared/operation';
import { idOf } from '../../shared/values';
import { maxSecondsOf, waitingOptions } from '../../shared/waiting';

/** Path: specification, *Further operations*; alternate and body: public reference, 8.6. */
const start: Operation = {
	name: 'Start',
	action: 'Start AI build',
	description:
		'Build the areas and items of a proposal from its completed outline. It goes on after this step has ended, unless it is told to wait for it. Running it twice may build twice.',
	mark: 'spec',
	fields: [proposalId, waitingOptions('the areas and items are on the proposal')],
	request: (parameters) => {
		const proposal = idOf(parameters.proposalId, 'Proposal');
		return {
			method: 'POST',
			path: '/public/ai/build-proposal',
			json: { proposalId: proposal },
			alternate: { path: path`/public/proposals/${proposal}/ai/build` },
		};
	},
	wait: (parameters) => {
		const maxSeconds = maxSecondsOf(parameters);
		if (maxSeconds === undefined) return undefined;
		const proposal = idOf(parameters.proposalId, 'Proposal');
		const request = { method: 'GET' as const, path: path`/public/proposals/${proposal}` };
		// No answer tells how a build is getting on, so the proposal is watched instead: it is built
		// when it has changed and then stays the same. That it failed only the event tells.
		const seen: string[] = [];
		const note = ({ areas }: IDataObject) => seen.push(JSON.stringify(areas));
		return {
			maxSeconds,
			before: {
				what: 'The proposal',
				request,
				progress: (reading) => ({ state: note(reading) > 0 ? 'done' : 'pending', status: '' }),
			},
			after: {
				what: 'The build',
				request,
				progress: (reading) => {
					note(reading);
					const [unbuilt] = seen;
					const [former, latest] = seen.slice(-2);
					const isDone = latest !== unbuilt && latest === former;
					return { state: isDone ? 'done' : 'pending', status: '' };
				},
			},
			result: (answer, reading) => ({ ...answer, status: 'Completed', proposal: reading }),
		};
	},
};

/** The building of a proposal from its outline (public reference, 8.6). */
export const aiBuild: Resource = { name: 'AI Build', operations: { start } };
