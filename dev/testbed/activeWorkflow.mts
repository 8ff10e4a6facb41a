/** Uses an active workflow as a person would, and waits until it has run. */
import axios from 'axios';
import { formLogin } from './otherSystems/index.mts';
import { until } from './until.mts';
import type { StoredWorkflow } from './n8n/n8n.mts';
import type { Execution } from './n8n/database.mts';
import type { Environment } from './environment.mts';

export type Entry = string | string[] | { content: Blob; fileName: string };

/** Returns the URL of a published workflow's form or webhook; undefined if it has neither. */
export function entryUrl(
	{ n8n }: Pick<Environment, 'n8n'>,
	{ id, nodes }: StoredWorkflow,
): string | undefined {
	const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	if (form) return `${n8n.url}/form/${form.webhookId}`;
	const webhook = nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
	const path = webhook && String(webhook.parameters.path).replace('{{ $workflow.id }}', id);
	return path && `${n8n.url}/webhook/${path.slice(1)}`;
}

/** Returns the request options of a person's browser, with the login if the form requires it. */
function asPerson({ nodes }: StoredWorkflow) {
	const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger')!;
	const { user: username, password } = formLogin;
	return {
		headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' },
		...(form.parameters.authentication === 'basicAuth' && { auth: { username, password } }),
	};
}

/** Submits a workflow's form, field by field. Returns the title and text of the form's last page. */
export async function submitForm(
	environment: Environment,
	workflow: StoredWorkflow,
	entries: Entry[],
): Promise<string[] | undefined> {
	const body = new FormData();
	for (const [index, entry] of entries.entries()) {
		const field = `field-${index}`;
		if (typeof entry === 'string') body.append(field, entry);
		// Use this format for multiple choices, as n8n's form page does.
		else if (Array.isArray(entry)) body.append(field, JSON.stringify(entry));
		else body.append(field, entry.content, entry.fileName);
	}
	const { data } = await axios.post(entryUrl(environment, workflow)!, body, asPerson(workflow));
	return data.formWaitingUrl && (await lastPage(data.formWaitingUrl));
}

async function lastPage(url: string): Promise<string[] | undefined> {
	const statusUrl = new URL(url);
	statusUrl.pathname += '/n8n-execution-status';
	const status = await until('the end of the form', async () => {
		const { data } = await axios.get(String(statusUrl));
		return ['running', 'new', 'waiting', 'unknown'].includes(data) ? undefined : String(data);
	});
	if (status !== 'form-waiting') return undefined;
	const { data: page } = await axios.get<string>(url);
	await axios.post(url);
	const [, title = '', text = ''] = /<h1>(.*?)<\/h1>\s*<p[^>]*>(.*?)<\/p>/s.exec(page) ?? [];
	const plain = (html: string) => html.replace(/<br ?\/?>/g, '\n').replaceAll('&#x27;', "'");
	return [title, text].map(plain);
}

/**
 * Returns whether an execution has ended with any status. An execution that waits for a form has stopped, but will
 * continue.
 */
export const isFinished = ({ stoppedAt, status }: Execution): boolean =>
	stoppedAt !== null && !['waiting', 'running'].includes(status);

export async function firstFinished({ n8n }: Environment, { id, name }: StoredWorkflow) {
	return await until(`an execution of ${name}`, async () =>
		(await n8n.executions({ workflowId: id })).find(isFinished),
	);
}
