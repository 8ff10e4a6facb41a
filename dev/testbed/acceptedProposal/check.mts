/** Does what a person would do in the demo, and looks in n8n's own database whether n8n did its job. */
import axios from 'axios';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import {
	byItem,
	expectedMarginChanges,
	expectedOrderLines,
	sumOf,
	type ProposalDetail,
	type Row,
} from './expectations.mts';
import { until } from '../until.mts';
import { itemsOf, type Execution } from '../n8n/database.mts';
import { findSecrets, secretsOf } from '../secrets.mts';
import type { Environment } from '../environment.mts';
import { loadOfN8n } from '../paths.mts';
import { seed, type Simulator } from '../../simulator/index.mts';

/** What n8n itself reads CSV with. */
interface CsvReader {
	parse(text: string, options: object): Record<string, string>[];
}

/** Gets a sentence about each thing that was found to be as it should. */
export type Say = (sentence: string) => void;

/**
 * The main job, unattended: activates the example workflows, accepts a proposal as its customer, and
 * compares what n8n did with what the service says. Throws an error that names the first difference.
 */
export async function checkMainJob(environment: Environment, say: Say): Promise<void> {
	const { simulator } = environment;
	const draftsBefore = drafts(environment);
	await environment.activateAll();
	assert.equal(simulator.control.subscriptions().length, 1, 'one subscription at the service');
	say('Both workflows are active; the service holds one subscription.');

	await checkOrderList(environment, seed.proposals.submitted, say);
	await checkOrderList(environment, seed.proposals.submittedToo, say);
	await checkMarginReport(environment, draftsBefore, say);

	const secrets = secretsOf(simulator);
	await environment.deactivateAll();
	assert.deepEqual(simulator.control.subscriptions(), [], 'subscriptions after deactivating');
	say('Deactivated, the workflows have left no subscription at the service.');
	await checkSecrecy(environment, secrets);
	say('No password, key, secret or signature stands in the execution data or in the log of n8n.');
}

async function checkOrderList(environment: Environment, proposalId: number, say: Say) {
	const { n8n, simulator } = environment;
	await acceptAsCustomer(simulator, proposalId);
	const proposal: ProposalDetail = simulator.control.proposal(proposalId);
	say(`The customer has accepted proposal ${proposal.number}, "${proposal.name}".`);

	const execution = await finished(
		environment,
		'Proposal accepted',
		'webhook',
		(candidate) => acceptedIn(candidate) === proposalId,
	);
	const expected = expectedOrderLines(proposal);
	const costTotal = sumOf(expected, 'costTotal');
	const sellTotal = sumOf(expected, 'sellTotal');

	const rows = (await n8n.dataTableRows('portal_order_lines')).filter(
		(row) => row.proposalId === proposalId,
	);
	assert.deepEqual(rows.toSorted(byItem), expected, 'order lines in the data table');

	const fileRows = await writtenRows(environment, execution, 'Write Order List');
	const fileTotal = fileRows.pop();
	assert.deepEqual(fileRows.toSorted(byItem), expected.map(asText), 'order lines in the file');
	assert.equal(fileTotal?.part, 'Total');
	assert.equal(Number(fileTotal?.costTotal), costTotal, 'total cost in the file');
	assert.equal(Number(fileTotal?.sellTotal), sellTotal, 'total sell price in the file');
	say(
		`n8n's database has execution ${execution.id} of "Proposal accepted" (webhook): success, ` +
			`${expected.length} order lines, cost ${costTotal}, sell price ${sellTotal}, in its data table and ` +
			'in the file as the service has them.',
	);
}

/** Accepts a proposal on the client's page, with the last option of each area, which declines the others. */
async function acceptAsCustomer({ url, control }: Simulator, proposalId: number) {
	const { areas = [] }: ProposalDetail = control.proposal(proposalId);
	const choice = areas.map(({ id, options }) => [`area-${id}`, String(options.at(-1)!.id)]);
	const body = String(new URLSearchParams(choice));
	await axios.post(`${url}/customer/proposals/${proposalId}/accept`, body, {
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url },
	});
}

function acceptedIn(execution: Execution): number | undefined {
	return itemsOf<{ proposalId: number }>(execution, 'Accepted, Reopened or Declined')[0]
		?.proposalId;
}

async function checkMarginReport(environment: Environment, before: ProposalDetail[], say: Say) {
	const execution = await finished(environment, 'Nightly cost refresh', 'trigger');
	const after = before.map(({ id }) => environment.simulator.control.proposal(id));
	const expected = expectedMarginChanges(before, after);
	assert.ok(expected.length > 0, 'a margin that fell below the minimum');
	const reported = itemsOf<Row>(execution, 'Report').map(({ refreshedAt, ...row }) => {
		assert.ok(!Number.isNaN(Date.parse(String(refreshedAt))), 'time of the refresh');
		return row;
	});
	assert.deepEqual(reported.toSorted(byProposal), expected.toSorted(byProposal), 'margin report');
	const rows = await environment.n8n.dataTableRows('portal_margin_changes');
	assert.equal(rows.length, expected.length, 'rows in the data table of the margin report');
	const fileRows = await writtenRows(environment, execution, 'Write Report');
	assert.equal(fileRows.length, expected.length, 'rows of the report');
	say(
		`n8n's database has execution ${execution.id} of "Nightly cost refresh" (by its schedule): ` +
			`success, ${before.length} drafts refreshed, ${expected.length} low margins reported.`,
	);
}

/** Waits for the first finished execution of a workflow in a mode; it must have succeeded. */
async function finished(
	environment: Environment,
	workflow: string,
	mode: string,
	isWanted: (candidate: Execution) => boolean = () => true,
): Promise<Execution> {
	const { n8n, workflows } = environment;
	const { id } = workflows[workflow]!;
	const execution = await until(`an execution of "${workflow}" (${mode})`, async () =>
		(await n8n.executions({ workflowId: id }))
			.filter((candidate) => candidate.mode === mode && candidate.stoppedAt !== null)
			.find(isWanted),
	);
	assert.equal(
		execution.status,
		'success',
		`execution of "${workflow}" (${execution.error?.message ?? 'no error given'})`,
	);
	return execution;
}

function drafts({ simulator: { control } }: Environment): ProposalDetail[] {
	return control
		.proposals()
		.filter((one) => one.account_id === seed.accounts.dealer)
		.filter((one) => one.status === 'Draft' && !one.is_archived)
		.map(({ id }) => control.proposal(Number(id)));
}

async function checkSecrecy({ n8n }: Environment, secrets: Record<string, string>) {
	for (const { id, stored } of await n8n.executions()) {
		assert.deepEqual(findSecrets(stored, secrets), [], `secrets in execution ${id}`);
	}
	assert.deepEqual(findSecrets(n8n.logs(), secrets), [], "secrets in n8n's log");
}

/** The rows of the file that a node of an execution wrote. */
async function writtenRows(
	{ n8n }: Environment,
	execution: Execution,
	node: string,
): Promise<Row[]> {
	const [written] = itemsOf<{ fileName: string }>(execution, node);
	assert.ok(written, `"${node}" has written a file`);
	const text = await readFile(n8n.writtenFile(written.fileName), 'utf8');
	return (loadOfN8n('csv-parse/sync') as CsvReader).parse(text, { bom: true, columns: true });
}

function asText(row: Row): Record<string, string> {
	return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
}

function byProposal(one: Row, other: Row): number {
	return Number(one.proposalId) - Number(other.proposalId);
}
