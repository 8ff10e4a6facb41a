import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { isTemporaryError, PortalError } from '../../client/errors';
import { openSession, PUBLISHING_REJECTION_MS } from '../../client/session';
import { toNodeError, runWithNodeErrors } from '../shared/nodeError';
import { findChanges, recordBaseline } from './findChanges';
import { properties } from './description';
import { readSettings } from './pollEvents';
import { hasMemory, openPollMemory, getNodeState, type NodeState } from './pollMemory';
import { TooSlowError } from './proposalReader';
import { readSample } from './sample';

/** Trigger for n8n instances that Portal.io cannot reach, and for events that no webhook subscription delivers. */
export class PortalIoPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Portal.io Polling Trigger',
		name: 'portalIoPollingTrigger',
		icon: { light: 'file:../../icons/portalIo.svg', dark: 'file:../../icons/portalIo.dark.svg' },
		group: ['trigger'],
		version: 1,
		// Show `paymentStatusChanged` as *Payment Status Changed*.
		subtitle:
			'={{ $parameter["event"].replace(/([A-Z])/g, " $1").replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(" Or ", " or ") }}',
		description:
			'Starts the workflow when a proposal, payment, change order, or contact changes. Polls Portal.io, so n8n needs no public URL.',
		defaults: { name: 'Portal.io Polling Trigger' },
		builderHint: {
			searchHint:
				'Polls Portal.io for changes without a webhook: payments, change orders, contacts, and new or updated proposals. Prefer the Portal.io Trigger for status changes of proposals, unless n8n has no public https URL.',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'portalIoApi', required: true }],
		properties,
	};

	async poll(this: IPollFunctions) {
		if (this.getMode() !== 'manual') return await poll(this);
		return await runWithNodeErrors(this, async () => [[await readSample(this)]]);
	}
}

/** Time limit of a poll that was not started by n8n's durable scheduler. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/**
 * Contexts of earlier polls. n8n creates a context when it starts or publishes a workflow, and passes the same one to
 * all polls of that workflow.
 */
const usedContexts = new WeakSet<IPollFunctions>();

/**
 * Returns the changes since the last poll, or null if there are none. The first poll only records a baseline. If a poll
 * reaches its time limit, it returns the changes found so far, and leaves the rest to the next poll.
 */
async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const node = getNodeState(context);
	if (node.isPolling) return null;
	node.isPolling = true;
	const budgetMs = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	// A new context means a first poll, except with the durable scheduler, which creates a context for each poll.
	const isScheduled = budgetMs !== DEFAULT_BUDGET_MS;
	const isFirst = !isScheduled && !usedContexts.has(context);
	usedContexts.add(context);
	try {
		const items = await findItems(context, node, { budgetMs, isScheduled, isFirst });
		node.hasLoggedFailure = false;
		return items.length === 0 ? null : [items];
	} catch (error) {
		node.hasLoggedFailure = isFirst && !shouldThrow(context, node, error);
		if (!node.hasLoggedFailure) throw toNodeError(context.getNode(), error);
		const { message } = error as Error;
		context.logger.warn(
			`Portal.io Polling Trigger: the first poll failed and will be retried: ${message}`,
		);
		return null;
	} finally {
		node.isPolling = false;
	}
}

/**
 * Returns whether a failed first poll should throw. After five such errors, n8n stops polling permanently. So the poll
 * throws only in two cases. In the first case, a user has just published a new workflow, and another try would also
 * fail. The second case is a second failure in a row, because every poll looks like a first poll if the durable
 * scheduler's time limit equals the default.
 */
function shouldThrow(context: IPollFunctions, node: NodeState, error: unknown): boolean {
	if (['init', 'leadershipChange'].includes(context.getActivationMode())) return false;
	const isTemporary = isTemporaryError(error) || error instanceof TooSlowError;
	return node.hasLoggedFailure || (!hasMemory(context, node) && !isTemporary);
}

async function findItems(
	context: IPollFunctions,
	node: NodeState,
	{ budgetMs, isScheduled, isFirst }: { budgetMs: number; isScheduled: boolean; isFirst: boolean },
): Promise<INodeExecutionData[]> {
	const { logger } = context;
	const { memory, save } = openPollMemory(context, node, isScheduled);
	const { eventName, event, settings } = readSettings(context);
	// Finish in time, because the durable scheduler abandons a poll that takes too long, and the next poll would
	// start at the same point. So each request gets a third of the time, and none begins in the last third.
	const requestTimeoutMs = Math.floor(budgetMs / 3);
	const startedAt = Date.now();
	const time = { startedAt, listUntil: startedAt + requestTimeoutMs };
	const session = await openSession(context, {
		timeoutMs: requestTimeoutMs,
		signal: AbortSignal.timeout(2 * requestTimeoutMs),
		rejectionMs: isFirst ? PUBLISHING_REJECTION_MS : REJECTED_MS,
	});
	const source = `${eventName} ${session.account.identity}`;
	const poll = { session, event, settings, time, logger };
	try {
		// Record a new baseline if the account or event has changed, because the IDs and states are then different.
		const result =
			memory?.source === source
				? await findChanges(poll, memory)
				: await recordBaseline(poll, source);
		// Save nothing after the time limit, because the durable scheduler has abandoned this poll and discards its
		// items.
		const isLate = Date.now() - startedAt > budgetMs;
		const items = isLate ? [] : result.items;
		const problem = isLate ? new TooSlowError() : result.problem;
		if (!isLate) save(result.memory, items.length > 0);
		if (problem === undefined) return items;
		if (items.length === 0) throw problem;
		logger.warn(
			`Portal.io Polling Trigger: the rest is left for the next poll: ${problem.message}`,
		);
		return items;
	} catch (error) {
		throw session.isStopped ? new TooSlowError() : adviseAboutLogin(error);
	}
}

/** Time to wait before another login after a rejected one. A login every minute could lock the account. */
const REJECTED_MS = 60 * 60_000;

function adviseAboutLogin(error: unknown): unknown {
	if (!(error instanceof PortalError) || error.facts?.login?.isRejected !== true) return error;
	return error.with({
		advice: [
			'The trigger will retry the login in an hour, or as soon as you publish the workflow or the credential test succeeds.',
		],
	});
}
