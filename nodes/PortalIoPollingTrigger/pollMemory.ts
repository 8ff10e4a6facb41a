/** Keeps what a polling trigger has seen, in the static data of its workflow and in this process. */
import type { IPollFunctions } from 'n8n-workflow';

export interface Version {
	/** Time when the record was modified or created, in milliseconds by Portal.io's clock. */
	time: number;
	/**
	 * Status of the record, statuses of its payments or change orders by ID, or hash of its output; null if no poll has
	 * read it, or if the event does not need it.
	 */
	state: Record<string, string> | string | null;
}

export interface PollMemory {
	/** Event and account. If either changes, the node needs a new baseline. */
	source: string;
	/** Time by Portal.io's clock from which the next poll lists modifications. */
	since: number;
	/** Time of the newest listed modification, but not later than the start of the poll that listed it. */
	newest: number;
	/** Previous versions, by record ID. */
	seen: Map<number, Version>;
	/** IDs of records to compare again even if no list shows a later version. */
	pending: Set<number>;
}

interface SavedState {
	/**
	 * Time when the state was saved. It is always later than that of the previous state, so an older state can be
	 * recognized.
	 */
	savedAt: number;
	/** Memory as JSON text, because n8n wraps every entry of an object in a proxy. */
	state: string;
}

interface StaticData extends Partial<SavedState> {
	/**
	 * n8n instance, workflow, and node. A copy of a workflow also contains the static data, but must not report the
	 * original's changes.
	 */
	owner?: string;
}

/** What this process knows about a node, in addition to what n8n has stored. */
export interface NodeState {
	owner: string;
	/**
	 * True during a poll. If n8n starts another poll before this one ends, the other poll returns nothing, because both
	 * would report the same changes.
	 */
	isPolling: boolean;
	/** Start time of the last poll, by `performance.now()`. */
	polledAt: number;
	/** True if the last poll failed, and the failure was only logged. */
	hasLoggedFailure: boolean;
	/**
	 * Newest state after a poll without a result. It is always valid, because there was nothing that n8n could discard.
	 */
	acceptedState?: SavedState;
	/**
	 * Newest state after a poll with a result, and the name of the node in that poll. It is not valid if n8n discarded
	 * the result.
	 */
	offeredState?: SavedState & { nodeName: string };
}

export const nodeStates = new Map<string, NodeState>();

/** Time after which a state is dropped. It is longer than a day, because a node can poll once a day. */
const UNUSED_MS = 25 * 60 * 60_000;

/**
 * Returns the state of a node. Drops the states of nodes that have not polled for a day, because n8n does not tell a
 * polling node that its workflow was unpublished.
 */
export function getNodeState(context: IPollFunctions): NodeState {
	const now = performance.now();
	for (const [owner, { polledAt }] of nodeStates) {
		if (now - polledAt > UNUSED_MS) nodeStates.delete(owner);
	}
	const owner = `${context.getInstanceId()} ${context.getWorkflow().id} ${context.getNode().id}`;
	const node = nodeStates.get(owner) ?? {
		owner,
		isPolling: false,
		polledAt: now,
		hasLoggedFailure: false,
	};
	node.polledAt = now;
	nodeStates.set(owner, node);
	return node;
}

/** Returns whether the node has polled before, for any event and account. */
export const hasMemory = (
	context: IPollFunctions,
	{ owner, acceptedState: accepted }: NodeState,
): boolean => accepted !== undefined || context.getWorkflowStaticData('node').owner === owner;

/**
 * Opens the memory of a node. Uses the state that n8n has stored, or the state after the last poll without a result if
 * that is newer, because n8n does not always save it. Ignores the state after a result that n8n discarded, so the next
 * poll finds its changes again.
 *
 * With the durable scheduler, the state after the last poll with a result also counts, because an execution whose Code
 * node writes static data might have overwritten the stored state with an older one.
 */
export function openPollMemory(context: IPollFunctions, node: NodeState, isScheduled: boolean) {
	const stored: StaticData = context.getWorkflowStaticData('node');
	const isOwn = stored.owner === node.owner;
	const nodeName = context.getNode().name;
	// Forget the state after a poll with a result, because n8n has stored that state unless it discarded the result.
	// Keep the state if the node was renamed, because n8n stores static data by the node's name.
	if (!isScheduled && node.offeredState?.nodeName === nodeName) node.offeredState = undefined;
	let newest: SavedState | undefined;
	if (isOwn) newest = { savedAt: stored.savedAt ?? 0, state: stored.state ?? '' };
	for (const known of [node.acceptedState, node.offeredState]) {
		if (known !== undefined && known.savedAt > (newest?.savedAt ?? -1)) newest = known;
	}
	const isFromOffered = newest !== undefined && newest === node.offeredState;
	const memory = parseMemory(newest?.state);
	if (newest !== undefined && memory === undefined) {
		context.logger.warn(
			'Portal.io Polling Trigger: the data of earlier polls cannot be read. Changes are reported from now on.',
		);
	}
	const save = (newMemory: PollMemory, hasResult: boolean) => {
		const state = serializeMemory(newMemory);
		if (newest?.state !== state) {
			// Order the states of several processes by time. Add 1, so the order is right even if the clock was set
			// back.
			newest = { savedAt: Math.max(Date.now(), (newest?.savedAt ?? 0) + 1), state };
		}
		if (hasResult || isFromOffered) node.offeredState = { ...newest, nodeName };
		else node.acceptedState = newest;
		if (stored.savedAt !== newest.savedAt || !isOwn) {
			Object.assign(stored, { owner: node.owner, savedAt: newest.savedAt, state });
		}
	};
	return { memory, save };
}

function serializeMemory({ seen, pending, ...rest }: PollMemory): string {
	const versions = Array.from(seen, ([id, { time, state }]) => [id, time, state]);
	return JSON.stringify({ ...rest, seen: versions, pending: [...pending] });
}

function parseMemory(text: string | undefined): PollMemory | undefined {
	try {
		const { seen, pending, ...rest } = JSON.parse(String(text));
		const versions = seen.map(
			([id, time, state]: [number, number, Version['state']]) => [id, { time, state }] as const,
		);
		return { ...rest, seen: new Map(versions), pending: new Set(pending) };
	} catch {
		return undefined;
	}
}
