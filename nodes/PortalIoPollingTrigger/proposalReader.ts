import { NodeOperationError, type NodeApiError } from 'n8n-workflow';
import { TooSlowError } from './modifiedRecords';
import type { Proposal } from '../../client/model';
import { isProposal, proposalRequest } from '../../client/proposal';
import { send } from '../../client/request';
import type { Session } from '../../client/session';
import type { Memory } from './memory';

/** How many proposals are read in full at the same time. */
export const CONCURRENT_READS = 4;
/** In how many polls in a row a proposal must fail before it is given up. */
const MAX_FAILURES = 3;
/** What concerns all requests: the login, the subscription, the rate limit. */
const NOT_OF_ONE_RECORD = ['401', '402', '429'];

type ReadError = NodeApiError | NodeOperationError;

/**
 * Reads the proposals of one poll in full.
 *
 * One that cannot be read does not hold back the others: later polls try it again. It is given up at
 * once if this user may not read it, and otherwise in the third poll in a row in which it fails. A later
 * change of it is tried again.
 */
export class ProposalReader {
	/** Why a proposal was given up, by its ID. */
	readonly skipped = new Map<number, ReadError>();
	/** Why a proposal could not be read in this poll, by its ID. */
	readonly failed = new Map<number, ReadError>();
	/** What failed that concerns all of them. */
	private failure: ReadError | undefined;
	/** The proposals that were read, or were deleted. */
	private readonly done = new Set<number>();
	private readonly session: Session;
	private readonly failures: Memory['failures'];
	private readonly isOver: (() => boolean) | undefined;

	/** @param failures in how many polls in a row each proposal has failed */
	constructor(session: Session, failures: Memory['failures'] = {}, isOver?: () => boolean) {
		this.session = session;
		this.failures = failures;
		this.isOver = isOver;
	}

	/**
	 * Reads a proposal; undefined when it was deleted or is given up.
	 *
	 * @throws NodeApiError when it cannot be read in this poll
	 */
	async read(id: number): Promise<Proposal | undefined> {
		if (this.failure !== undefined) throw this.failure;
		if (this.isOver?.()) throw new TooSlowError(this.session);
		return await send(this.session, proposalRequest(id)).then(
			(response) =>
				isProposal(response) ? this.succeed(id, response) : this.fail(id, this.odd(id)),
			(error: ReadError) => {
				if (statusOf(error) === '404') return this.succeed(id);
				return this.fail(id, error);
			},
		);
	}

	private succeed(id: number, proposal?: Proposal): Proposal | undefined {
		this.done.add(id);
		return proposal;
	}

	private fail(id: number, error: ReadError): undefined {
		const status = statusOf(error);
		if (this.session.isStopped) throw new TooSlowError(this.session);
		if (NOT_OF_ONE_RECORD.includes(status)) {
			this.failure = error;
			throw error;
		}
		if (status !== '403' && (this.failures[id] ?? 0) + 1 < MAX_FAILURES) {
			this.failed.set(id, error);
			throw error;
		}
		this.skipped.set(id, error);
		return undefined;
	}

	private odd(id: number): NodeOperationError {
		return new NodeOperationError(
			this.session.node,
			`Unexpected response: Portal.io did not return the proposal with the ID ${id}`,
			{ description: 'If this continues, contact support@portal.io.' },
		);
	}

	/** Why no proposal can be read: what concerns them all, or several that fail while none succeeds. */
	get outage(): ReadError | undefined {
		const failed = [...this.failed.values(), ...this.skipped.values()].filter(
			(error) => !isForbidden(error),
		);
		return this.failure ?? (this.done.size === 0 && failed.length > 1 ? failed[0] : undefined);
	}

	/** Whether a proposal was read, was deleted, or is given up. */
	isDone(id: number): boolean {
		return this.done.has(id) || this.skipped.has(id);
	}

	/**
	 * Ends the reading. In an outage, none is given up.
	 *
	 * @returns in how many polls in a row each proposal has failed that is to be tried again
	 */
	finish(): Memory['failures'] {
		if (this.outage !== undefined) {
			for (const [id, error] of this.skipped) {
				if (isForbidden(error)) continue;
				this.skipped.delete(id);
				this.failed.set(id, error);
			}
			return this.failures;
		}
		const failures = new Map(
			Object.entries(this.failures).map(([id, count]) => [Number(id), count]),
		);
		for (const id of failures.keys()) if (this.isDone(id)) failures.delete(id);
		for (const id of this.failed.keys()) failures.set(id, (failures.get(id) ?? 0) + 1);
		return Object.fromEntries(failures);
	}
}

const statusOf = (error: ReadError) => String((error as Partial<NodeApiError>).httpCode);

const isForbidden = (error: ReadError) => statusOf(error) === '403';
