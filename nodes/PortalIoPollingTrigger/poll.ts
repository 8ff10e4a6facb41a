import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { openSession } from '../../client/session';
import { recordBaseline } from './baseline';
import { findChanges } from './changes';
import { pollEvents } from './events';
import { readSettings, toItems } from './items';
import { isOutdated, nodeKey, readMemory, saveMemory } from './memory';
import { ProposalReader } from './proposalReader';
import { explainFailure, throwIfRefused } from './refusedLogins';
import { readSample } from './sample';
import type { Poll, PollTime } from './steps';

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
	if (running.has(key) || isOutdated(context)) return null;
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
	const steps: Poll = { session, event, settings, source, reader, time };
	const finding = memory === undefined ? recordBaseline(steps) : findChanges(steps, memory);
	const outcome = await finding.catch((error: Error) => {
		throw explainFailure(session, error);
	});

	saveMemory(context, outcome.memory, outcome.items.length > 0);
	const { logger } = context;
	for (const [id, { message }] of reader.skipped) {
		logger.warn(`Portal.io Polling Trigger: proposal ${id} could not be read: ${message}`);
	}
	const { items, problem } = outcome;
	if (problem === undefined) return items;
	if (items.length === 0) throw explainFailure(session, problem);
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
