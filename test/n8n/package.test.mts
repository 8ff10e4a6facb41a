/** Tests the installed package in n8n, and n8n's migration report about the examples. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodePropertyOptions, INodeType } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { loadOfN8n, root } from '../../dev/testbed/paths.mts';
import { readExamples } from '../../dev/testbed/workflows.mts';
import { ownEnvironment } from './environments.mts';

const examples = (await readExamples()).map(({ name }) => name);
const environment = ownEnvironment({ examples });

const { PortalIo } = createRequire(import.meta.url)(
	'../../dist/nodes/PortalIo/PortalIo.node.js',
) as { PortalIo: new () => INodeType };

/** Folder with the schemas of the operations' output, which the editor shows before the first run. */
const schemas = join(root, 'nodes/PortalIo/__schema__/v1.0.0');
const operations = readdirSync(schemas, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.json'))
	.map((file) => {
		const { properties } = JSON.parse(readFileSync(join(schemas, file), 'utf8'));
		const [resource, operation] = file.replace('.json', '').split('/');
		return { resource: resource!, operation: operation!, fields: Object.keys(properties) };
	});

it("describes each operation and its output fields to n8n's assistant", () => {
	const generator = loadOfN8n('n8n/dist/modules/mcp-registry/synthesize-type-def.js');
	const { synthesizeNodeTypeDef } = generator as { synthesizeNodeTypeDef(type: object): string };
	const { description: node } = new PortalIo();
	const text = synthesizeNodeTypeDef({ ...node, name: `n8n-nodes-portal-io.${node.name}` });
	const sections = text.split(/^export type /m);
	expect(operations).toHaveLength(44);
	for (const { resource, operation, fields } of operations) {
		const names = [`resource: '${resource}';`, `operation: '${operation}';`];
		const [section = ''] = sections.filter((one) => names.every((name) => one.includes(name)));
		const list = node.properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource),
		);
		const options = list?.options as INodePropertyOptions[];
		const { description } = options.find(({ value }) => value === operation)!;
		const [, before = ''] = /\{\n\s*\/\*\*([^]*?)\*\/\n\s*resource:/.exec(section) ?? [];
		expect(before, `${resource}: ${operation}`).toContain(description);
		const [, output = ''] = /Output: (.*)/.exec(before) ?? [];
		expect(output.split(', ').sort(), `${resource}: ${operation}`).toEqual(fields.sort());
	}
	expect(Buffer.byteLength(text)).toBeLessThanOrEqual(80_000);
});

it('has examples that use no feature that n8n 3.0 removes or changes', async () => {
	const { n8n } = environment();
	const path = '/breaking-changes/report';
	const { report } = await n8n.rest<{ report: { workflowResults: { ruleId: string }[] } }>(
		'POST',
		`${path}/refresh?version=v3`,
	);
	const affected: string[] = [];
	for (const { ruleId } of report.workflowResults) {
		const { affectedWorkflows } = await n8n.rest<{ affectedWorkflows: { name: string }[] }>(
			'GET',
			`${path}/${ruleId}`,
		);
		affected.push(...affectedWorkflows.map(({ name }) => name));
	}
	expect(examples.filter((name) => affected.includes(name))).toEqual([]);
});
