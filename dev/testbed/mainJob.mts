/**
 * Does the main job automatically, in the steps that a person would take in the demo, and checks the result in n8n's
 * own database. Calculates the expected results in whole cents from the service's proposals, independently of the
 * workflows.
 */
import axios from 'axios';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Json } from '../simulator/contract.mts';
import { seed, type Simulator } from '../simulator/index.mts';
import type { Environment } from './environment.mts';
import { itemsOf, type Execution } from './n8n/database.mts';
import { loadOfN8n } from './paths.mts';
import { findSecrets, collectSecrets } from './secrets.mts';
import { until } from './until.mts';

type Row = Record<string, string | number | boolean | null>;

/** Receives a sentence about each expectation that was met. */
export type Say = (sentence: string) => void;

/** Minimum margin in the nightly workflow's *Settings*, in percent. */
const MINIMUM_MARGIN = 35;

/** Activates the workflows, accepts two proposals, and throws at the first difference. */
export async function checkMainJob(environment: Environment, say: Say): Promise<void> {
	const { n8n, simulator } = environment;
	const draftsBefore = drafts(environment);
	await environment.activateAll();
	assert.equal(simulator.control.subscriptions().length, 1, 'one subscription at the service');
	say('Both workflows are active, and Portal.io has one subscription.');

	await checkOrderList(environment, seed.proposals.submitted, say);
	await checkOrderList(environment, seed.proposals.submittedToo, say);
	await checkMarginReport(environment, draftsBefore, say);

	const secrets = collectSecrets(simulator);
	await environment.deactivateAll();
	assert.deepEqual(simulator.control.subscriptions(), [], 'subscriptions after deactivating');
	say('After the workflows are deactivated, Portal.io has no subscription left.');
	for (const { id, stored } of await n8n.executions()) {
		assert.deepEqual(findSecrets(stored, secrets), [], `secrets in execution ${id}`);
	}
	assert.deepEqual(findSecrets(n8n.logs(), secrets), [], "secrets in n8n's log");
	say("No password, key, secret, or signature is in n8n's execution data or log.");
}

async function checkOrderList(environment: Environment, proposalId: number, say: Say) {
	const { n8n, simulator } = environment;
	await acceptAsClient(simulator, proposalId);
	const proposal = simulator.control.proposal(proposalId);
	say(`The client has accepted proposal ${proposal.number}, "${proposal.name}".`);

	const execution = await finished(environment, 'Proposal accepted', 'webhook', (candidate) =>
		itemsOf(candidate, 'Accepted, Reopened, or Declined').some(
			(item) => item.proposalId === proposalId,
		),
	);
	const expected = orderLines(proposal);
	const costTotal = addAmounts(expected, 'costTotal');
	const sellTotal = addAmounts(expected, 'sellTotal');
	const rows = await n8n.dataTableRows('portal_order_lines');
	const ofProposal = rows.filter((row) => row.proposalId === proposalId);
	assert.deepEqual(sorted(ofProposal, 'itemId'), expected, 'order lines in the data table');

	const fileRows = await writtenRows(environment, execution, 'Write Order List');
	const total = fileRows.pop();
	const texts = expected.map((row) =>
		Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
	);
	assert.deepEqual(sorted(fileRows, 'itemId'), texts, 'order lines in the file');
	const inTotal = [total?.part, Number(total?.costTotal), Number(total?.sellTotal)];
	assert.deepEqual(inTotal, ['Total', costTotal, sellTotal], 'totals in the file');
	say(
		`Execution ${execution.id} of "Proposal accepted" (webhook) succeeded. Its data table and file contain the ` +
			`${expected.length} order lines that Portal.io has, with cost ${costTotal} and sell price ${sellTotal}.`,
	);
}

/** Accepts a proposal on the client's page, with the last option in each area. */
async function acceptAsClient({ url, control }: Simulator, proposalId: number) {
	const choice = control
		.proposal(proposalId)
		.areas.map(({ id, options }: Json) => [`area-${id}`, String(options.at(-1).id)]);
	const body = String(new URLSearchParams(choice));
	await axios.post(`${url}/client/proposals/${proposalId}/accept`, body, {
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url },
	});
}

function orderLines(proposal: Json): Row[] {
	const lines = proposal.areas.flatMap((area: Json) =>
		area.options
			.filter(({ status }: Json) => status === 'Accepted')
			.flatMap(({ items }: Json) => items)
			.filter(({ itemType }: Json) => ['Part', 'CustomItem'].includes(itemType))
			.filter(({ isRecurringService }: Json) => !isRecurringService)
			.map(({ cost = 0, sellPrice = 0, quantity, brand, model, ...item }: Json) => ({
				proposalNumber: proposal.number,
				proposalName: proposal.name,
				client: clientOf(proposal),
				supplier: item.supplier ?? '',
				part: [brand, model].filter(Boolean).join(' ') || item.name,
				area: area.name,
				quantity,
				unitCost: cost,
				costTotal: times(cost, quantity),
				unitSellPrice: sellPrice,
				sellTotal: times(sellPrice, quantity),
				acceptedAt: proposal.lastModifiedDate,
				proposalId: proposal.id,
				// Expect 0, because the item does not belong to a change order.
				changeOrderId: 0,
				itemId: item.id,
			})),
	);
	return sorted(lines, 'itemId');
}

