/** What n8n makes of the installed package, and what it says of the examples. */
import { expect, test } from 'vitest';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();

test('loads the nodes with their credential into n8n, and makes a tool of the resource node', async () => {
	const types = await environment().n8n.nodeTypes();
	const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-portal-io.'));
	expect(ours.map(({ name }) => name.split('.')[1]).sort()).toEqual([
		'portalIo',
		'portalIoPollingTrigger',
		'portalIoTool',
		'portalIoTrigger',
	]);
	for (const { credentials } of ours) {
		expect(credentials?.map(({ name }) => name)).toContain('portalIoApi');
	}
});

/** A change of n8n 3.0 that concerns workflows of this n8n. */
interface Change {
	affectedWorkflows: { name: string }[];
}

test('uses nothing in the examples that n8n 3.0 removes or changes', async () => {
	const { n8n, workflows } = environment();
	const path = '/breaking-changes/report';
	const { report } = await n8n.rest<{ report: { workflowResults: { ruleId: string }[] } }>(
		'POST',
		`${path}/refresh?version=v3`,
	);
	const affected: string[] = [];
	for (const { ruleId } of report.workflowResults) {
		const change = await n8n.rest<Change>('GET', `${path}/${ruleId}`);
		affected.push(...change.affectedWorkflows.map(({ name }) => name));
	}
	expect(Object.keys(workflows).filter((name) => affected.includes(name))).toEqual([]);
});
