/** What people do with a workflow that is active, and how to see that it has run. */
import axios from 'axios';
import { expect } from 'vitest';
import { until } from '../../demo/n8n.mts';
import type { StoredWorkflow } from '../../demo/n8n.mts';
import type { Execution } from '../../demo/n8nDatabase.mts';
import type { Stage } from '../../demo/stage.mts';

/** What is filled in: text, several choices as a list, or a file. */
export type Entry = string | string[] | { content: Blob; fileName: string };

/** Fills in the form of a workflow, field by field in the order of the form, and sends it. */
export async function submitForm({ n8n }: Stage, workflow: StoredWorkflow, entries: Entry[]) {
	const form = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger')!;
	const body = new FormData();
	for (const [index, entry] of entries.entries()) {
		const field = `field-${index}`;
		if (typeof entry === 'string') body.append(field, entry);
		// The page of n8n's form sends several choices so.
		else if (Array.isArray(entry)) body.append(field, JSON.stringify(entry));
		else body.append(field, entry.content, entry.fileName);
	}
	const { status } = await axios.post(`${n8n.url}/form/${form.webhookId}`, body);
	expect(status).toBe(200);
}

/** The first execution of a workflow that has ended, however. */
export async function firstFinished({ n8n }: Stage, { id, name }: StoredWorkflow) {
	return await until(
		`an execution of ${name}`,
		(): Execution | undefined =>
			n8n.executions({ workflowId: id }).find(({ stoppedAt }) => stoppedAt !== null),
		120_000,
	);
}
