/** Keeps what a polling trigger has seen, in the static data of its workflow and in this process. */
import type { IPollFunctions } from 'n8n-workflow';

export interface Version {
	/** Time of its modification or creation in milliseconds on Portal.io's clock. */
	time: number;
	/** Status, statuses of payments or change orders by ID, or hash; null if no poll has read it. */
	state: Record<string, string> | string | null;
}

export interface PollMemory {
	/** Event and account. Another event or account gets a new baseline. */
	source: string;
	/** Time on Portal.io's clock from which the next poll lists modifications. */
	since: number;
	/** Time of the newest listed modification, never later than the start of that poll. */
	newest: number;
	/** Previous versions, by the ID of the record. */
	seen: Map<number, Version>;
	/** IDs of records to compare again even if no list shows a later version. */
	pending: Set<number>;
}

interface SavedState {
	/** Time of saving, which is later in each state, so an older state can be recognized. */
	savedAt: number;
	/** Memory as text, because n8n wraps every entry of an object in a proxy. */
	state: string;
}

interface StaticData extends Partial<SavedState> {
	/**
	 * Instance, workflow, and node. A copied workflow also copies the static data, but must not report the original's
	 * changes.
	 */
	owner?: string;
}

/** What this process knows of a node beyond what n8n has stored. */
export interface NodeState {
	owner: string;
	/** True during a poll. n8n can start the next poll before this one ends, and both would report the same changes. */
	isPolling: boolean;
	/** Start of the last poll by `performance.now()`. */
	polledAt: number;
	/** True if the last poll failed, and the failure was only logged. */
	hasLoggedFailure: boolean;
	/** Newest state after a poll without a result, which n8n cannot discard. */
	acceptedState?: SavedState;
	/** Newest state after a poll with a result, which n8n can discard, and the name of the node in that poll. */
	offeredState?: SavedState & { nodeName: string };
}

export const nodeStates = new Map<string, NodeState>();

/** Time after which a state is dropped. Nodes that poll once a day must keep theirs. */
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
 * Opens the memory of a node. Uses the newest of what n8n has stored and what polls without a result have added, which
 * n8n does not always save. A result that n8n discarded is not included, so the next poll finds the changes again.
 *
 * With the durable scheduler, also uses the state after the last result, because an execution whose Code node writes
 * static data might have overwritten the stored state with an older one.
 */
export function openPollMemory(context: IPollFunctions, node: NodeState, isScheduled: boolean) {
	const stored: StaticData = context.getWorkflowStaticData('node');
	const isOwn = stored.owner === node.owner;
	const nodeName = context.getNode().name;
	// Forget the state after a result, because n8n has stored it unless it discarded the result. Keep it if the node
	// was renamed, because n8n stores static data by name.
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
