import type { IExecuteFunctions } from 'n8n-workflow';
import { KeyedQueue } from '../../../client/concurrency';
import { openSession, type Session } from '../../../client/session';
import { References } from './references';

/** What the inputs of one account share. */
export interface Account {
	session: Session;
	/** Knows the records that inputs give by a number, a model or a name. */
	references: References;
	/** Keeps the order of changes to one record. */
	changes: KeyedQueue;
}

/** The accounts of an execution: one, or one for each that the expressions of the credential name. */
export class Accounts {
	private readonly known = new Map<string, Account>();
	private forAllInputs: Account | undefined;
	/** Inputs get their accounts one after the other: their changes are queued in that order. */
	private last: Promise<unknown> = Promise.resolve();

	private readonly context: IExecuteFunctions;
	private readonly attempts: number;

	constructor(context: IExecuteFunctions, attempts: number) {
		this.context = context;
		this.attempts = attempts;
	}

	/**
	 * The account of an input.
	 *
	 * @throws NodeApiError saying what is wrong with the credential
	 */
	async of(itemIndex: number): Promise<Account> {
		const account = this.last.then(async () => await this.open(itemIndex));
		this.last = account.catch(() => undefined);
		return await account;
	}

	private async open(itemIndex: number): Promise<Account> {
		if (this.forAllInputs !== undefined) return this.forAllInputs;
		const { context, attempts, known } = this;
		const session = await openSession(context, { attempts, itemIndex });
		const account = known.get(session.accountId) ?? {
			session,
			references: new References(context, session),
			changes: new KeyedQueue(),
		};
		known.set(session.accountId, account);
		if (session.isForAllInputs) this.forAllInputs = account;
		return account;
	}
}
