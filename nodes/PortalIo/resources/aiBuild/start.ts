import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../../client/http/path';
import { integer, text, type Shape } from '../../../shared/shape';
import type { Waiting } from '../../sendAndWait';
import { simplify } from '../../shared/lists';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { waitingOptions } from '../../shared/waiting';

/** The build itself; the full response also has the proposal, once it is built. */
const buildShape: Shape<{ proposalId?: number; status?: string }> = {
	proposalId: integer(({ proposalId }) => proposalId),
	status: text(({ status }) => status),
};

/** docs/portal-api.md#ai-builder */
export const start = operation({
	name: 'Start',
	action: 'Start AI build of proposal',
	description:
		"Build the areas and items of a proposal from its completed outline. Portal.io continues after this step, unless 'Wait for Completion' is on.",
	fields: {
		proposalId,
		simplify,
		options: waitingOptions('the areas and items are in the proposal'),
	},
	request: ({ proposalId }) => ({
		method: 'POST',
		path: '/public/ai/build-proposal',
		json: { proposalId },
		alternate: { path: path`/public/proposals/${proposalId}/ai/build` },
	}),
	output: { shape: buildShape },
	wait: ({ proposalId, options: { maxWait, waitForCompletion } }) =>
		waitForCompletion ? untilBuilt(proposalId, maxWait) : undefined,
});

/**
 * No response has the status of a build, so the proposal is read instead: it is built when it has
 * changed and then stays the same. Only the event reports that a build has failed.
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
		result: (answer, reading) => ({
			proposalId: proposal,
			...answer,
			status: 'Completed',
			proposal: reading,
		}),
	};
}