async function checkMarginReport(environment: Environment, before: Json[], say: Say) {
	const execution = await finished(environment, 'Nightly cost refresh', 'trigger');
	const after = before.map(({ id }) => environment.simulator.control.proposal(id));
	const expected = marginChanges(before, after);
	assert.ok(expected.length > 0, 'a margin that fell below the minimum');
	const reported = itemsOf<Row>(execution, 'Collect Report').map(({ refreshedAt, ...row }) => {
		assert.ok(!Number.isNaN(Date.parse(String(refreshedAt))), 'time of the refresh');
		return row;
	});
	assert.deepEqual(sorted(reported, 'proposalId'), expected, 'margin report');
	const rows = await environment.n8n.dataTableRows('portal_margin_changes');
	assert.equal(rows.length, expected.length, 'rows in the data table of the margin report');
	const fileRows = await writtenRows(environment, execution, 'Write Report');
	assert.equal(fileRows.length, expected.length, 'rows of the report');
	say(
		`Execution ${execution.id} of "Nightly cost refresh" (schedule) succeeded. Drafts refreshed: ` +
			`${before.length}. Low margins reported: ${expected.length}.`,
	);
}

function marginChanges(before: Json[], after: Json[]): Row[] {
	const rows = before.flatMap(({ profit: then }, index): Row[] => {
		const proposal = after[index];
		const now = proposal.profit;
		if (now.percentage >= then.percentage || now.percentage >= MINIMUM_MARGIN) return [];
		const { firstName, lastName } = proposal.dealer.salesperson ?? {};
		const row = {
			proposalNumber: proposal.number,
			proposalName: proposal.name,
			client: clientOf(proposal),
			salesperson: [firstName, lastName].filter(Boolean).join(' '),
			profitBefore: then.total,
			profitAfter: now.total,
			profitChange: (Math.round(now.total * 100) - Math.round(then.total * 100)) / 100,
			marginBefore: then.percentage,
			marginAfter: now.percentage,
			note: '',
			proposalId: proposal.id,
		};
		return [row];
	});
	return sorted(rows, 'proposalId');
}

/**
 * Waits for a workflow's first finished execution that has the given mode and that `isWanted` accepts. Expects success.
 */
async function finished(
	{ n8n, workflows }: Environment,
	workflow: string,
	mode: string,
	isWanted: (candidate: Execution) => boolean = () => true,
): Promise<Execution> {
	const execution = await until(`an execution of "${workflow}" (${mode})`, async () =>
		(await n8n.executions({ workflowId: workflows[workflow]!.id }))
			.filter((candidate) => candidate.mode === mode && candidate.stoppedAt !== null)
			.find(isWanted),
	);
	const reason = execution.error?.message ?? 'no error given';
	assert.equal(execution.status, 'success', `execution of "${workflow}" (${reason})`);
	return execution;
}

function drafts({ simulator: { control } }: Environment): Json[] {
	return control
		.proposals()
		.filter((one) => one.account_id === seed.accounts.dealer)
		.filter((one) => one.status === 'Draft' && !one.is_archived)
		.map(({ id }) => control.proposal(Number(id)));
}

async function writtenRows({ n8n }: Environment, execution: Execution, node: string) {
	const [written] = itemsOf<{ fileName: string }>(execution, node);
	assert.ok(written, `"${node}" has written a file`);
	const text = await readFile(n8n.writtenFile(written.fileName), 'utf8');
	const csv: Json = loadOfN8n('csv-parse/sync');
	return csv.parse(text, { bom: true, columns: true }) as Record<string, string>[];
}

const sorted = <T extends Row>(rows: T[], column: keyof T): T[] =>
	rows.toSorted((one, other) => Number(one[column]) - Number(other[column]));

const addAmounts = (rows: Row[], column: string): number =>
	rows.reduce((cents, row) => cents + Math.round(Number(row[column]) * 100), 0) / 100;

const clientOf = ({ customer = {} }: Json): string =>
	customer.companyName ?? [customer.firstName, customer.lastName].filter(Boolean).join(' ');

/** Multiplies a price by a quantity, in whole cents, rounded half up. Quantities have at most four decimals. */
const times = (price: number, quantity: number): number =>
	Math.round((Math.round(price * 100) * Math.round(quantity * 1e4)) / 1e4) / 100;
