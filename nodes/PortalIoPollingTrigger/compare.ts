/** Compares records with their last versions, reads proposals in full for that, and makes items. */
import {
	NodeOperationError,
	type INode,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { isLasting, isNotFound, PortalError, statusOf } from '../../client/errors';
import { takeList } from '../../client/guards';
import { readProposal, type Proposal, type ProposalSummary } from '../../client/proposal';
import type { Session } from '../../client/session';
import { parseTime } from '../../client/time';
import { describeFailure } from '../shared/failure';
import { simplifyTo } from '../shared/shape';
import { personName, plainText } from '../shared/text';
import { isChosenStatus } from '../shared/statuses';
import type { ChangedRecord, PollEvent, Settings } from './events';
import type { Memory, Version } from './memory';

/** One poll of a node. */
export interface Poll {
	session: Session;
	event: PollEvent;
	settings: Settings;
	/** By n8n's clock, in milliseconds. What the session does not read in time is left to the next poll. */
	time: { start: number; half: number };
	/** Whether n8n was started since the last poll of the node. */
	isFirstOfProcess: boolean;
	logger: IPollFunctions['logger'];
}

/** A record as a list returned it, with its time by the service's clock, in milliseconds. */
export interface Listed {
	record: ProposalSummary;
	/** By the date of the event; 0 in a list without dates. */
	time: number;
}

/** A record to compare with its last version; only its ID if no list has returned it. */
export interface Candidate extends Partial<Listed> {
	id: number;
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

/** A proposal is skipped after so many failed polls in a row: it would make every later poll fail. */
const MAX_FAILURES = 3;

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
	const { versions, recheck, failures } = memory;
	const reader = new ProposalReader(poll.session);
	const compared = await mapConcurrent(candidates, CONCURRENT_READS, async (candidate) =>
		compare({ ...poll, reader }, memory, candidate, now).catch((error: Error) => error),
	);

	const items: INodeExecutionData[] = [];
	const errors: Error[] = [];
	for (const [index, { id, time }] of candidates.entries()) {
		const result = compared[index]!;
		const failure = reader.errors.get(id);
		const count = (failures.get(id) ?? 0) + 1;
		// Without a response, nothing is known about the proposal: an outage would skip changes.
		const hasResponse = failure instanceof PortalError && failure.facts?.code === undefined;
		const isSkipped =
			failure && (statusOf(failure) === '403' || (hasResponse && count >= MAX_FAILURES));
		if (result instanceof Error || (failure && !isSkipped)) {
			errors.push(failure ?? (result as Error));
			if (hasResponse) failures.set(id, count);
			// It is listed until it was compared.
			if (time !== undefined) memory.from = Math.min(memory.from, time);
			continue;
		}
		if (failure) {
			const { message } = failure;
			poll.logger.warn(`Portal.io Polling Trigger: proposal ${id} could not be read: ${message}`);
		}
		items.push(...result.items);
		versions.set(id, result.version);
		if (!result.isDueAgain) recheck.delete(id);
		failures.delete(id);
	}
	const notInTime = errors.length === candidates.length ? errors[0] : undefined;
	const failed = errors.find((error) => !(error instanceof TooSlowError));
	return { items, problem: reader.failure ?? failed ?? notInTime };
}

type Comparing = Pick<Poll, 'event' | 'settings'> & { reader: ProposalReader };

/** Compares a record with its last version; throws when it has to be compared again. */
async function compare(
	poll: Comparing,
	{ versions, newest }: Memory,
	{ id, ...listed }: Candidate,
	now: number,
): Promise<{ items: INodeExecutionData[]; version: Version; isDueAgain: boolean }> {
	const { event, settings, reader } = poll;
	const previous = versions.get(id)!;
	const listedAt = listed.time ?? previous.time;
	const record = event.isDetailed ? await reader.read(id) : listed.record;
	const items: INodeExecutionData[] = [];
	// It was deleted, or is skipped: it stays as it was until it is modified again.
	if (!record) return { items, version: { ...previous, time: listedAt }, isDueAgain: false };
	for (const one of event.changesOf({ record, previous })) {
		if (!isChosenStatus(one.record.status, settings.statuses, settings.statusField)) continue;
		if (settings.ignoresOwnChanges && (await reader.isOwnChange(id))) continue;
		items.push(await toItem(poll, one));
	}
	const modifiedAt = event.isDetailed ? parseTime(record.lastModifiedDate) : undefined;
	const time = modifiedAt ?? listedAt;
	const isNew = previous.state === null || time !== previous.time;
	// Compares it once more, regardless of the clock: a second is over when the list shows a later one.
	const second = isNew ? Math.min(newest, now) : now;
	const isDueAgain = event.isDetailed && time >= second - TIME_STEP_MS;
	return { items, version: { time, state: event.stateOf(record) }, isDueAgain };
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

/** Whether a failure is about every request: of the login, the credential, the subscription or the rate limit. */
const isAboutAll = (error: Error): boolean =>
	isLasting(error) ||
	['402', '429'].includes(statusOf(error)) ||
	(error instanceof PortalError && error.facts?.login !== undefined);

/** Reads the proposals of one poll in full, each once. */
export class ProposalReader {
	/** Why a proposal could not be read, by its ID. */
	readonly errors = new Map<number, Error>();
	private readonly readings = new Map<number, Promise<Proposal>>();
	/** A failure that is about all proposals: no more are read. */
	failure: Error | undefined;
	private ownName: Promise<string> | undefined;
	private readonly session: Session;

	constructor(session: Session) {
		this.session = session;
	}

	/** Reads a proposal; undefined if it was deleted or cannot be read. Throws a failure that is about all. */
	async read(id: number): Promise<Proposal | undefined> {
		let reading = this.readings.get(id);
		if (reading === undefined) {
			if (this.failure !== undefined) throw this.failure;
			reading = readProposal(this.session, id);
			this.readings.set(id, reading);
		}
		const result = await reading.catch((error: Error) => error);
		if (!(result instanceof Error)) return result;
		if (isNotFound(result)) return undefined;
		if (this.session.isStopped) throw new TooSlowError(this.session.node);
		if (isAboutAll(result)) throw (this.failure = result);
		this.errors.set(id, result);
		return undefined;
	}

	/** Whether the user of the credential has modified a proposal last; false if it cannot be read. */
	async isOwnChange(id: number): Promise<boolean> {
		const name = await (this.ownName ??= readOwnName(this.session));
		return nameOf((await this.read(id))?.lastModifiedUser) === name;
	}
}

/**
 * Reads the name of the credential's user. A proposal names the user who modified it last without ID and
 * email, so it must be a name that no other user has.
 */
async function readOwnName(session: Session): Promise<string> {
	const response = await session.send({ method: 'GET', path: '/public/users' });
	const users = takeList(response, 'users');
	const own = users.find(
		({ email }) => String(email).toLowerCase() === session.account.username.toLowerCase(),
	);
	const name = nameOf(own);
	const isShared = users.filter((user) => nameOf(user) === name).length > 1;
	if (name !== '' && !isShared) return name;
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
