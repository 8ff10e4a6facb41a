/** Reads what the lists of an event show. */
import { NodeOperationError } from 'n8n-workflow';
import {
	readModified,
	UndatedError,
	type ListedRecord,
	type ReadingLimits,
} from './modifiedRecords';
import { readList } from '../../client/pages';
import type { ProposalSummary } from '../../client/model';
import type { Session } from '../../client/session';
import { KNOWN_RECORDS } from './memory';
import type { PollEvent } from './types';

/** Reads the records that were modified since a time, or all of a list that shows no times. */
export async function readListed(
	session: Session,
	event: PollEvent,
	limits: ReadingLimits,
): Promise<ListedRecord[]> {
	return await readModified(session, event.lists, limits).catch(async (error: Error) => {
		if (!event.comparesListed || !(error instanceof UndatedError)) throw error;
		return await readUndated(session, event);
	});
}

/** Whether a list shows no times, so that its records can only be compared. */
export const isUndated = (listed: ListedRecord[]): boolean =>
	listed.some(({ modifiedAt }) => modifiedAt === 0);

async function readUndated(session: Session, { lists }: PollEvent): Promise<ListedRecord[]> {
	const [list] = lists;
	const unsorted = { ...list!, request: { ...list!.request, query: {} } };
	const { records } = await readList(session, unsorted, { limit: KNOWN_RECORDS + 1 });
	if (records.length > KNOWN_RECORDS) {
		throw new NodeOperationError(
			session.node,
			`Portal.io does not say when contacts were modified, and there are more than ${KNOWN_RECORDS}`,
			{ description: 'So many cannot be compared in every poll. Contact support@portal.io.' },
		);
	}
	return records.map((record) => ({ record: record as unknown as ProposalSummary, modifiedAt: 0 }));
}
