import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import type { ProposalSummary } from '../../client/model';
import type { Session } from '../../client/http/session';
import { readPage } from '../../client/lists/pages';
import { readDetail } from './detail';
import type { PollEvent } from './events';

/** How many of the newest records are looked through for one that has what the event is about. */
const NEWEST = 20;

/**
 * What a test run in the editor shows: the newest record, as a change of it would look like. The
 * memory of the trigger stays out of it.
 */
export async function sample(session: Session, event: PollEvent): Promise<IDataObject[]> {
	const [list] = event.lists;
	const { records } = await readPage<ProposalSummary>(session, list!, 1, NEWEST);
	for (const record of records) {
		const detail = async () => await readDetail(session, record.id);
		const [item] = (await event.look({ ...unknown, record, detail }))?.items ?? [];
		if (item !== undefined) return [item];
	}
	throw new NodeOperationError(session.node, 'There is nothing yet to show as a sample', {
		description:
			'A test run shows the newest record of the chosen event, and there is none. Once the workflow is active it starts when one comes.',
	});
}

/** Everything about a record is news. */
export const unknown = { previous: undefined, isRestless: false, horizon: -Infinity };
