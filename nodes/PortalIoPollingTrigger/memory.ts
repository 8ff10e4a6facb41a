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
	/** The last known versions, by the ID of the record. */
	known: Map<number, Version>;
	/** The IDs of records to compare again although no later version is listed. */
	recheck: Set<number>;
	/** In how many polls in a row a proposal could not be read, by its ID. */
	failures: Map<number, number>;
}

/** The number of remembered records, those modified last, in up to about 450 kB. */
export const KNOWN_RECORDS = 5000;

/** Changes with the form of the static data, or with what a value of them means. */
const FORMAT = 1;

/** The static data of the node. The state is text: in an object, n8n wraps every entry in a proxy. */
interface StaticData {
	format?: number;
	/** The owner of the memory: a copy of a workflow contains that of the original. */
	owner?: string;
	/** Grows with each state, so that an older one is recognized. */
	generation?: number;
	state?: string;
}

interface KnownNode {
	owner: string;
	/** n8n starts the next poll although one still runs. */
	isPolling: boolean;
	/** When its last poll began, by `performance.now()`. */
	polledAt: number;
	/** The newest state that this process knows. */
	newest?: { generation: number; state: string };
	/**
	 * The last poll that handed over items, until n8n is known to have saved its state: the generation
	 * that it was given, the state that it began with, its time, and the other static data then.
	 */
	handedOver?: { given: number; state: string; at: number; others: string };
	call?: { node: string; staticData: object };
}
/** By owner. */
export type KnownNodes = Map<string, KnownNode>;

/** A little more than a day, because some nodes poll once a day. */
const UNUSED_MS = 25 * 60 * 60_000;

/**
 * The state of a node in this process. n8n does not tell a polling node that its workflow was unpublished,
 * so each poll drops the states of nodes that have not polled for a day.
 */
export function nodeOf(context: IPollFunctions, nodes: KnownNodes): KnownNode {
	const now = performance.now();
	for (const [owner, { polledAt }] of nodes) if (now - polledAt > UNUSED_MS) nodes.delete(owner);
	const owner = `${context.getInstanceId()} ${context.getWorkflow().id} ${context.getNode().id}`;
	const node = nodes.get(owner) ?? { owner, isPolling: false, polledAt: now };
	node.polledAt = now;
	nodes.set(owner, node);
	return node;
}

/** How long n8n may take to save the result of a poll; polls are a minute apart. */
const SAVING_MS = 30_000;

/**
 * Opens the memory of a node for a poll, if it is about the source: what n8n gives, or what this process
 * has learned since. n8n saves static data when a poll hands over items, its durable scheduler gives a
 * poll what is in the database, and executions of the workflow may have put an older state there.
 */
export function openMemory(context: IPollFunctions, node: KnownNode, source: string) {
	const { owner } = node;
	const stored: StaticData = context.getWorkflowStaticData('node');
	const isOwn = stored.format === FORMAT && stored.owner === owner;
	const given = isOwn ? (stored.generation ?? 0) : 0;
	/** The static data that all nodes of the workflow share. */
	const others = JSON.stringify(context.getWorkflowStaticData('global'));
	const newest = newestState(node, given, others);
	const last = newest?.state ?? (isOwn ? stored.state : undefined);
	const memory = parse(last);
	const isCopy = stored.owner !== undefined && stored.owner !== owner;
	if (memory === undefined && !isCopy && Object.keys(stored).length > 0) {
		context.logger.warn(
			'Portal.io Polling Trigger: the data of earlier polls cannot be read. Changes are reported from now on.',
		);
	}
	const save = ({ known, recheck, failures, ...more }: Memory, handsOver: boolean) => {
		const versions: unknown[] = [];
		for (const [id, { time, state }] of known) versions.push([id, time, state]);
		const state = JSON.stringify({
			...more,
			...{ known: versions, recheck: [...recheck], failures: [...failures] },
		});
		if (last === state) return;
		const at = Date.now();
		const generation = Math.max((newest?.generation ?? given) + 1, at);
		node.newest = { generation, state };
		if (handsOver) node.handedOver = { given, state: String(last), at, others };
		// Whether n8n has saved the result shows in the state that n8n passes to the next poll.
		else if (node.handedOver !== undefined) return;
		for (const name of Object.keys(stored)) delete stored[name as keyof StaticData];
		Object.assign(stored, { format: FORMAT, owner, generation, state });
	};
	return { memory: memory?.source === source ? memory : undefined, save };
}

/** The newer state of this process; undefined if the state from n8n counts. */
function newestState(node: KnownNode, given: number, others: string): KnownNode['newest'] {
	// n8n has saved something since.
	if (node.handedOver?.given !== given) node.handedOver = undefined;
	const { newest, handedOver } = node;
	if (newest === undefined || newest.generation <= given) return undefined;
	if (handedOver === undefined || Date.now() - handedOver.at < SAVING_MS) return newest;
	// n8n saves all static data of a workflow at once: if others have changed, an execution has brought
	// back an older state. Otherwise n8n has not taken the items, and they are found again.
	if (handedOver.others !== others) return newest;
	node.handedOver = undefined;
	return (node.newest = { generation: newest.generation, state: handedOver.state });
}

/** Reads a memory from its text; undefined if there is none. */
function parse(text: string | undefined): Memory | undefined {
	try {
		const { known, recheck, failures, ...more } = JSON.parse(String(text));
		const versions: Memory['known'] = new Map();
		for (const [id, time, state] of known) versions.set(id, { time, state });
		return {
			...more,
			...{ known: versions, recheck: new Set(recheck), failures: new Map(failures) },
		};
	} catch {
		return undefined;
	}
}
