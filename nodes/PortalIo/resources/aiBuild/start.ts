import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../../client/http/path';
import type { Waiting } from '../../sendAndWait';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { waitingOptions } from '../../shared/waiting';

/** docs/portal-api.md#ai-builder */
export const start = operation({
	name: 'Start',
	action: 'Start AI build',
	description:
		'Build the areas and items of a proposal from its completed outline. It goes on after this step has ended, unless it is told to wait for it. Running it twice may build twice.',
	mark: 'spec',
	fields: { proposalId, options: waitingOptions('the areas and items are on the proposal') },
	request: ({ proposalId }) => ({
		method: 'POST',
		path: '/public/ai/build-proposal',
		json: { proposalId },
		alternate: { path: path`/public/proposals/${proposalId}/ai/build` },
	}),
	wait: ({ proposalId, options: { maxWait, waitForCompletion } }) =>
		waitForCompletion ? untilBuilt(proposalId, maxWait) : undefined,
});

/**
 * No response tells how a build is getting on, so the proposal is watched instead: it is built when
 * it has changed and then stays the same. Only the event tells that a build has failed.
 */
function untilBuilt(proposal: number, maxSeconds: number): Waiting {
	const request = { method: 'GET', path: path`/public/proposals/${proposal}` } as const;
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
}
