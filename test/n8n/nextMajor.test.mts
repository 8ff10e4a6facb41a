/** What n8n's own migration report for n8n 3.0 says of the example workflows. */
import { expect, test } from 'vitest';
import { createChain, manualStart } from '../../dev/testbed/workflowBuilder.mts';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();

/** A change of n8n 3.0 that concerns workflows of this n8n. */
interface Finding {
	ruleId: string;
	affectedWorkflows: { name: string; issues: { title: string }[] }[];
}

/** What the report says of one workflow, by its name. */
async function findings(): Promise<Map<string, string[]>> {
	const { n8n } = environment();
	const { report } = await n8n.rest<{ report: { workflowResults: { ruleId: string }[] } }>(
		'POST',
		'/breaking-changes/report/refresh?version=v3',
	);
	const found = new Map<string, string[]>();
	for (const { ruleId } of report.workflowResults) {
		const finding = await n8n.rest<Finding>('GET', `/breaking-changes/report/${ruleId}`);
		for (const { name, issues } of finding.affectedWorkflows) {
			found.set(name, [...(found.get(name) ?? []), ...issues.map(({ title }) => title)]);
		}
	}
	return found;
}

test('no example uses what n8n 3.0 removes or changes', async () => {
	const { workflows } = environment();
	const removed = { name: 'Old', type: 'n8n-nodes-base.function', parameters: {} };
	await createChain(environment(), 'Uses a removed node', [manualStart, removed]);
	const found = await findings();
	expect(found.get('Uses a removed node')).toEqual([expect.stringContaining('Function')]);
	expect(Object.keys(workflows).length).toBeGreaterThan(10);
	for (const name of Object.keys(workflows)) expect(found.get(name), name).toBeUndefined();
});
