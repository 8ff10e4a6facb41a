import type { IExecuteFunctions } from 'n8n-workflow';
import { KeyedQueue } from '../../../client/concurrency';
import { openSession, type Session } from '../../../client/session';
import { AccountRecords } from './records';

/** What the inputs of one account share. */
export interface Account {
	session: Session;
	records: AccountRecords;
	/** Keeps the order of changes to one record. */
	changes: KeyedQueue;
}

/** The accounts of an execution: one, or one for each that the expressions of the credential name. */
export class Accounts {
	private readonly known = new Map<string, Account>();
	/** The first input says whether its account is that of all inputs. */
	private first: { itemIndex: number; account: Promise<Account> } | undefined;

	private readonly context: IExecuteFunctions;
	private readonly attempts: number;

	constructor(context: IExecuteFunctions, attempts: number) {
		this.context = context;
		this.attempts = attempts;
	}

	/**
	 * The account of an input.
	 *
	 * @throws CredentialError saying what is wrong with the credential
	 */
	async of(itemIndex: number): Promise<Account> {
		this.first ??= { itemIndex, account: this.open(itemIndex) };
		const { first } = this;
		if (first.itemIndex === itemIndex) return await first.account;
		const isForAll = await first.account.then(
			({ session }) => session.isForAllInputs,
			() => false,
		);
		return await (isForAll ? first.account : this.open(itemIndex));
	}

	private async open(itemIndex: number): Promise<Account> {
		const { context, attempts, known } = this;
		const session = await openSession(context, { attempts, itemIndex });
		const account = known.get(session.account.fingerprint) ?? {
			session,
			records: new AccountRecords(session),
			changes: new KeyedQueue(),
		};
		known.set(session.account.fingerprint, account);
		return account;
	}
}
