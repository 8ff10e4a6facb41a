/** Searches everything that n8n has written for secrets. */
import { expect } from 'vitest';
import { openSqlite, type Execution } from '../../dev/testbed/n8n/database.mts';
import { findSecrets, findSecretsInFiles, collectSecrets } from '../../dev/testbed/secrets.mts';
import type { Environment } from '../../dev/testbed/environment.mts';

/** Time and last execution of the latest search, by n8n's folder. */
const searched = new Map<string, { at: number; execution: number }>();

/**
 * Searches n8n's log, executions, static data, and files. Skips what has not changed since the last search,
 * because it can't contain newer secrets.
 */
export async function expectNoSecrets(environment: Environment): Promise<void> {
	const { n8n, simulator } = environment;
	const secrets = collectSecrets(simulator);
	const last = searched.get(n8n.folder) ?? { at: 0, execution: 0 };
	// Go back two seconds, because some file systems store times in whole seconds.
	const at = Date.now() - 2000;
	const executions = await expectNoSecretsStored(environment, last.execution);
	// Don't search for webhook secrets here, because n8n stores them in the static data of a trigger's workflow.
	const others = Object.fromEntries(
		Object.entries(secrets).filter(([what]) => !what.startsWith('webhook')),
	);
	for (const staticData of readStaticData(n8n.folder)) {
		expect(findSecrets(staticData, others), 'static data').toEqual([]);
	}
	const database = /^\.n8n\/database\.sqlite(-wal)?: webhook secret \d+$/;
	const leaks = findSecretsInFiles(n8n.folder, secrets, last.at);
	const misplaced = leaks.filter((one) => !database.test(one));
	expect(misplaced, 'files of n8n').toEqual([]);
	const unfinished = executions.findIndex(({ stoppedAt }) => stoppedAt === null);
	const finished = unfinished < 0 ? executions : executions.slice(0, unfinished);
	searched.set(n8n.folder, { at, execution: finished.at(-1)?.id ?? last.execution });
}

/** Searches n8n's log and the executions after the one with the ID `after` for secrets. Returns those executions. */
export async function expectNoSecretsStored(
	{ n8n, simulator }: Environment,
	after = 0,
): Promise<Execution[]> {
	const secrets = collectSecrets(simulator);
	const executions = await n8n.executions({ after });
	expect(findSecrets(n8n.logs(), secrets), "n8n's log").toEqual([]);
	for (const { id, stored } of executions) {
		expect(findSecrets(stored, secrets), `execution ${id}`).toEqual([]);
	}
	return executions;
}

/** Returns each workflow's static data as n8n stores it. */
function readStaticData(folder: string): string[] {
	const database = openSqlite(folder, true);
	const rows = database.prepare('SELECT staticData FROM workflow_entity').all();
	database.close();
	return rows.map(({ staticData }) => String(staticData));
}
