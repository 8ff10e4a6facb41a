import {
	NodeApiError,
	NodeOperationError,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { TooSlowError } from './modifiedRecords';
import { openSession, type Session } from '../../client/session';
import { recordBaseline } from './baseline';
import type { Poll, PollTime } from './candidates';
import { findChanges } from './changes';
import { pollEvents } from './events';
import { readSettings, toItems } from './items';
import { nodeKey, readMemory, saveMemory } from './memory';
import { ProposalReader } from './proposalReader';
import { readSample } from './sample';

/** The polls that are running, by node: n8n starts the next one although one still runs. */
const running = new Set<string>();

/**
 * Looks for changes since the last poll.
 *
 * The first poll records a baseline and reports nothing; each later one reports what has changed since.
 * A poll ends in the time that n8n gives it, reports what it has and leaves the rest to the next one.
 *
 * @returns null when there is nothing to report, so that n8n starts nothing
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return [await showSample(context)];
	const key = nodeKey(context);
	if (running.has(key)) return null;
	running.add(key);
	try {
		const items = await pollOnce(context);
		return items.length === 0 ? null : [items];
	} finally {
		running.delete(key);
	}
}

/** A test run in the editor: it leaves the memory alone. */
async function showSample(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const { event, settings } = readEvent(context);
	const session = await openSession(context);
	const reader = new ProposalReader(session);
	const sample = await readSample(session, reader, event, settings);
	return await toItems(reader, event, settings, [sample]);
}

async function pollOnce(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const { eventName, event, settings } = readEvent(context);
	const { time, limits } = planTime(context);
	const session = await openSession(context, limits);
	throwIfRefused(session);
	// IDs and times of another account or event would be misread.
	const source = `${eventName} ${session.identity}`;
	const memory = readMemory(context, source);
	const reader = new ProposalReader(session, memory?.failures, time.isOver);
	const { logger } = context;
	const steps: Poll = { session, event, settings, source, reader, time, logger };
	const finding = memory === undefined ? recordBaseline(steps) : findChanges(steps, memory);
	const outcome = await finding.catch((error: Error) => {
		throw explain(session, error);
	});

	saveMemory(context, outcome.memory, outcome.items.length > 0);
	for (const [id, { message }] of reader.skipped) {
		logger.warn(`Portal.io Polling Trigger: proposal ${id} could not be read: ${message}`);
	}
	const { items, problem } = outcome;
	if (problem === undefined) return items;
	if (items.length === 0) throw explain(session, problem);
	logger.warn(`Portal.io Polling Trigger: the rest is left to the next poll: ${problem.message}`);
	return items;
}

function readEvent(context: IPollFunctions) {
	const eventName = context.getNodeParameter('event') as string;
	const event = pollEvents[eventName]!;
	return { eventName, event, settings: readSettings(context, event) };
}

/** What n8n gives a poll unless its durable scheduler runs it, and all that older ones say. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/** Divides the time of a poll: no request begins in the last third, and none takes longer than that. */
function planTime(context: IPollFunctions) {
	const third = ((context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS) / 3;
	const start = Date.now();
	const time: PollTime = {
		start,
		isOver: () => Date.now() - start >= 2 * third,
		isHalfOver: () => Date.now() - start >= third,
	};
	return { time, limits: { timeoutMs: third, signal: AbortSignal.timeout(2 * third) } };
}

/** How long a refused login is not repeated: every minute would count against the account. */
const REFUSED_MS = 60 * 60_000;

/** The refused logins, by account ID, which is another one when the credential has changed. */
const refused = new Map<string, { until: number; message: string; description: string }>();

function throwIfRefused({ accountId, node }: Session): void {
	const refusal = refused.get(accountId);
	if (refusal === undefined) return;
	if (refusal.until <= Date.now()) return void refused.delete(accountId);
	const { message, description } = refusal;
	const error = new NodeApiError(node, {}, { message, description, httpCode: '401' });
	error.failure = { cause: 'credential-invalid' };
	throw error;
}

/** The error that a poll ends with; a refused login is remembered. */
function explain(session: Session, error: Error): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError && error.failure?.cause === 'credential-invalid') {
		const { message } = error;
		const description = `${error.description ?? ''}\nPolls log in again when the credential has changed, or after an hour.`;
		refused.set(session.accountId, { until: Date.now() + REFUSED_MS, message, description });
	}
	if (session.isStopped) return new TooSlowError(session);
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const { message, description } = error as NodeOperationError;
	return new NodeOperationError(session.node, message, { description: description ?? undefined });
}
