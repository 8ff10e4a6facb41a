/** Runs small workflows by hand, and looks at executions and at the requests that they cause. */
import type { Execution } from '../../dev/testbed/n8n/database.mts';
import { isFinished } from '../../dev/testbed/activeWorkflow.mts';
import type { StoredCredential, StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import { createChain, manualStart, type Part } from '../../dev/testbed/workflowBuilder.mts';
import type { RecordedRequest } from '../../dev/simulator/index.mts';

/** Runs nodes once, one after another, as the editor's button does. */
export async function runOnce(
	{ n8n, credential: dealer }: Environment,
	name: string,
	parts: Part[],
	credential: StoredCredential = dealer,
): Promise<Execution> {
	const workflow = await createChain({ n8n, credential }, name, [manualStart, ...parts]);
	return await n8n.runManually(workflow, manualStart.name);
}

/**
 * Starts to listen; the returned function gives the requests that the service has received since.
 * The journal itself is not cleared, as each file ends with a search for the secrets in it.
 */
export function newRequests({ simulator }: Environment): () => readonly RecordedRequest[] {
	const { length } = simulator.control.requests;
	return () => simulator.control.requests.slice(length);
}

/** The executions of a workflow that have ended, however; the oldest first. */
export async function finishedExecutions(
	{ n8n }: Environment,
	{ id: workflowId }: StoredWorkflow,
): Promise<Execution[]> {
	return (await n8n.executions({ workflowId })).filter(isFinished);
}
