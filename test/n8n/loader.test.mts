/** What n8n's own loader makes of the installed package. */
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../testbed/commands.mts';
import { environment, n8nCommand } from '../../testbed/n8n/process.mts';
import { freePort } from '../../testbed/ports.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();

describe("n8n's loader", () => {
	test('knows the nodes, and the tool that it makes of the resource node', async () => {
		const folder = join(stage().n8n.folder, 'loader');
		const file = join(folder, 'nodes.json');
		const installed = join('.n8n', 'nodes');
		await cp(join(stage().n8n.folder, installed), join(folder, installed), { recursive: true });
		await run(process.execPath, [n8nCommand, 'export:nodes', '--output', file], {
			cwd: folder,
			env: await environment(folder, folder, await freePort()),
		});
		const types: { name: string; credentials?: { name: string }[] }[] = JSON.parse(
			await readFile(file, 'utf8'),
		);
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
});
