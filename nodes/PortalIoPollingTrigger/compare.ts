/** Compares records with their last known versions, reads proposals in full for that, and makes items. */
import {
	NodeOperationError,
	type INode,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { isNotFound, statusOf } from '../../client/errors';
import { readProposal, type Proposal, type ProposalSummary } from '../../client/model';
import { parseTime, takeList } from '../../client/response';
import type { Session } from '../../client/session';
import { describeFailure } from '../shared/failure';
import { simplifyTo } from '../shared/shape';
import { personName, plainText } from '../shared/text';
import { isChosenStatus } from '../shared/triggerFields';
import type { ChangedRecord, PollEvent, Settings } from './events';
import type { Memory, Version } from './memory';

/** One poll of a node. */
export interface Poll {
	session: Session;
	event: PollEvent;
	settings: Settings;
	time: PollTime;
	logger: IPollFunctions['logger'];
}

/** The time of a poll by n8n's clock, in milliseconds: anything not read by `end` is left to the next poll. */
export interface PollTime {
	start: number;
	half: number;
	end: number;
}

/** A record to compare. It is new if its date has changed. */
export interface Candidate {
	id: number;
	/** As a list returned it, with its time by the service's clock, in milliseconds. */
	listed?: { record: ProposalSummary; time: number };
	previous: Version;
	isNew: boolean;
}

/** The time limit of a poll was too short for what it has to do at once. */
export class TooSlowError extends NodeOperationError {
	// n8n distinguishes errors by their name.
	override name = NodeOperationError.name;

	constructor(node: INode) {
		super(node, 'Portal.io did not respond within the time limit of a poll', {
			description:
				"Nothing is lost: the next poll starts at the same point. If this continues under n8n's durable scheduler, raise 'N8N_SCHEDULER_POLL_TIMEOUT' and 'N8N_SCHEDULER_LEASE_DURATION'.",
		});
	}
}

export const CONCURRENT_READS = 4;
/** Times may be whole seconds: in the second in which it is read, a record may change without a later one. */
const TIME_STEP_MS = 1000;

/**
 * Compares records, and remembers their state and which of them to compare again. Returns items
 * for what has changed, and the reason if something is left to the next poll.
 */
export async function compareAll(
	poll: Poll,
	memory: Memory,
	candidates: Candidate[],
	now: number,
): Promise<{ items: INodeExecutionData[]; problem?: Error }> {
	const { known, recheck, failures } = memory;
	const reader = new ProposalReader(poll.session, failures, poll.time.end);
	const compared = await mapConcurrent(candidates, CONCURRENT_READS, async (candidate) =>
		compare({ ...poll, reader }, memory, candidate, now).catch((error: Error) => error),
	);

	const items: INodeExecutionData[] = [];
	const errors: Error[] = [];
	for (const [index, { id, listed, previous }] of candidates.entries()) {
		const result = compared[index]!;
		const failure = reader.errors.get(id);
		const isGivenUp = failure !== undefined && reader.isGivenUp(id);
		if (isGivenUp) {
			const { message } = failure;
			poll.logger.warn(`Portal.io Polling Trigger: proposal ${id} could not be read: ${message}`);
		}
		if (!(result instanceof Error) && (failure === undefined || isGivenUp)) {
			items.push(...result);
			failures.delete(id);
			continue;
		}
		errors.push(failure ?? (result as Error));
		known.set(id, previous);
		recheck.add(id);
		if (failure && !reader.outage) failures.set(id, (failures.get(id) ?? 0) + 1);
		// It is listed until it was compared.
		memory.from = Math.min(memory.from, listed?.time ?? memory.from);
	}
	if (errors.length === 0) return { items };
	const notInTime = errors.length === candidates.length ? errors[0] : undefined;
	const failed = errors.find((error) => !(error instanceof TooSlowError));
	return { items, problem: reader.outage ?? failed ?? notInTime };
}

type Comparing = Pick<Poll, 'event' | 'settings'> & { reader: ProposalReader };

/** Compares a record with its last version and returns items; throws when it has to be compared again. */
async function compare(
	poll: Comparing,
	{ known, recheck, newest }: Memory,
	{ id, listed, previous, isNew }: Candidate,
	now: number,
): Promise<INodeExecutionData[]> {
	const { event, settings, reader } = poll;
	const record = event.isDetailed ? await reader.read(id) : listed!.record;
	const changed = record ? await event.changesOf({ record, previous, reader }) : [];
	if (record === undefined || reader.errors.has(id)) {
		// It was deleted, or is given up: it stays as it was until it is modified again.
		known.set(id, { ...previous, time: listed?.time ?? previous.time });
		recheck.delete(id);
		return [];
	}
	const items: INodeExecutionData[] = [];
	for (const one of changed) {
		if (!isChosenStatus(one.record.status, settings.statuses, settings.statusField)) continue;
		if (settings.ignoresOwnChanges) {
			const proposal = await reader.read(id);
			if (proposal !== undefined && (await reader.isOwnChange(proposal))) continue;
		}
		items.push(await toItem(poll, one));
	}
	const modifiedAt = event.isDetailed ? parseTime(record.lastModifiedDate) : undefined;
	const time = modifiedAt ?? listed!.time;
	known.set(id, { time, state: event.stateOf(record) });
	// Compares it once more, regardless of the clock: a second is over when the list shows a later one.
	const isOfNewestSecond = isNew && time >= newest - TIME_STEP_MS;
	const isOfThisSecond = time >= now - 2 * TIME_STEP_MS;
	if (event.isDetailed && (isOfNewestSecond || isOfThisSecond)) recheck.add(id);
	else recheck.delete(id);
	return items;
}

/** Makes the item of a change; a proposal that was deleted or cannot be read is as it was listed. */
export async function toItem(
	{ event, settings, reader }: Comparing,
	changed: ChangedRecord,
): Promise<INodeExecutionData> {
	const { id } = changed.record;
	const proposal = settings.fetchesProposal ? ((await reader.read(id)) ?? null) : undefined;
	const complete = proposal === undefined ? changed : { ...changed, proposal };
	const json = settings.isSimplified
		? simplifyTo(event.shape, event.recordOf(complete))
		: event.full(complete);
	const error = settings.fetchesProposal ? reader.errors.get(id) : undefined;
	return { json: error ? { ...json, proposalError: describeFailure(error) } : json };
}

/** In how many polls in a row a proposal must fail before it is given up. */
const MAX_FAILURES = 3;
/** Statuses that concern all requests: the login, the subscription, the rate limit. */
const CONCERNS_ALL = ['401', '402', '429'];

/**
 * Reads the proposals of one poll in full, each once. One that cannot be read is tried again by later
 * polls. It is given up at once if this user may not read it, otherwise after three polls in a row.
 */
export class ProposalReader {
	/** By the ID of the proposal. */
	readonly errors = new Map<number, Error>();
	private readonly readings = new Map<number, Promise<Proposal>>();
	private hasRead = false;
	/** A failure that concerns all proposals. */
	private failure: Error | undefined;
	private ownUser: ReturnType<typeof readOwnUser> | undefined;
	private readonly session: Session;
	private readonly failures: ReadonlyMap<number, number>;
	private readonly end: number;

	/** Reads no further proposal after `end`; `failures` counts the polls in a row that each has failed. */
	constructor(session: Session, failures: ReadonlyMap<number, number>, end: number) {
		this.session = session;
		this.failures = new Map(failures);
		this.end = end;
	}

	/** Reads a proposal; undefined if it was deleted or is given up. Throws when it has to be tried again. */
	async read(id: number): Promise<Proposal | undefined> {
		let reading = this.readings.get(id);
		if (reading === undefined) {
			if (this.failure !== undefined) throw this.failure;
			if (Date.now() >= this.end) throw new TooSlowError(this.session.node);
			reading = readProposal(this.session, id);
			this.readings.set(id, reading);
		}
		const result = await reading.catch((error: Error) => error);
		if (!(result instanceof Error) || isNotFound(result)) {
			this.hasRead = true;
			return result instanceof Error ? undefined : result;
		}
		if (this.session.isStopped) throw new TooSlowError(this.session.node);
		if (CONCERNS_ALL.includes(statusOf(result))) throw (this.failure = result);
		this.errors.set(id, result);
		if (!this.isLastTry(id)) throw result;
		return undefined;
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

	/** Whether a proposal that could not be read is given up: in an outage, only what this user may not read. */
	isGivenUp(id: number): boolean {
		return statusOf(this.errors.get(id)) === '403' || (this.isLastTry(id) && !this.outage);
	}

	private isLastTry(id: number): boolean {
		const isForbidden = statusOf(this.errors.get(id)) === '403';
		return isForbidden || (this.failures.get(id) ?? 0) + 1 >= MAX_FAILURES;
	}
}

/**
 * Reads who the user of the credential is, and returns whether a proposal was last modified by this user.
 * A proposal names that user without ID and email, so the name must be one that no other user has.
 */
async function readOwnUser(session: Session): Promise<(proposal: Proposal) => boolean> {
	const response = await session.send({ method: 'GET', path: '/public/users' });
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
				'Use a Portal.io user with a unique name for n8n, or turn the option off. Nothing is lost: changes are reported later.',
		},
	);
}

/** The name with single spaces: in one place there may be more of them than in the other. */
const nameOf = (user: Parameters<typeof personName>[0]) => plainText(personName(user) ?? '');
