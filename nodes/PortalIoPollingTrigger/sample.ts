import { NodeOperationError } from 'n8n-workflow';
import type { Session } from '../../client/session';
import { readPage } from '../../client/pagination';
import type { ProposalSummary } from '../../client/model';
import { newCandidate } from './candidates';
import { isChosen } from './changes';
import type { ProposalReader } from './proposalReader';
import type { ChangedRecord, PollEvent, Settings } from './types';

/** How many of the newest records are searched for one that the event can occur on. */
const NEWEST = 20;

/**
 * Returns the newest record as if it had just changed, for a test run in the editor: one with a
 * chosen status if there is one.
 */
export async function readSample(
	session: Session,
	reader: ProposalReader,
	event: PollEvent,
	settings: Settings,
): Promise<ChangedRecord> {
	const [list] = event.lists;
	const { records } = await readPage<ProposalSummary>(session, list!, 1, NEWEST);
	let other: ChangedRecord | undefined;
	for (const record of records) {
		const read = async () => await reader.read(record.id);
		const { changed = [] } = (await event.detectChange(newCandidate(record, read))) ?? {};
		const sample = changed.find((one) => isChosen(one, settings));
		if (sample !== undefined) return sample;
		other ??= changed[0];
	}
	if (other !== undefined) return other;
	const [unreadable] = reader.skipped.values();
	if (unreadable !== undefined) throw unreadable;
	throw new NodeOperationError(session.node, 'There is nothing yet to show as a sample', {
		description:
			'A test run shows the newest record of the chosen event, and there is none. Once the workflow is published, it starts when there is one.',
	});
}
