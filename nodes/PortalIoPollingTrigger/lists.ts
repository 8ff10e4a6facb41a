import { NodeOperationError, type INode } from 'n8n-workflow';
import type { ProposalSummary } from '../../client/model';
import { readNewestFirst, type PagedList } from '../../client/pages';
import type { Session } from '../../client/session';
import { parseTime } from '../../client/data';

type DateName = 'createdDate' | 'lastModifiedDate';

/** A list that is asked for in the order of modifications, newest first. */
export interface ModifiedList extends PagedList {
	/** The parameter that leaves out what was modified before a time, if the list has one. */
	after?: string;
	/** The date by which a record is new to the event. */
	dateOfEvent: DateName;
	/** Whether it may lack dates: its records are then compared as they are listed. */
	mayBeUndated?: boolean;
}

/** A record as a list returned it, with its times by the service's clock, in milliseconds. */
export interface Listed {
	record: ProposalSummary;
	modifiedAt: number;
	/** By the date of the event; UNDATED in a list without dates. */
	time: number;
}
export const UNDATED = 0;

/** The time of a poll by n8n's clock: what is not done when it is over is left to the next poll. */
export interface PollTime {
	start: number;
	isOver: () => boolean;
	isHalfOver: () => boolean;
}

/** How far each poll looks back behind the newest modification: a record may show up later than its time. */
export const OVERLAP_MS = 10 * 60_000;
/** Whether `ModifiedAfter` includes the time itself, and counts milliseconds, is not documented. */
const MARGIN_MS = 1000;

/**
 * Lists the records that were modified since a time, each once, in the order of the events. What lists
 * hide because they change in the meantime, the next poll finds: it lists all of it again.
 *
 * @param since when it is absent, the newest records are listed, `most` of them if there is time
 * @throws NodeOperationError when a list is not as it has to be, or too long for the time of a poll
 */
export async function listModified(
	session: Session,
	lists: ModifiedList[],
	{ since, most = 0 }: { since?: number; most?: number },
	time: PollTime,
): Promise<Listed[]> {
	const found = new Map<number, Listed>();
	for (const list of lists) {
		let pages = 0;
		let read = 0;
		let newest = 0;
		const isEnough = (times: number[]) => {
			pages++;
			read += times.length;
			newest = Math.max(newest, Math.min(times[0] ?? 0, Date.now() + session.clockLeadMs));
			const isOld = (times.at(-1) ?? 0) < (since ?? newest - OVERLAP_MS);
			if (isOld && (read >= most || time.isHalfOver())) return true;
			if (pages > 1 && time.isOver()) throw new TooSlowError(session.node);
			return false;
		};
		const timeOf = (record: ProposalSummary, name: DateName = 'lastModifiedDate') => {
			const parsed = parseTime(record[name]);
			if (parsed === undefined && !list.mayBeUndated) throw undated(session, record, name);
			return parsed ?? UNDATED;
		};
		const filtered = since ? withFilter(list, since) : list;
		for (const record of await readNewestFirst(session, filtered, timeOf, isEnough)) {
			const modifiedAt = timeOf(record);
			const other = found.get(record.id);
			// A record that moved between the lists is in both; the later version counts.
			if (other !== undefined && modifiedAt < other.modifiedAt) continue;
			found.set(record.id, { record, modifiedAt, time: timeOf(record, list.dateOfEvent) });
		}
	}
	return [...found.values()].sort(
		(one, other) => one.time - other.time || one.record.id - other.record.id,
	);
}

function withFilter(list: ModifiedList, since: number): ModifiedList {
	if (list.after === undefined) return list;
	const from = new Date(Math.floor(since / 1000) * 1000 - MARGIN_MS).toISOString();
	const query = { ...list.request.query, [list.after]: from };
	return { ...list, request: { ...list.request, query } };
}

/** New and old cannot be told apart without a date. */
const undated = ({ node }: Session, { id }: ProposalSummary, name: DateName) => {
	const what = name === 'createdDate' ? 'created' : 'modified';
	const message = `Portal.io does not say when the record with the ID ${id} was ${what}`;
	const description = 'Without that, changes cannot be told from what was there before.';
	return new NodeOperationError(node, message, { description });
};

/** A poll could not do in its time what it has to do at once. */
export class TooSlowError extends NodeOperationError {
	// n8n tells errors apart by their name.
	override name = NodeOperationError.name;

	constructor(node: INode) {
		super(node, 'Portal.io did not respond in the time that n8n gives a poll', {
			description:
				"Nothing is lost: the next poll begins at the same place. If this continues, raise 'N8N_SCHEDULER_POLL_TIMEOUT' and 'N8N_SCHEDULER_LEASE_DURATION' of n8n.",
		});
	}
}
