/** What people do with a workflow that is active, and how to see that it has run. */
import axios from 'axios';
import { until } from './until.mts';
import type { StoredWorkflow } from './n8n/n8n.mts';
import type { Execution } from './n8n/database.mts';
import type { Environment } from './environment.mts';

/** What is filled in: text, several choices as a list, or a file. */
export type Entry = string | string[] | { content: Blob; fileName: string };

/** Where a person finds the form of a workflow that is active. */
export function formUrl({ n8n }: Pick<Environment, 'n8n'>, workflow: StoredWorkflow): string {
	const form = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger')!;
	return `${n8n.url}/form/${form.webhookId}`;
}

/** Fills in the form of a workflow, field by field in the order of the form, and sends it. */
export async function submitForm(
	environment: Environment,
	workflow: StoredWorkflow,
	entries: Entry[],
) {
	const body = new FormData();
	for (const [index, entry] of entries.entries()) {
		const field = `field-${index}`;
		if (typeof entry === 'string') body.append(field, entry);
		// The page of n8n's form sends several choices so.
		else if (Array.isArray(entry)) body.append(field, JSON.stringify(entry));
		else body.append(field, entry.content, entry.fileName);
	}
	await axios.post(formUrl(environment, workflow), body);
}

/** The first execution of a workflow that has ended, however. */
export async function firstFinished({ n8n }: Environment, { id, name }: StoredWorkflow) {
	return await until(
		`an execution of ${name}`,
		(): Execution | undefined =>
			n8n.executions({ workflowId: id }).find(({ stoppedAt }) => stoppedAt !== null),
		120_000,
	);
}
