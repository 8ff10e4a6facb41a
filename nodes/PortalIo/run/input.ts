/**
 * Processes one input item: parses it, finds the records that it names, sends its requests, and presents the output.
 */
import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { runInOrder } from '../../../client/concurrency';
import { PortalError } from '../../../client/errors';
import { ShapeError } from '../../../client/responseShape';
import { openSession, type Session } from '../../../client/session';
import { FileReference, RecordReference, type Reference } from '../fields/field';
import { createLookups, readCreateMissingArea, type FindRecord } from '../lookup/lookups';
import { replaceReferences, type FindReference, type Scope } from '../lookup/references';
import type { AnyValues, Operation } from '../operation/operation';
import { CallLog, createCall, sendLogged } from './call';
import { adviseNumber, toFailedOutput, isStopped, toInputError } from './failures';
import { findFile } from './inputFile';
import { presentRecords } from './present';
import { recallOutcome, rememberOutcome, type InputOutcome, type InputResult } from './retryOnFail';

export interface Execution {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	/** True if the execution continues after a failed input item. */
	readonly continues: boolean;
	/** Maximum number of attempts per request. */
	readonly attempts: number;
	/**
	 * Accounts by fingerprint. There can be several, because expressions in the credential can differ by input item.
	 */
	readonly accounts: Map<string, Account>;
	/**
	 * Type of each hint for the output, by message. If several input items produce the same hint, the hint is shown
	 * once.
	 */
	readonly hints: Map<string, NodeExecutionHint['type']>;
	/** True after a failed change has ended the execution, so waiting changes are not sent. */
	hasEnded: boolean;
}

interface Account {
	session: Session;
	findRecord: FindRecord;
}

const AREA_REMAINS = 'The step created the area. If you run the step again, it will use this area.';
const NOT_REPEATED =
	"'Retry On Fail' did not run this input item again, because the first try might have changed something.";

export class InputItem {
	readonly itemIndex: number;
	/** Reason why the input item cannot be processed, or has failed. */
	problem: Error | undefined;
	/** Output; undefined if the input item was not processed. */
	result: InputResult | undefined;
	private readonly execution: Execution;
	private readonly earlier: InputOutcome | undefined;
	private readonly log = new CallLog();
	private account: Account | undefined;
	private values: AnyValues = {};

	constructor(execution: Execution, itemIndex: number) {
		this.execution = execution;
		this.itemIndex = itemIndex;
		this.earlier = recallOutcome(execution.context, itemIndex);
	}

	parse(): void {
		if (this.earlier?.kind === 'found') this.values = this.earlier.values;
		if (this.earlier !== undefined) return;
		const { context, operation } = this.execution;
		try {
			const userInput: Record<string, unknown> = {};
			for (const { name, default: fallback } of operation.fields) {
				userInput[name] = context.getNodeParameter(name, this.itemIndex, fallback);
			}
			const raw = context.getNode().parameters;
			this.values = operation.parse(userInput, { timezone: context.getTimezone(), raw });
		} catch (error) {
			this.problem = error as Error;
		}
	}

	/** Finds the records that the fields name, and checks the values against each other. */
	async find(): Promise<void> {
		if (this.problem !== undefined) return;
		const { context, operation, continues } = this.execution;
		try {
			this.account = await openAccount(this.execution, this.itemIndex);
			if (this.earlier !== undefined) return;
			this.values = await replaceReferences(this.values, async (reference, scope) =>
				isFoundInTurn(reference, scope) ? reference : await this.findReference(reference, scope),
			);
			operation.validate?.(this.values);
			rememberOutcome(context, this.itemIndex, { kind: 'found', values: this.values });
		} catch (reason) {
			const problem = adviseNumber(context, this.itemIndex, reason as Error);
			// End the execution after a failed request, because that does not mean that the input item is invalid.
			if (isStopped(context) || (problem instanceof PortalError && !continues)) {
				throw toInputError(context, this.itemIndex, problem);
			}
			this.problem = problem;
		}
	}

