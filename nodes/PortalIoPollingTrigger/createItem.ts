import type { INodeExecutionData } from 'n8n-workflow';
import type { Session } from '../../client/session';
import { describeFailure } from '../shared/nodeError';
import { triggerDetailFields } from '../shared/shapes';
import { simplifyTo, type Shape } from '../shared/simplify';
import type { ChangedRecord, PollEvent, PollSettings } from './pollEvents';
import { tryToReadProposal } from './proposalReader';

/** Returns the item that starts the workflow. A proposal that cannot be read in full is output as it was listed. */
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

/** Returns the output fields, some of which only a full proposal has. */
const chooseShape = ({ shape }: PollEvent, { includesProposal }: PollSettings): Shape =>
	includesProposal ? { ...shape, ...triggerDetailFields } : shape;
