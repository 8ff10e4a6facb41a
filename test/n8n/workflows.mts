/** Small workflows for the tests. */
import { randomUUID } from 'node:crypto';
import type { Execution } from '../../testbed/n8n/database.mts';
import type { StoredCredential, StoredWorkflow, WorkflowNode } from '../../testbed/n8n/n8n.mts';
import type { Stage } from '../../testbed/stage.mts';
import type { RecordedRequest } from '../../simulator/index.mts';

const portalIo = 'n8n-nodes-portal-io.portalIo';
const portalIoTrigger = 'n8n-nodes-portal-io.portalIoTrigger';

/** A node without its place in the workflow. */
export type Part = Pick<WorkflowNode, 'name' | 'type' | 'typeVersion' | 'parameters'> &
	Partial<WorkflowNode>;

/** A Portal.io node. */
export function portal(parameters: Record<string, unknown>): Part {
	return { name: 'Portal.io', type: portalIo, typeVersion: 1, parameters };
}

/** A Portal.io Trigger. */
export function portalTrigger(events: string[], options: Record<string, unknown> = {}): Part {
	return {
		name: 'Portal.io Trigger',
		type: portalIoTrigger,
		typeVersion: 2,
		parameters: { events, options },
		webhookId: randomUUID(),
	};
}

/** The parameter of a resource locator with an id. */
export function byId(value: number | string) {
	return { __rl: true, mode: 'id', value };
}

/** Creates a workflow in which each node follows the one before, all with the same credential. */
export async function createChain(
	{ n8n, credential: dealer }: Pick<Stage, 'credential' | 'n8n'>,
	name: string,
	parts: Part[],
	credential: StoredCredential = dealer,
): Promise<StoredWorkflow> {
	const nodes = parts.map((part, index): WorkflowNode => {
		const usesCredential =
			part.type.startsWith(portalIo) || part.parameters.nodeCredentialType === credential.type;
		return {
			id: randomUUID(),
			position: [index * 220, 0],
			...part,
			...(usesCredential && {
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			}),
		};
	});
	const links = nodes
		.slice(1)
		.map((node, index) => [
			nodes[index]!.name,
			{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
		]);
	return await n8n.createWorkflow({ name, nodes, connections: Object.fromEntries(links) });
}

/** Runs nodes once, one after another, as the editor's button does. */
export async function runOnce(
	stage: Stage,
	name: string,
	parts: Part[],
	credential?: StoredCredential,
): Promise<Execution> {
	const start = {
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	};
	const workflow = await createChain(stage, name, [start, ...parts], credential);
	return await stage.n8n.runManually(workflow, start.name);
}

/**
 * Begins to listen: what it gives back answers with the requests that the service got since. The
 * journal itself is not cleared, as the last test searches everything for what was in it.
 */
export function newRequests({ simulator }: Stage): () => readonly RecordedRequest[] {
	const { length } = simulator.control.requests;
	return () => simulator.control.requests.slice(length);
}

/** How many of the requests are key exchanges. */
export function exchangesIn(requests: readonly RecordedRequest[]): number {
	return requests.filter(({ operationId }) => operationId === 'authentication.exchangeKey').length;
}
