/** Keeps the memory of a polling trigger between polls, in the static data of its workflow and in this process. */
import type { IPollFunctions } from 'n8n-workflow';

/** A version of a record, as a poll compared it. */
export interface Version {
	/** The time of its modification or creation in milliseconds on Portal.io's clock. */
	time: number;
	/** A status, the statuses of payments or change orders by ID, or a hash; null before the first comparison. */
	state: Record<string, string> | string | null;
}

export interface PollMemory {
	/** The event and the account. Another event or account gets a new baseline. */
	source: string;
	/** The next poll lists modifications since this time on Portal.io's clock. */
	from: number;
	/** The time of the newest listed modification, which is never later than that poll. */
	newest: number;
	/** The previous versions, by the ID of the record. */
	versions: Map<number, Version>;
	/** The IDs of records to compare again even if no list returns a later version. */
	recheck: Set<number>;
	/** The number of polls in a row that could not read a proposal, by its ID. */
	failures: Map<number, number>;
}

/** The static data of the node. The state is text, because n8n wraps every entry of an object in a proxy. */
interface StaticData {
	/** A copied workflow has the static data of its original, whose changes it must not report again. */
	owner?: string;
	/** The number grows with each state, so an older state can be recognized. */
	generation?: number;
	state?: string;
}

/** The state of a node in this process. */
export interface NodeState {
	owner: string;
	/** n8n may start the next poll while this one runs, and both would report the same changes. */
	isPolling: boolean;
	/** The start of the last poll by `performance.now()`. */
	polledAt: number;
	/** The newest memory that this process has seen. */
	newest?: { generation: number; state: string };
}

export const nodeStates = new Map<string, NodeState>();

/** Some nodes poll once a day, and must keep their state. */
const UNUSED_MS = 25 * 60 * 60_000;

/**
 * Returns the state of a node. n8n does not tell a polling node that its workflow was unpublished, so
 * each poll drops the states of nodes that have not polled for a day.
 */
export function stateOfNode(context: IPollFunctions): NodeState {
	const now = performance.now();
	for (const [owner, { polledAt }] of nodeStates) {
		if (now - polledAt > UNUSED_MS) nodeStates.delete(owner);
	}
	const owner = `${context.getInstanceId()} ${context.getWorkflow().id} ${context.getNode().id}`;
	const node = nodeStates.get(owner) ?? { owner, isPolling: false, polledAt: now };
	node.polledAt = now;
	nodeStates.set(owner, node);
	return node;
}

/**
 * Opens the stored memory of a node, or the newer memory of this process. The stored memory alone would
 * report changes twice: n8n does not save static data after every poll, and an execution whose Code node
 * writes static data overwrites them with the values from its start.
 */
export function openPollMemory(context: IPollFunctions, node: NodeState) {
	const stored: StaticData = context.getWorkflowStaticData('node');
	const { owner, generation = 0, state = '' } = stored;
	const isOwn = owner === node.owner;
	if (isOwn && generation > (node.newest?.generation ?? 0)) node.newest = { generation, state };
	const memory = parseMemory(node.newest?.state);
	if (isOwn && memory === undefined) {
		context.logger.warn(
			'Portal.io Polling Trigger: the data of earlier polls cannot be read. Changes are reported from now on.',
		);
	}
	const save = (newMemory: PollMemory) => {
		const text = serializeMemory(newMemory);
		if (node.newest?.state !== text) {
			// The time orders the states of several processes; adding 1 keeps the order if the clock is set back.
			const next = Math.max(Date.now(), (node.newest?.generation ?? 0) + 1);
			node.newest = { generation: next, state: text };
		}
		if (stored.generation !== node.newest.generation || !isOwn) {
			Object.assign(stored, { owner: node.owner, ...node.newest });
		}
	};
	return { memory, save };
}

/** Writes maps and sets as arrays, because JSON has neither. */
function serializeMemory({ versions, recheck, failures, ...rest }: PollMemory): string {
	const entries = Array.from(versions, ([id, { time, state }]) => [id, time, state]);
	return JSON.stringify({
		...rest,
		versions: entries,
		recheck: [...recheck],
		failures: [...failures],
	});
}

function parseMemory(text: string | undefined): PollMemory | undefined {
	try {
		const { versions, recheck, failures, ...rest } = JSON.parse(String(text));
		return {
			...rest,
			versions: new Map(
				versions.map(([id, time, state]: [number, number, Version['state']]) => [
					id,
					{ time, state },
				]),
			),
			recheck: new Set(recheck),
			failures: new Map(failures),
		};
	} catch {
		return undefined;
	}
}
