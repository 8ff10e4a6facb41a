/** What n8n makes of the installed package. */
import { expect, test } from 'vitest';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();

test('n8n loads the nodes with their credential, and makes a tool of the resource node', async () => {
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
