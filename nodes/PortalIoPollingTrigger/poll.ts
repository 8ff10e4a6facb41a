import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { isLasting, mayPass, PortalError } from '../../client/errors';
import type { ProposalSummary } from '../../client/model';
import { readPage } from '../../client/pages';
import { openSession, type Session } from '../../client/session';
import { toNodeError } from '../shared/failure';
import { findChanges, recordBaseline, toItem, type Poll } from './compare';
import { pollEvents } from './events';
import { isChosen, readSettings, type ChangedRecord } from './items';
import { TooSlowError } from './lists';
import { openMemory, ownerOf, PollingProcess } from './memory';
import { CONCURRENT_READS, ProposalReader } from './proposals';

const thisProcess = new PollingProcess();

/**
 * Looks for changes since the last poll; the first one records a baseline and reports nothing. A poll
 * ends in the time that n8n gives it, reports what it has and leaves the rest to the next one.
 *
 * @param process what earlier polls in this process have learned
 * @returns null when there is nothing to report, so that n8n starts nothing
 */
export async function poll(
	context: IPollFunctions,
	process = thisProcess,
): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return [[await readSample(context)]];
	const owner = ownerOf(context);
	if (process.running.has(owner)) return null;
	process.running.add(owner);
	try {
		const items = await pollOnce(context, process);
		return items.length === 0 ? null : [items];
	} finally {
		process.running.delete(owner);
	}
}

/** What n8n gives a poll unless its durable scheduler runs it. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

async function pollOnce(context: IPollFunctions, process: PollingProcess) {
	const { eventName, event, settings } = readEvent(context);
	const budgetMs = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const isFirst = isFirstPoll(context, process, budgetMs < DEFAULT_BUDGET_MS);
	const { logger } = context;
	// No request begins in the last third of the time, and none takes longer than that.
	const third = Math.floor(budgetMs / 3);
	const start = Date.now();
	const time = {
		start,
		isOver: () => Date.now() - start >= 2 * third,
		isHalfOver: () => Date.now() - start >= third,
	};
	const limits = { timeoutMs: third, signal: AbortSignal.timeout(2 * third) };
	const session = await openSession(context, limits);
	throwIfRefused(process, session);
	let hasMemory = false;
	try {
		// IDs and times of another account or event would be misread.
		const source = `${eventName} ${session.account.identity}`;
		const { memory, save } = openMemory(context, process, source);
		hasMemory = memory !== undefined;
		const reader = new ProposalReader(session, memory?.failures ?? new Map(), time.isOver);
		const steps: Poll = { session, event, settings, reader, time };
		// It ends whatever it waits for: as long as it runs, no other poll of the node does.
		const { items, problem, ...outcome } = await Promise.race([
			memory ? findChanges(steps, memory) : recordBaseline(steps, source),
			failAfter(3 * third, session),
		]);
		save(outcome.memory, items.length > 0);
		for (const [id, { message }] of reader.errors) {
			if (!reader.isGivenUp(id)) continue;
			logger.warn(`Portal.io Polling Trigger: proposal ${id} could not be read: ${message}`);
		}
		if (problem === undefined) return items;
		if (items.length === 0) throw problem;
		const { message } = problem;
		logger.warn(`Portal.io Polling Trigger: the rest is left to the next poll: ${message}`);
		return items;
	} catch (error) {
		const failure = explainFailure(process, session, error as Error);
		// n8n would not publish the workflow, and has ended the polls of the version before.
		const isPassing = hasMemory || mayPass(failure) || failure instanceof TooSlowError;
		const isLeft = isFirst && isPassing && !isLasting(failure);
		if (!isLeft) throw toNodeError(session.node, failure);
		const { message } = failure;
		logger.warn(
			`Portal.io Polling Trigger: the first poll failed and is left to the next one: ${message}`,
		);
		return [];
	}
}

function readEvent(context: IPollFunctions) {
	const eventName = context.getNodeParameter('event') as string;
	const event = pollEvents[eventName]!;
	return { eventName, event, settings: readSettings(context, event) };
}

const failAfter = async (ms: number, { node }: Session) =>
	await new Promise<never>((_, reject) => {
		AbortSignal.timeout(ms).addEventListener('abort', () => reject(new TooSlowError(node)));
	});

/**
 * Whether a poll belongs to the publication of the workflow or the start of n8n, which does not say so:
 * the node is not as it was, or its static data are others. A scheduled poll always gets others.
 */
function isFirstPoll(context: IPollFunctions, process: PollingProcess, isScheduled: boolean) {
	const node = JSON.stringify(context.getNode());
	const staticData = context.getWorkflowStaticData('node');
	const last = process.calls.get(ownerOf(context));
	process.calls.set(ownerOf(context), { node, staticData });
	return last?.node !== node || (last.staticData !== staticData && !isScheduled);
}

/** How long a refused login is not repeated: every minute would count against the account. */
const REFUSED_MS = 60 * 60_000;

/** Asks nothing for an account whose login was refused, and throws as for that login. */
function throwIfRefused({ refusals }: PollingProcess, { account, node }: Session): void {
	const refusal = refusals.get(account.fingerprint);
	if (refusal !== undefined && refusal.until > Date.now()) throw toNodeError(node, refusal.error);
}

/** The error that a poll ends with; a refused login is remembered. */
function explainFailure({ refusals }: PollingProcess, session: Session, error: Error): Error {
	if (error instanceof PortalError && error.facts?.cause?.cause === 'credential-invalid') {
		const again = 'Polls log in again when the credential has changed, or after an hour.';
		const until = Date.now() + REFUSED_MS;
		refusals.set(session.account.fingerprint, { until, error: error.with({ advice: [again] }) });
	}
	return session.isStopped ? new TooSlowError(session.node) : error;
}

/** How many of the newest records are searched for one that the event can occur on. */
const SAMPLE_RECORDS = 100;

/** Makes an item of the newest record, with a chosen status if there is one, as if it had just changed. */
async function readSample(context: IPollFunctions): Promise<INodeExecutionData> {
	const { event, settings } = readEvent(context);
	const session = await openSession(context);
	const reader = new ProposalReader(session, new Map(), () => false);
	const previous = { time: 0, state: event.initialState };
	const changesOf = async (listed: ProposalSummary): Promise<ChangedRecord[]> => {
		const readProposal = async () => (await reader.read(listed.id)).proposal;
		const record = event.isDetailed ? await readProposal() : listed;
		return record ? await event.changesOf({ record, previous, readProposal }) : [];
	};
	let other: ChangedRecord | undefined;
	const { records } = await readPage<ProposalSummary>(session, event.lists[0]!, 1, SAMPLE_RECORDS);
	for (let first = 0; first < records.length; first += CONCURRENT_READS) {
		const some = records.slice(first, first + CONCURRENT_READS);
		const changed = (await mapConcurrent(some, CONCURRENT_READS, changesOf)).flat();
		const sample = changed.find((one) => isChosen(one, settings));
		if (sample !== undefined) return await toItem({ event, settings, reader }, sample);
		other ??= changed[0];
	}
	if (other !== undefined) return await toItem({ event, settings, reader }, other);
	const [unreadable] = reader.errors.values();
	if (unreadable !== undefined) throw unreadable;
	throw new NodeOperationError(session.node, 'There is nothing yet to show as a sample', {
		description: `A test run searches the ${SAMPLE_RECORDS} records that were modified last for one that fits the event, and there were ${records.length} of them without one. Once the workflow is published, it starts when there is one.`,
	});
}
