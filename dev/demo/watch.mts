/** What a person sees while the demo stays: where to look, and what n8n does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { seed } from '../simulator/index.mts';
import { formUrl, isFinished } from '../testbed/activeWorkflow.mts';
import { owner } from '../testbed/n8n/n8n.mts';
import type { Execution, Item } from '../testbed/n8n/database.mts';
import { fromRoot } from '../testbed/paths.mts';
import type { Cluster } from '../testbed/queue/cluster.mts';
import { credentialData, RECORDINGS, type Environment } from '../testbed/environment.mts';

/**
 * The text that says what there is and what to do with it.
 *
 * @param published the names of the workflows that are published
 * @param recording the path of a recording, if one was made
 */
export function invite(environment: Environment, published: string[], recording?: string): string {
	const { n8n, cluster, simulator, tables, scheduleSeconds } = environment;
	const { number, name } = simulator.control.proposal(seed.proposals.submitted);
	const paid = simulator.control.proposal(seed.proposals.accepted);
	return `
The demo is running.

  n8n's editor             ${n8n.url}
    Email                  ${owner.email}
    Password               ${owner.password}
  The client's page        ${simulator.url}/customer (with the drafts)
  Files of the workflows   ${fromRoot(n8n.filesFolder)}/${cluster ? describeCluster(cluster) : ''}

The other systems, simulated too, each with a page of what the workflows have written there:

${listSystems(environment)}

The workflows, each opened in n8n by its link:

${listWorkflows(environment, published)}

All of them have the credential "${environment.credential.name}". To create one by hand, use these made-up values,
which only this simulator knows:

${describeCredential(environment)}

An example that you import yourself has the credentials already, except that of Slack and those of the HTTP Request
steps. Enter in its step "Settings":

${describeSettings(environment)}

To do: open the client's page and accept proposal ${number}, "${name}".
The workflow "Proposal accepted" then writes the order list:

  as a file                ${fromRoot(n8n.filesFolder)}/order-list-${number}.csv
  as a data table          ${n8n.dataTableUrl(tables.portal_order_lines!)}

On its page again, Reopen lets you decide once more. Pay on the page of proposal ${paid.number}, "${paid.name}",
is an event for "Payment to Xero", once you publish it, and "Expiring proposals reminder" has one to remind of.

The workflow "Nightly cost refresh" runs every ${scheduleSeconds} seconds here, instead of every night at two. Its
first run finds drafts whose costs are out of date, and reports a margin that fell below 35 %:

  as a file                ${fromRoot(n8n.filesFolder)}/margin-changes-….csv
  as a data table          ${n8n.dataTableUrl(tables.portal_margin_changes!)}
${recording === undefined ? '' : inviteToRecord(environment, recording)}
The files stay; everything else is deleted at the end. Ctrl-C ends the demo.
`;
}

/** A line for each workflow: whether it is published, its name, where it is. */
function listWorkflows({ n8n, workflows }: Environment, published: string[]): string {
	const all = Object.values(workflows);
	const width = Math.max(...all.map(({ name }) => name.length));
	return all
		.map((workflow) => {
			const mark = published.includes(workflow.name) ? 'published' : '';
			return `  ${workflow.name.padEnd(width)} ${mark.padEnd(10)} ${n8n.workflowUrl(workflow)}`;
		})
		.join('\n');
}

/** A line for each other system that is played: its name, where to see what it holds. */
function listSystems({ others }: Environment): string {
	return Object.values(others.systems)
		.map((system) => `  ${system.name.padEnd(24)} ${others.pageOf(system)}`)
		.join('\n');
}

/** The fields of the credential as they are labeled, each with its value. */
function describeCredential({ simulator }: Environment): string {
	const { baseUrl, appKey, secretKey, username, password } = credentialData(simulator);
	return Object.entries({
		Environment: 'Custom',
		'Base URL': baseUrl,
		'Application Key': appKey,
		'Secret Key': secretKey,
		Email: username,
		Password: password,
	})
		.map(([label, value]) => `  ${label.padEnd(24)} ${value}`)
		.join('\n');
}

/** What to enter into the step *Settings* of an imported example, by the names of its fields. */
function describeSettings({ others }: Environment): string {
	return Object.entries(others.fields)
		.map(([field, value]) => `  ${field.padEnd(24)} ${value}`)
		.join('\n');
}

/** What to do for a proposal that is built from a recording. */
function inviteToRecord(environment: Environment, recording: string): string {
	const workflow = environment.workflows[RECORDINGS.waiting]!;
	return `
The workflow "${workflow.name}" takes a walk through a house that somebody recorded:

  the form to fill in      ${formUrl(environment, workflow)}
  the number of a proposal ${environment.simulator.control.proposal(seed.proposals.empty).number}
  a recording to send      ${fromRoot(recording)}
`;
}

/** Says where else n8n is, when it is more than one process. */
function describeCluster({ webhookUrl, workers }: Cluster): string {
	return `
  Deliveries go to         ${webhookUrl}
  Executions are done by   ${workers.map(({ name }) => name).join(', ')}`;
}

/**
 * Says a line about every execution that has finished, until the signal aborts or n8n ends. A night or
 * a poll that wrote nothing is not worth one: they come every few seconds.
 */
export async function watch(
	{ n8n, others, workflows }: Environment,
	say: (line: string) => void,
	signal: AbortSignal,
): Promise<void> {
	let isOver = false;
	const seen = new Set<number>();
	const writing = new Set([DATA_TABLE, ...others.credentials.map(({ node }) => node)]);
	const nodes = Object.values(workflows).flatMap((workflow) => workflow.nodes);
	const writers = nodes
		.filter(({ type, parameters }) => writing.has(type) && !isRead(parameters))
		.map(({ name }) => name);
	void n8n.ended.then(() => {
		isOver = true;
	});
	while (!signal.aborted) {
		if (isOver) throw new Error('n8n has ended by itself.');
		for (const execution of await n8n.executions()) {
			if (!isFinished(execution) || seen.has(execution.id)) continue;
			seen.add(execution.id);
			const written = writtenBy(execution, writers, (name) => fromRoot(n8n.writtenFile(name)));
			const { workflowName, mode, status, error } = execution;
			if (mode === 'trigger' && !error && written.length === 0) continue;
			const result = error ? `${status}: ${error.message}` : status;
			say([`${workflowName} (${mode}) ${result}`, ...written].join(' → '));
		}
		await sleep(1_000, undefined, { signal }).catch(() => undefined);
	}
}

const DATA_TABLE = 'n8n-nodes-base.dataTable';

/** Whether a step only looks something up, or makes a table where it is missing. */
const isRead = ({ resource, operation }: Record<string, unknown>) =>
	resource === 'table' || /^(get|read|search|row)/i.test(String(operation));

/**
 * What an execution wrote: its files, each at the path that `locate` gives, and the steps that write
 * to tables or other systems, each with the number of its items.
 */
function writtenBy(
	{ runs }: Execution,
	writers: string[],
	locate: (name: string) => string,
): string[] {
	// What waits for an event by hand has items with nothing in them.
	const items = (name: string): Partial<Item>[] =>
		(runs[name] ?? []).flatMap(({ data }) => data?.main?.[0] ?? []);
	const files = Object.keys(runs)
		.flatMap(items)
		.map(({ json }) => json?.fileName)
		.filter((name) => typeof name === 'string');
	const steps = Object.keys(runs)
		.filter((name) => writers.includes(name) && items(name).length > 0)
		.map((name) => `${name} (${items(name).length})`);
	return [...new Set(files.map(locate)), ...steps];
}
