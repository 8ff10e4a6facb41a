import { NodeOperationError } from 'n8n-workflow';
import { PortalError, statusOf } from '../../client/errors';
import { takeList } from '../../client/data';
import { readProposal, type Proposal } from '../../client/model';
import { send } from '../../client/request';
import type { Session } from '../../client/session';
import { personName } from '../shared/contact';
import { plainText } from '../shared/text';
import { TooSlowError } from './lists';

/** How many proposals are read in full at the same time. */
export const CONCURRENT_READS = 4;
/** In how many polls in a row a proposal must fail before it is given up. */
const MAX_FAILURES = 3;
/** What concerns all requests: the login, the subscription, the rate limit. */
const CONCERNS_ALL = ['401', '402', '429'];

/** How reading a proposal ended; with neither, it was deleted. */
type Reading = { proposal?: Proposal; error?: Error };

/**
 * Reads the proposals of one poll in full, each once. One that cannot be read is tried again by later
 * polls. It is given up at once if this user may not read it, otherwise after three polls in a row.
 */
export class ProposalReader {
	/** Why single proposals could not be read, by their ID. */
	readonly errors = new Map<number, Error>();
	private readonly readings = new Map<number, Promise<Reading>>();
	private readonly session: Session;
	private readonly failures: ReadonlyMap<number, number>;
	private readonly isOver: () => boolean;
	private hasRead = false;
	/** What failed that concerns all of them. */
	private failure: Error | undefined;
	private ownUser: ReturnType<typeof readOwnUser> | undefined;

	/** @param failures in how many polls in a row each proposal has failed */
	constructor(session: Session, failures: ReadonlyMap<number, number>, isOver: () => boolean) {
		this.session = session;
		this.failures = new Map(failures);
		this.isOver = isOver;
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

	/** Why no proposal can be read: what concerns them all, or several that fail while none succeeds. */
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
		if (this.isOver()) throw new TooSlowError(this.session.node);
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
		name === '' ? 'is not among the active users of Portal.io' : 'has the name of another user';
	throw new NodeOperationError(
		session.node,
		`'Ignore Own Changes' cannot work: the user of the credential ${reason}`,
		{
			description:
				'Use a Portal.io user with a name of its own for n8n, or turn the option off. Nothing is lost: changes are reported afterwards.',
		},
	);
}

/** The name with single spaces: in one place there may be more of them than in the other. */
const nameOf = (user: Parameters<typeof personName>[0]) => plainText(personName(user) ?? '');