	/** Returns the output items. If the execution continues on errors, a failure becomes output. */
	async run(): Promise<INodeExecutionData[]> {
		const { context, continues } = this.execution;
		const pairedItem = { item: this.itemIndex };
		try {
			this.result = await this.takeTurn();
			return (this.result?.records ?? []).map((json) => ({ json, pairedItem }));
		} catch (reason) {
			this.problem = adviseNumber(context, this.itemIndex, reason as Error);
			// End a stopped execution even if it continues on errors.
			if (isStopped(context) || !continues) throw this.problem;
			// Put the error in `json`, because n8n replaces an item that has the property `error`.
			return [{ json: toFailedOutput(context, this.itemIndex, this.problem), pairedItem }];
		}
	}

	/**
	 * Waits for earlier changes to the same record, then runs the operation. All users of a Portal.io account share its
	 * records, so this also waits for other executions in this process, no matter which credential they use.
	 */
	private async takeTurn(): Promise<InputResult | undefined> {
		if (this.problem !== undefined) throw this.problem;
		if (this.earlier?.kind === 'finished') return this.earlier.result;
		if (this.earlier?.kind === 'changed') {
			throw PortalError.from(this.earlier.error).with({ advice: [NOT_REPEATED] });
		}
		const { session } = this.account!;
		const key = this.execution.operation.queueKey(this.values);
		const send = async () => await this.send();
		if (key === undefined) return await send();
		return await runInOrder(`${session.account.baseUrl} ${key}`, send, session.signal);
	}

	/** Runs the operation. Returns undefined if another input item's failed change has ended the execution. */
	private async send(): Promise<InputResult | undefined> {
		const { execution, itemIndex, log } = this;
		const { context, operation, continues } = execution;
		if (execution.hasEnded) return undefined;
		const progress: string[] = [];
		try {
			const values = await replaceReferences(this.values, this.findReference);
			if (log.hasChanged) progress.push(AREA_REMAINS);
			const { limit = Infinity } = values as { limit?: number };
			const call = createCall(execution, this.account!.session, log, values, limit);
			const returned = await operation.run(call);
			const isSent = log.lastChange !== undefined;
			const records = presentRecords(operation, returned, values, isSent);
			const total = Math.max(records.length, log.listedRecords);
			const { isBeyondWindow } = log;
			const result: InputResult = {
				records: records.slice(0, limit),
				...(total > limit && { total, isBeyondWindow }),
			};
			rememberOutcome(context, itemIndex, { kind: 'finished', result });
			return result;
		} catch (reason) {
			execution.hasEnded = operation.kind === 'change' && !continues;
			// Keep the warning, because the change might have been made even though the response was unexpected.
			const doubt = reason instanceof ShapeError ? { doubt: log.doubt } : {};
			const error = PortalError.from(reason as Error).with({ ...doubt, progress });
			if (log.hasChanged) rememberOutcome(context, itemIndex, { kind: 'changed', error });
			throw error;
		}
	}

	private readonly findReference: FindReference = async (reference, scope) => {
		const { context } = this.execution;
		if (reference instanceof FileReference) {
			return await findFile(context, this.itemIndex, reference.file);
		}
		const { session, findRecord } = this.account!;
		return await findRecord(reference, scope, async (request) =>
			sendLogged(session, this.log, request),
		);
	};
}

/**
 * Returns whether to find a record only when it is the input item's turn. With *Create Missing Area*, an earlier input
 * item can create the area.
 */
const isFoundInTurn = (reference: Reference, scope: Scope): boolean =>
	reference instanceof RecordReference &&
	reference.target === 'placement' &&
	readCreateMissingArea(scope) !== undefined;

/** Opens the account of an input item. Throws a CredentialError if its credential is invalid. */
async function openAccount(execution: Execution, itemIndex: number): Promise<Account> {
	const { context, attempts, accounts } = execution;
	const session = await openSession(context, { attempts, itemIndex });
	const { fingerprint } = session.account;
	const account = accounts.get(fingerprint) ?? { session, findRecord: createLookups(session) };
	accounts.set(fingerprint, account);
	return account;
}
