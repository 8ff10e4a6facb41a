/** Secrets that must not appear in anything that n8n has written. */
import { expect } from 'vitest';
import { openSqlite, type Execution } from '../../dev/testbed/n8n/database.mts';
import { findSecrets, findSecretsInFiles, secretsOf } from '../../dev/testbed/secrets.mts';
import type { Environment } from '../../dev/testbed/environment.mts';

/** When the files of an n8n were searched, by its folder, and up to which execution. */
const searched = new Map<string, { at: number; execution: number }>();

/**
 * Searches n8n's log, its executions, the static data of its workflows and all of its files. What has
 * not changed since the last search is left out, as no later secret can stand in it.
 */
export async function expectNoSecrets(environment: Environment): Promise<void> {
	const { n8n, simulator } = environment;
	const secrets = secretsOf(simulator);
	const last = searched.get(n8n.folder) ?? { at: 0, execution: 0 };
	// File systems may count in whole seconds.
	const at = Date.now() - 2000;
	const executions = await expectNoSecretsStored(environment, last.execution);
	// n8n keeps the secrets of a trigger in the static data of its workflow.
	const others = Object.fromEntries(
		Object.entries(secrets).filter(([what]) => !what.startsWith('webhook')),
	);
	for (const staticData of staticDataIn(n8n.folder)) {
		expect(findSecrets(staticData, others), 'static data').toEqual([]);
	}
	const database = /^\.n8n\/database\.sqlite(-wal)?: webhook secret \d+$/;
	const found = findSecretsInFiles(n8n.folder, secrets, last.at);
	const misplaced = found.filter((one) => !database.test(one));
	expect(misplaced, 'files of n8n').toEqual([]);
	const unfinished = executions.findIndex(({ stoppedAt }) => stoppedAt === null);
	const finished = unfinished < 0 ? executions : executions.slice(0, unfinished);
	searched.set(n8n.folder, { at, execution: finished.at(-1)?.id ?? last.execution });
}

/** Searches n8n's log and its executions after one, by its ID; returns these. */
export async function expectNoSecretsStored(
	{ n8n, simulator }: Environment,
	after = 0,
): Promise<Execution[]> {
	const secrets = secretsOf(simulator);
	const executions = await n8n.executions({ after });
	expect(findSecrets(n8n.logs(), secrets), "n8n's log").toEqual([]);
	for (const { id, stored } of executions) {
		expect(findSecrets(stored, secrets), `execution ${id}`).toEqual([]);
	}
	return executions;
}

/** The static data of each workflow, as n8n stores it. */
function staticDataIn(folder: string): string[] {
	const database = openSqlite(folder, true);
	const rows = database.prepare('SELECT staticData FROM workflow_entity').all();
	database.close();
	return rows.map(({ staticData }) => String(staticData));
}
