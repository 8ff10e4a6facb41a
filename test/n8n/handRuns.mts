/** Runs small workflows by hand, and looks at executions and at the requests that they cause. */
import type { Execution } from '../../dev/testbed/n8n/database.mts';
import { isFinished } from '../../dev/testbed/activeWorkflow.mts';
import type { StoredCredential, StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import { createChain, manualStart, type Part } from '../../dev/testbed/workflowBuilder.mts';
import type { RecordedRequest } from '../../dev/simulator/index.mts';

/** n8n ignores what a manual trigger is said to put out. */
const webhookStart: Part = {
	name: 'Start',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	parameters: { path: 'by-hand', options: {} },
	webhookId: 'by-hand',
};

/** Runs nodes once, one after another, as the editor's button does; with one empty record by default. */
export async function runOnce(
	{ n8n, credential: dealer }: Environment,
	parts: Part[],
	{ credential = dealer, input }: { credential?: StoredCredential; input?: object[] } = {},
): Promise<Execution> {
	const start = input ? webhookStart : manualStart;
	const workflow = await createChain({ n8n, credential }, 'By hand', [start, ...parts]);
	return await n8n.runManually(workflow, start.name, input);
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
