import type { INodeExecutionData } from 'n8n-workflow';
import type { Session } from '../../client/session';
import { describeFailure } from '../shared/nodeError';
import { triggerDetailFields } from '../shared/shapes';
import { simplifyTo, type Shape } from '../shared/simplify';
import type { ChangedRecord, PollEvent, PollSettings } from './pollEvents';
import { tryToReadProposal } from './proposalReader';

/**
 * Returns the output item for a change. If the full proposal cannot be read, outputs what the list returned, with the
 * error.
 */
export async function createItem(
	session: Session,
	event: PollEvent,
	settings: PollSettings,
	change: ChangedRecord,
): Promise<INodeExecutionData> {
	const fullChange = { ...change };
	let failure: Error | undefined;
	if (settings.includesProposal) {
		const proposal = await tryToReadProposal(session, change.record.id);
		if (proposal instanceof Error) failure = proposal;
		fullChange.proposal = proposal instanceof Error ? null : proposal;
	}
	const json = settings.isSimplified
		? simplifyTo(chooseShape(event, settings), event.shapeSource(fullChange))
		: event.rawOutput(fullChange);
	return { json: failure ? { ...json, proposalError: describeFailure(failure) } : json };
}

/**
 * Returns the shape of the output. If the output includes the full proposal, the shape also has the fields that only a
 * full proposal has.
 */
const chooseShape = ({ shape }: PollEvent, { includesProposal }: PollSettings): Shape =>
	includesProposal ? { ...shape, ...triggerDetailFields } : shape;
