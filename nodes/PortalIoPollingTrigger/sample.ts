import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import type { Session } from '../../client/http/session';
import { readPage } from '../../client/lists/pages';
import type { ProposalSummary } from '../../client/model';
import { newCandidate } from './candidates';
import { readProposal } from './readProposal';
import type { PollEvent } from './types';

/** How many of the newest records are searched for one that the event can occur on. */
const NEWEST = 20;

/** Returns the newest record as if it had just changed, for a test run in the editor. */
export async function readSample(session: Session, event: PollEvent): Promise<IDataObject[]> {
	const [list] = event.lists;
	const { records } = await readPage<ProposalSummary>(session, list!, 1, NEWEST);
	for (const record of records) {
		const read = async () => await readProposal(session, record.id);
		const [item] = (await event.detectChange(newCandidate(record, read)))?.items ?? [];
		if (item !== undefined) return [item];
	}
	throw new NodeOperationError(session.node, 'There is nothing yet to show as a sample', {
		description:
			'A test run shows the newest record of the chosen event, and there is none. Once the workflow is active it starts when one comes.',
	});
}
