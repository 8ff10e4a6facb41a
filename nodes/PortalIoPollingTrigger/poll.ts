import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { isLasting, mayPass, PortalError } from '../../client/errors';
import { openSession, type Session } from '../../client/session';
import { toNodeError } from '../shared/failure';
import { findChanges, recordBaseline, type Poll } from './compare';
import { readSettings } from './events';
import { nodeOf, openMemory, type KnownNodes } from './memory';
import { ProposalReader, TooSlowError } from './reading';

const thisProcess: KnownNodes = new Map();

/**
 * Looks for changes since the last poll; the first one records a baseline and reports nothing. A poll
 * ends within the time limit of n8n, reports what it has and leaves the rest to the next one. Null
 * starts nothing.
 */
export async function poll(
	context: IPollFunctions,
	nodes = thisProcess,
): Promise<INodeExecutionData[][] | null> {
	const node = nodeOf(context, nodes);
	if (node.isPolling) return null;
	node.isPolling = true;
	try {
		const items = await pollOnce(context, node);
		return items.length === 0 ? null : [items];
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	} finally {
		node.isPolling = false;
	}
}

/** The time limit of a poll, unless n8n's durable scheduler runs it. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

async function pollOnce(context: IPollFunctions, node: ReturnType<typeof nodeOf>) {
	const { logger } = context;
	const { eventName, event, settings } = readSettings(context);
	const budgetMs = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const call = {
		node: JSON.stringify(context.getNode()),
		staticData: context.getWorkflowStaticData('node'),
	};
	// n8n does not say which poll belongs to the publication of the workflow or to its own start: the node
	// is not as it was then, or its static data are others. A scheduled poll always gets others.
	const isFirst =
		node.call?.node !== call.node ||
		(node.call.staticData !== call.staticData && budgetMs === DEFAULT_BUDGET_MS);
	node.call = call;
	// No request begins in the last third of the time, and none takes longer than that: as long as a poll
	// runs, no other one of the node does.
	const third = Math.floor(budgetMs / 3);
	const start = Date.now();
	const time = { start, half: start + third, end: start + 2 * third };
	const limits = { timeoutMs: third, signal: AbortSignal.timeout(2 * third) };
	const session = await openSession(context, limits);
	throwIfRefused(session);
	// IDs and times of another account or event would be misread.
	const source = `${eventName} ${session.account.identity}`;
	const { memory, save } = openMemory(context, node, source);
	try {
		const reader = new ProposalReader(session, memory?.failures ?? new Map(), time.end);
		const steps: Poll = { session, event, settings, reader, time };
		const { items, problem, ...outcome } = memory
			? await findChanges(steps, memory)
			: await recordBaseline(steps, source);
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
		const failure = explainFailure(session, error as Error);
		// n8n would not publish the workflow, and has ended the polls of the version before.
		const isPassing = memory !== undefined || mayPass(failure) || failure instanceof TooSlowError;
		if (!isFirst || !isPassing || isLasting(failure)) throw failure;
		const { message } = failure;
		logger.warn(
			`Portal.io Polling Trigger: the first poll failed and is left to the next one: ${message}`,
		);
		return [];
	}
}

/** The time without a login after a refused one: a login every minute would count against the account. */
const REFUSED_MS = 60 * 60_000;

/** Asks nothing for an account whose login was refused, and throws as for that login. */
function throwIfRefused({ state }: Session): void {
	const { refusal } = state;
	if (refusal !== undefined && refusal.until > Date.now()) throw refusal.error;
}

/** The error that a poll ends with; a refused login is remembered. */
function explainFailure({ state, isStopped, node }: Session, error: Error): Error {
	if (error instanceof PortalError && error.facts?.cause?.cause === 'credential-invalid') {
		const again = 'Polls will log in again in an hour, or when the credential changes.';
		const until = Date.now() + REFUSED_MS;
		state.refusal = { until, error: error.with({ advice: [again] }) };
	}
	return isStopped ? new TooSlowError(node) : error;
}
