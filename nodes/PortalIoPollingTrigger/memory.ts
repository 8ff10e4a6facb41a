/** The memory of a polling trigger between polls: in the static data of its workflow, and in this process. */
import type { IPollFunctions } from 'n8n-workflow';

/** The last version of a record that was compared. */
export interface Version {
	/** When it was modified, or created, by the service's clock, in milliseconds. */
	time: number;
	/** The status, those of its payments or change orders by ID, or a hash; null while none was compared. */
	state: Record<string, string> | string | null;
}

export interface Memory {
	/** The event and the account that this is about; another one gets a new baseline. */
	source: string;
	/** The next poll lists what was modified from here on, by the service's clock. */
	from: number;
	/** The newest modification that was listed, at most the time of the service then. */
	newest: number;
	/** The last compared versions, by the ID of the record. */
	versions: Map<number, Version>;
	/** The IDs of records to compare again although no later version is listed. */
	recheck: Set<number>;
	/** In how many polls in a row a proposal could not be read, by its ID. */
	failures: Map<number, number>;
}

/** The static data of the node. The state is text: in an object, n8n wraps every entry in a proxy. */
interface StaticData {
	/** Without it, a copy of a workflow would report what happened since the last poll of its original. */
	owner?: string;
	/** Grows with each state, so that an older one is recognized. */
	generation?: number;
	state?: string;
}

/** What this process keeps of a node. */
export interface NodeState {
	owner: string;
	/** n8n starts the next poll although one still runs: both would report the same changes. */
	isPolling: boolean;
	/** When its last poll began, by `performance.now()`. */
	polledAt: number;
	/** The newest memory that this process has seen. */
	newest?: { generation: number; state: string };
}

/** By owner. */
export const nodeStates = new Map<string, NodeState>();

/** A little more than a day, because some nodes poll once a day. */
const UNUSED_MS = 25 * 60 * 60_000;

/**
 * Returns what this process keeps of a node. n8n does not tell a polling node that its workflow was
 * unpublished, so each poll drops the states of nodes that have not polled for a day.
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
 * Opens the memory of a node for a poll: what n8n has stored, or what this process has learned since.
 * n8n does not save it after every poll, and an execution whose Code node writes static data puts back
 * what was stored when it began: without the copy in this process, changes would be reported twice.
 */
export function openMemory(context: IPollFunctions, node: NodeState) {
	const stored: StaticData = context.getWorkflowStaticData('node');
	const { owner, generation = 0, state = '' } = stored;
	const isOwn = owner === node.owner;
	if (isOwn && generation > (node.newest?.generation ?? 0)) node.newest = { generation, state };
	const memory = parse(node.newest?.state);
	if (isOwn && memory === undefined) {
		context.logger.warn(
			'Portal.io Polling Trigger: the data of earlier polls cannot be read. Changes are reported from now on.',
		);
	}
	const save = (learned: Memory) => {
		const text = serialize(learned);
		if (node.newest?.state !== text) {
			// The time orders the states of several processes, and the addition those after the clock was set back.
			const later = Math.max(Date.now(), (node.newest?.generation ?? 0) + 1);
			node.newest = { generation: later, state: text };
		}
		if (stored.generation !== node.newest.generation || !isOwn) {
			Object.assign(stored, { owner: node.owner, ...node.newest });
		}
	};
	return { memory, save };
}

/** The entries of maps and sets as arrays, because JSON has neither. */
function serialize({ versions, recheck, failures, ...more }: Memory): string {
	const entries = Array.from(versions, ([id, { time, state }]) => [id, time, state]);
	return JSON.stringify({
		...more,
		versions: entries,
		recheck: [...recheck],
		failures: [...failures],
	});
}

/** Reads a memory from its text; undefined if there is none. */
function parse(text: string | undefined): Memory | undefined {
	try {
		const { versions, recheck, failures, ...more } = JSON.parse(String(text));
		return {
			...more,
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
