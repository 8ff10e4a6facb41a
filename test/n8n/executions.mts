/** Runs small workflows manually, and reads the executions and requests that result. */
import { openSqlite, type Execution } from '../../dev/testbed/n8n/database.mts';
import { isFinished } from '../../dev/testbed/activeWorkflow.mts';
import { until } from '../../dev/testbed/until.mts';
import type { StoredCredential, StoredWorkflow, Workflow } from '../../dev/testbed/n8n/n8n.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import {
	createChain,
	manualStart,
	webhook,
	type Part,
} from '../../dev/testbed/workflowBuilder.mts';
import type { RecordedRequest } from '../../dev/simulator/index.mts';

/** Runs nodes once, in order, as *Execute workflow* does in the editor. The default input is one empty item. */
export async function runOnce(
	{ n8n, credential: dealer }: Environment,
	parts: Part[],
	{ credential = dealer, input }: { credential?: StoredCredential; input?: object[] } = {},
): Promise<Execution> {
	// If there is input, start with a webhook, because n8n ignores the output that a request contains for a manual
	// trigger.
	const start = input ? webhook() : manualStart;
	const workflow = await createChain({ n8n, credential }, 'By hand', [start, ...parts]);
	return await n8n.runManually(workflow, start.name, input);
}

/**
 * Returns a function that reads the requests that the service has received since this call. Does not clear the log,
 * because each file ends with a search for secrets in the log.
 */
export function newRequests({ simulator }: Environment): () => readonly RecordedRequest[] {
	const { length } = simulator.control.requests;
	return () => simulator.control.requests.slice(length);
}

/** Imports a copy of a workflow with the original's static data, as `n8n import:workflow` does. */
export async function importCopy(
	{ n8n }: Environment,
	{ id }: StoredWorkflow,
	changes: Partial<Workflow> = {},
) {
	const original = await n8n.rest<Workflow & { staticData: object }>('GET', `/workflows/${id}`);
	const { nodes, connections, staticData } = original;
	const copy = await n8n.createWorkflow({ name: 'A copy', nodes, connections, ...changes });
	const database = openSqlite(n8n.folder);
	database
		.prepare('UPDATE workflow_entity SET staticData = ? WHERE id = ?')
		.run(JSON.stringify(staticData), copy.id);
	database.close();
	return { copy, staticData };
}

/** Returns the workflow's ended executions, oldest first, with any status. */
export async function finishedExecutions(
	{ n8n }: Environment,
	{ id: workflowId }: StoredWorkflow,
): Promise<Execution[]> {
	return (await n8n.executions({ workflowId })).filter(isFinished);
}

/** Returns a function that waits for the workflow's next execution to end. */
export async function nextExecution(environment: Environment, workflow: StoredWorkflow) {
	const { length } = await finishedExecutions(environment, workflow);
	return async () =>
		await until(
			'the execution',
			async () => (await finishedExecutions(environment, workflow))[length],
		);
}
