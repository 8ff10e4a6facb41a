/** Reads what a poll compares: the lists, newest first, and single proposals in full. */
import { NodeOperationError, type INode } from 'n8n-workflow';
import { PortalError, statusOf } from '../../client/errors';
import { readProposal, type Proposal, type ProposalSummary } from '../../client/model';
import { readNewestFirst, type PagedList } from '../../client/pages';
import { parseTime, takeList } from '../../client/response';
import { send, type Session } from '../../client/session';
import { personName } from '../shared/contact';
import { plainText } from '../shared/text';

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
	/** By the date of the event; 0 in a list without dates. */
	time: number;
}

export interface Listing {
	records: Listed[];
	/** When the poll began, by the clock of the service as its last response had it. */
	now: number;
	/** The time of the newest modification, at most `now`; 0 in a list without dates. */
	newest: number;
}

/** The time of a poll by n8n's clock, in milliseconds: what it has not read by `end` it leaves to the next. */
export interface PollTime {
	start: number;
	half: number;
	end: number;
}

/** The time before the newest modification that each poll reads again: a record may be listed late. */
export const OVERLAP_MS = 10 * 60_000;
/** Whether `ModifiedAfter` includes the time itself, and counts milliseconds, is not documented. */
const MARGIN_MS = 1000;

/**
 * Lists the records that were modified since a time, each once, in the order of the events. What lists
 * hide because they change while they are read, the next poll finds: it lists all of it again. Without
 * `since`, lists the newest records, `most` of them if there is time.
 */
export async function listModified(
	session: Session,
	lists: ModifiedList[],
	time: PollTime,
	{ since, most = 0 }: { since?: number; most?: number },
): Promise<Listing> {
	const found = new Map<number, Listed>();
	let latest = 0;
	for (const list of lists) {
		let pages = 0;
		let read = 0;
		let newest = 0;
		const isEnough = (times: number[]) => {
			pages++;
			read += times.length;
			newest = Math.max(newest, Math.min(times[0] ?? 0, Date.now() + session.clockLeadMs));
			const isOld = (times.at(-1) ?? 0) < (since ?? newest - OVERLAP_MS);
			if (isOld && (read >= most || Date.now() >= time.half)) return true;
			if (pages > 1 && Date.now() >= time.end) throw new TooSlowError(session.node);
			return false;
		};
		const timeOf = (record: ProposalSummary, name: DateName = 'lastModifiedDate') => {
			const parsed = parseTime(record[name]);
			if (parsed === undefined && !list.mayBeUndated) throw undated(session, record, name);
			return parsed ?? 0;
		};
		const filtered = since ? withFilter(list, since) : list;
		for (const record of await readNewestFirst(session, filtered, timeOf, isEnough)) {
			const modifiedAt = timeOf(record);
			latest = Math.max(latest, modifiedAt);
			const other = found.get(record.id);
			// A record that moved between the lists is in both; the later version counts.
			if (other !== undefined && modifiedAt < other.modifiedAt) continue;
			found.set(record.id, { record, modifiedAt, time: timeOf(record, list.dateOfEvent) });
		}
	}
	const now = time.start + session.clockLeadMs;
	const records = [...found.values()].sort(
		(one, other) => one.time - other.time || one.record.id - other.record.id,
	);
	return { records, now, newest: Math.min(latest, now) };
}

function withFilter(list: ModifiedList, since: number): ModifiedList {
	if (list.after === undefined) return list;
	const from = new Date(Math.floor(since / 1000) * 1000 - MARGIN_MS).toISOString();
	const query = { ...list.request.query, [list.after]: from };
	return { ...list, request: { ...list.request, query } };
}

/** New and old records cannot be distinguished without a date. */
const undated = ({ node }: Session, { id }: ProposalSummary, name: DateName) => {
	const what = name === 'createdDate' ? 'created' : 'modified';
	const message = `Portal.io does not say when the record with the ID ${id} was ${what}`;
	const description = 'Without that date, changes cannot be detected.';
	return new NodeOperationError(node, message, { description });
};

/** A poll could not do in its time what it has to do at once. */
export class TooSlowError extends NodeOperationError {
	// n8n distinguishes errors by their name.
	override name = NodeOperationError.name;

	constructor(node: INode) {
		super(node, 'Portal.io did not respond within the time limit of a poll', {
			description:
				"Nothing is lost: the next poll starts at the same point. If this continues, raise 'N8N_SCHEDULER_POLL_TIMEOUT' and 'N8N_SCHEDULER_LEASE_DURATION' of n8n.",
		});
	}
}

