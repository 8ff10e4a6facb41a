import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import type { AccountState } from '../../client/concurrency';
import { isLasting, mayPass, PortalError } from '../../client/errors';
import { openSession, type Session } from '../../client/session';
import { toNodeError, withNodeErrors } from '../shared/failure';
import { findChanges, recordBaseline } from './changes';
import { TooSlowError } from './compare';
import { properties } from './description';
import { readSettings } from './events';
import { nodeOf, openMemory, type KnownNodes } from './memory';
import { readSample } from './sample';

/**
 * Starts a workflow when a poll finds changes: for an n8n that Portal.io cannot reach, and for events
 * that no webhook subscription delivers.
 */
export class PortalIoPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Portal.io Polling Trigger',
		name: 'portalIoPollingTrigger',
		icon: { light: 'file:../../icons/portalIo.svg', dark: 'file:../../icons/portalIo.dark.svg' },
		group: ['trigger'],
		version: 1,
		// The value in words: "payment status changed".
		subtitle:
			'={{ $parameter["event"].replace(/([A-Z])/g, " $1").replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(" Or ", " or ") }}',
		description: 'Starts the workflow when a change is found in Portal.io, such as a payment',
		defaults: { name: 'Portal.io Polling Trigger' },
		builderHint: {
			searchHint:
				'Polls Portal.io for changes without a webhook: payments, change orders, contacts, new or updated proposals. Prefer the Portal.io Trigger for status changes of proposals, unless n8n has no public https address.',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'portalIoApi', required: true }],
		properties,
	};

	async poll(this: IPollFunctions) {
		if (this.getMode() !== 'manual') return await poll(this);
		return await withNodeErrors(this, async () => [[await readSample(this)]]);
	}
}

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
	const time = { start, half: start + third };
	const session = await openSession(context, {
		timeoutMs: third,
		signal: AbortSignal.timeout(2 * third),
	});
	const { refusal } = session.state;
	if (refusal !== undefined && !mayLogIn(refusal, session, isFirst)) throw refusal.error;
	// IDs and times of another account or event would be misread.
	const source = `${eventName} ${session.account.identity}`;
	const { memory, save } = openMemory(context, node, source);
	try {
		const poll = { session, event, settings, time, logger };
		const { items, problem, ...outcome } = memory
			? await findChanges(poll, memory)
			: await recordBaseline(poll, source);
		save(outcome.memory, items.length > 0);
		if (problem === undefined) return items;
		if (items.length === 0) throw problem;
		const { message } = problem;
		logger.warn(`Portal.io Polling Trigger: the next poll continues: ${message}`);
		return items;
	} catch (error) {
		const failure = explainFailure(session, error as Error);
		// n8n would not publish the workflow, and has ended the polls of the version before.
		const isPassing = memory !== undefined || mayPass(failure) || failure instanceof TooSlowError;
		if (!isFirst || !isPassing || isLasting(failure)) throw failure;
		const { message } = failure;
		logger.warn(
			`Portal.io Polling Trigger: the first poll failed; the next one tries again: ${message}`,
		);
		return [];
	}
}

/** Polls do not repeat a rejected login for an hour: one every minute could lock the account. */
const REJECTED_MS = 60 * 60_000;
/** Publishing tries it once, although n8n repeats a failed first poll four times within 15 seconds. */
const REJECTED_AT_PUBLISHING_MS = 60_000;

/** Whether a poll tries a rejected login again. Another n8n process may have logged in since. */
function mayLogIn(
	refusal: NonNullable<AccountState['refusal']>,
	{ account }: Session,
	isFirst: boolean,
): boolean {
	const wait = isFirst ? REJECTED_AT_PUBLISHING_MS : REJECTED_MS;
	return performance.now() - refusal.at >= wait || refusal.userApiKey !== account.userApiKey;
}

/** The error that a poll ends with; a rejected login is remembered. */
function explainFailure({ state, account, isStopped, node }: Session, error: Error): Error {
	if (error instanceof PortalError && error.facts?.login?.isRejected) {
		const again =
			'Polls log in again in an hour, or as soon as you publish the workflow or the test of the credential succeeds.';
		const { userApiKey } = account;
		state.refusal = { error: error.with({ advice: [again] }), at: performance.now(), userApiKey };
	}
	return isStopped ? new TooSlowError(node) : error;
}
