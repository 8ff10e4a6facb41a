/** What the tests of the templates do with the jobs of *Once per Proposal*. */
import { expect } from 'vitest';
import type { Execution } from '../../../testbed/n8n/database.mts';
import type { StoredWorkflow } from '../../../testbed/n8n/n8n.mts';
import type { Stage } from '../../../testbed/stage.mts';
import { changeRows } from '../../../testbed/tableSteps.mts';
import { until } from '../../../testbed/until.mts';

/** Lets time pass for the jobs that are started, until they count as abandoned. */
export async function abandonJobs(stage: Stage, job: string): Promise<void> {
	const claimedAt = new Date(Date.now() - 16 * 60_000).toISOString();
	await changeRows(stage, 'portal_jobs', { job, state: 'started' }, { claimedAt });
}

/** The rows of a job, oldest first. */
export async function jobRows({ n8n }: Stage, job: string) {
	return (await n8n.dataTableRows('portal_jobs')).filter((row) => row.job === job);
}

/** Runs the hourly check of a template, which makes good what was left undone. */
export async function checkNow({ n8n }: Stage, workflow: StoredWorkflow): Promise<Execution> {
	const execution = await n8n.runManually(workflow, 'Every Hour');
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

/** Waits until no execution of a workflow is under way; those that were so far must have succeeded. */
export async function allDone({ n8n }: Stage, workflow: StoredWorkflow): Promise<void> {
	await until('all executions to end', () => {
		const all = n8n.executions({ workflowId: workflow.id });
		return all.every(({ stoppedAt }) => stoppedAt !== null) || undefined;
	});
}