export const CONCURRENT_READS = 4;
/** In how many polls in a row a proposal must fail before it is given up. */
const MAX_FAILURES = 3;
/** Statuses that concern all requests: the login, the subscription, the rate limit. */
const CONCERNS_ALL = ['401', '402', '429'];

/** The result of reading a proposal; with neither, it was deleted. */
type Reading = { proposal?: Proposal; error?: Error };

/**
 * Reads the proposals of one poll in full, each once. One that cannot be read is tried again by later
 * polls. It is given up at once if this user may not read it, otherwise after three polls in a row.
 */
export class ProposalReader {
	/** By the ID of the proposal. */
	readonly errors = new Map<number, Error>();
	private readonly readings = new Map<number, Promise<Reading>>();
	private readonly session: Session;
	private readonly failures: ReadonlyMap<number, number>;
	private readonly end: number;
	private hasRead = false;
	/** A failure that concerns all proposals. */
	private failure: Error | undefined;
	private ownUser: ReturnType<typeof readOwnUser> | undefined;

	/** Reads no further proposal after `end`; `failures` counts the polls in a row that each has failed. */
	constructor(session: Session, failures: ReadonlyMap<number, number>, end: number) {
		this.session = session;
		this.failures = new Map(failures);
		this.end = end;
	}

	/** Reads a proposal; throws when it has to be tried again, and returns the error if it is given up. */
	async read(id: number): Promise<Reading> {
		const reading = this.readings.get(id) ?? this.request(id);
		this.readings.set(id, reading);
		const { error } = await reading;
		if (error !== undefined && !this.isLastTry(id)) throw error;
		return await reading;
	}

	/** Whether the user of the credential has modified a proposal last. */
	async isOwnChange(proposal: Proposal): Promise<boolean> {
		this.ownUser ??= readOwnUser(this.session);
		return (await this.ownUser)(proposal);
	}

	/** The reason that no proposal can be read: a failure that concerns all, or several failures without a success. */
	get outage(): Error | undefined {
		const single = [...this.errors.values()].filter((error) => statusOf(error) !== '403');
		return this.failure ?? (!this.hasRead && single.length > 1 ? single[0] : undefined);
	}

	/** Whether a proposal that failed is given up: in an outage, only what this user may not read. */
	isGivenUp(id: number): boolean {
		const isForbidden = statusOf(this.errors.get(id)) === '403';
		return isForbidden || (this.errors.has(id) && this.isLastTry(id) && !this.outage);
	}

	private isLastTry(id: number): boolean {
		const isForbidden = statusOf(this.errors.get(id)) === '403';
		return isForbidden || (this.failures.get(id) ?? 0) + 1 >= MAX_FAILURES;
	}

	private async request(id: number): Promise<Reading> {
		if (this.failure !== undefined) throw this.failure;
		if (Date.now() >= this.end) throw new TooSlowError(this.session.node);
		const request = readProposal(async (one) => await send(this.session, one), id);
		const reading = await request.then(
			(proposal): Reading => ({ proposal }),
			(error: Error): Reading => (isDeleted(error) ? {} : { error }),
		);
		const { error } = reading;
		if (error && this.session.isStopped) throw new TooSlowError(this.session.node);
		if (error && CONCERNS_ALL.includes(statusOf(error))) throw (this.failure = error);
		if (error) this.errors.set(id, error);
		else this.hasRead = true;
		return reading;
	}
}

const isDeleted = (error: Error) =>
	error instanceof PortalError && statusOf(error) === '404' && !error.facts?.isMissingRoute;

/**
 * Reads who the user of the credential is, and returns whether a proposal was last modified by this user.
 * A proposal names that user without ID and email, so the name must be one that no other user has.
 */
async function readOwnUser(session: Session): Promise<(proposal: Proposal) => boolean> {
	const response = await send(session, { method: 'GET', path: '/public/users' });
	const users = takeList(response, 'users');
	const own = users.find(
		({ email }) => String(email).toLowerCase() === session.account.username.toLowerCase(),
	);
	const name = nameOf(own);
	const isShared = users.filter((user) => nameOf(user) === name).length > 1;
	if (name !== '' && !isShared) return ({ lastModifiedUser }) => nameOf(lastModifiedUser) === name;
	const reason =
		name === ''
			? 'is not among the active users of Portal.io'
			: 'has the same name as another user';
	throw new NodeOperationError(
		session.node,
		`'Ignore Own Changes' cannot work: the credential's user ${reason}`,
		{
			description:
				'Use a Portal.io user with a unique name for n8n, or turn the option off. Nothing is lost: changes are reported afterwards.',
		},
	);
}

/** The name with single spaces: in one place there may be more of them than in the other. */
const nameOf = (user: Parameters<typeof personName>[0]) => plainText(personName(user) ?? '');
