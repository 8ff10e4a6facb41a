import { describe, expect, test } from 'vitest';
import { findSecrets, secretsOf } from '../../demo/secrets.mts';
import type { Stage } from '../../demo/stage.mts';

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

		test('the simulated service has kept to its contract all the time', () => {
			expect(stage().simulator.control.contractViolations).toEqual([]);
		});
	});
}
