import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { findSecrets, findSecretsInFiles, secretsOf } from '../../testbed/secrets.mts';
import { owner } from '../../testbed/n8n/n8n.mts';
import type { Stage } from '../../testbed/stage.mts';

/** What must stand nowhere. It comes last, when everything else has left its traces. */
export function secrecyTests(stage: () => Stage) {
	describe('after all of this', () => {
		test("n8n's log holds no password, key, secret or signature", () => {
			const { n8n, simulator } = stage();
			expect(findSecrets(n8n.logs(), secretsOf(simulator))).toEqual([]);
		});

		test('no execution holds one either', () => {
			const { n8n, simulator } = stage();
			const secrets = secretsOf(simulator);
			const executions = n8n.executions();
			expect(executions.length).toBeGreaterThan(10);
			for (const { stored } of executions) expect(findSecrets(stored, secrets)).toEqual([]);
		});

		test('nothing in the folder of n8n does: database, files, binary data', () => {
			const { n8n, simulator } = stage();
			const found = findSecretsInFiles(n8n.folder, secretsOf(simulator));
			// What a trigger verifies deliveries with, n8n keeps in the static data of its workflow.
			const database = /^\.n8n\/database\.sqlite(-wal)?: webhook secret \d+$/;
			expect(found.filter((one) => !database.test(one))).toEqual([]);
			// The search finds what is there.
			expect(findSecretsInFiles(n8n.folder, { email: owner.email })).not.toEqual([]);
		});

		test('static data holds what the triggers verify deliveries with, and no other secret', () => {
			const { n8n, simulator } = stage();
			const all = Object.entries(secretsOf(simulator));
			const others = Object.fromEntries(all.filter(([what]) => !what.startsWith('webhook')));
			const database = new DatabaseSync(join(n8n.folder, '.n8n', 'database.sqlite'), {
				readOnly: true,
			});
			const rows = database.prepare('SELECT staticData FROM workflow_entity').all();
			database.close();
			expect(rows.length).toBeGreaterThan(0);
			for (const { staticData } of rows) {
				expect(findSecrets(String(staticData), others)).toEqual([]);
			}
		});

		test('the simulated service has kept to its contract all the time', () => {
			expect(stage().simulator.control.contractViolations).toEqual([]);
		});
	});
}
