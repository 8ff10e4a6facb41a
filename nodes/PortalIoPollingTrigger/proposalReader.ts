import type { Logger, NodeApiError } from 'n8n-workflow';
import { path } from '../../client/encoding';
import { send } from '../../client/request';
import type { Session } from '../../client/session';
import type { Proposal } from '../../client/model';
import type { Memory } from './types';
import type { ListedRecord } from '../../client/modifiedRecords';

/** How many proposals are read in full at the same time. */
export const CONCURRENT_READS = 4;
/** In how many polls in a row a proposal must fail before it is skipped. */
const MAX_FAILURES = 3;
/** What concerns all requests: the login, the subscription, the rate limit. */
const NOT_OF_ONE_RECORD = ['401', '402', '429'];

/**
 * Reads the proposals of one poll in full.
 *
 * One that cannot be read is skipped, so that it does not hold back the others: at once if this user
 * may not read it, otherwise in the third poll in a row in which it fails. A later change of it is
 * tried again.
 */
export class ProposalReader {
	/** Why a proposal was skipped, by its ID. */
	readonly skipped = new Map<number, NodeApiError>();
	private readonly session: Session;
	private readonly memory: Memory;
	private hasRead = false;

	constructor(session: Session, memory: Memory) {
		this.session = session;
		this.memory = memory;
	}

	/**
	 * Reads a proposal; undefined when it was deleted or is skipped.
	 *
	 * @throws NodeApiError when it cannot be read and is not skipped yet
	 */
	async read(id: number): Promise<Proposal | undefined> {
		const request = { method: 'GET', path: path`/public/proposals/${id}` } as const;
		const succeed = (proposal?: unknown) => {
			this.hasRead = true;
			delete this.memory.failures?.[id];
			return proposal as Proposal | undefined;
		};
		return await send(this.session, request).then(succeed, (error: NodeApiError) => {
			if (error.httpCode === '404') return succeed();
			if (NOT_OF_ONE_RECORD.includes(error.httpCode ?? '')) throw error;
			const failures = (this.memory.failures ??= {});
			failures[id] = (failures[id] ?? 0) + 1;
			if (error.httpCode !== '403' && failures[id] < MAX_FAILURES) throw error;
			this.skipped.set(id, error);
			return undefined;
		});
	}

	/** Whether an earlier poll has skipped this version of a proposal. */
	hasSkipped({ record, modifiedAt }: ListedRecord): boolean {
		return this.memory.skipped?.[record.id] === modifiedAt;
	}

	/**
	 * Ends a poll that has succeeded: logs what it skipped, and remembers that while it is listed.
	 *
	 * @throws NodeApiError when several proposals fail and none can be read: then it is the service
	 */
	finish(logger: Logger, listed: ListedRecord[]): void {
		const failed = [...this.skipped.values()].filter(({ httpCode }) => httpCode !== '403');
		if (failed.length > 1 && !this.hasRead) throw failed[0]!;
		for (const [id, { message }] of this.skipped) {
			logger.warn(`Portal.io Polling Trigger: proposal ${id} could not be read: ${message}`);
		}
		const { memory, skipped } = this;
		const kept = listed.filter((one) => skipped.has(one.record.id) || this.hasSkipped(one));
		delete memory.failures;
		memory.skipped = Object.fromEntries(
			kept.map(({ record, modifiedAt }) => [record.id, modifiedAt]),
		);
	}
}
