import { httpStatusOf, isNotFound, isSetupError, PortalError } from '../../client/errors';
import { requireList } from '../../client/guards';
import { readProposal, type Proposal } from '../../client/proposal';
import type { Session } from '../../client/session';
import { personName, plainText } from '../shared/text';

/** The time limit of a poll was too short for one of its requests. */
export class TooSlowError extends PortalError {
	constructor() {
		super('Portal.io did not respond within the time limit of a poll', {
			advice: [
				"Nothing is lost: the next poll starts at the same point. If this continues under n8n's durable scheduler, raise 'N8N_SCHEDULER_POLL_TIMEOUT' and 'N8N_SCHEDULER_LEASE_DURATION'.",
			],
		});
	}
}

/** Returns whether the login, the credential, the Portal.io subscription or the rate limit has failed. */
const concernsAllRequests = (error: Error): boolean =>
	isSetupError(error) ||
	['402', '429'].includes(httpStatusOf(error)) ||
	(error instanceof PortalError && error.facts?.login !== undefined);

/** Reads the proposals of one poll in full, each once. */
export class ProposalReader {
	/** The errors of proposals that could not be read, by ID. */
	readonly errors = new Map<number, Error>();
	private readonly responses = new Map<number, Promise<Proposal>>();
	/** A failure that concerns all requests. No proposal is read after it. */
	failure: Error | undefined;
	private ownName: Promise<string> | undefined;
	private readonly session: Session;

	constructor(session: Session) {
		this.session = session;
	}

	/**
	 * Reads a proposal; undefined if it was deleted or cannot be read. Throws a failure that concerns
	 * all requests.
	 */
	async read(id: number): Promise<Proposal | undefined> {
		let response = this.responses.get(id);
		if (response === undefined) {
			if (this.failure !== undefined) throw this.failure;
			response = readProposal(this.session, id);
			this.responses.set(id, response);
		}
		const result = await response.catch((error: Error) => error);
		if (!(result instanceof Error)) return result;
		if (isNotFound(result)) return undefined;
		if (this.session.isStopped) throw new TooSlowError();
		if (concernsAllRequests(result)) throw (this.failure = result);
		this.errors.set(id, result);
		return undefined;
	}

	/** Returns whether the credential's user modified a proposal last; false if it cannot be read. */
	async isOwnChange(id: number): Promise<boolean> {
		const name = await (this.ownName ??= readOwnName(this.session));
		return normalizedName((await this.read(id))?.lastModifiedUser) === name;
	}
}

/**
 * Reads the name of the credential's user. A proposal contains only the name of the user who modified it,
 * so changes of a namesake would be ignored, too.
 */
async function readOwnName(session: Session): Promise<string> {
	const response = await session.send({ method: 'GET', path: '/public/users' });
	const users = requireList(response, 'users');
	const ownUser = users.find(
		({ email }) => String(email).toLowerCase() === session.account.username.toLowerCase(),
	);
	const name = normalizedName(ownUser);
	const isShared = users.filter((user) => normalizedName(user) === name).length > 1;
	if (name !== '' && !isShared) return name;
	const reason =
		name === ''
			? 'is not among the active users of Portal.io'
			: 'has the same name as another user';
	throw new PortalError(`'Ignore Own Changes' cannot work: the credential's user ${reason}`, {
		advice: [
			'Use a Portal.io user with a unique name for n8n, or turn the option off. Nothing is lost: changes are reported later.',
		],
	});
}

/** A proposal and the list of users may differ in spaces. */
const normalizedName = (user: Parameters<typeof personName>[0]) =>
	plainText(personName(user) ?? '');
