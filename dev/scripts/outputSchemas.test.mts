/** The output schemas, as n8n finds and reads them. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

const load = createRequire(import.meta.url);
// Not all of n8n-core: it writes its settings into the user folder as soon as it is loaded.
const { loadOutputSchema } = load('n8n-core/dist/nodes-loader/output-schema-resolver.js');
const folderOf = (node: string) =>
	dirname(new URL(`../../nodes/${node}/${node}.node.ts`, import.meta.url).pathname);

/** The editor's request to n8n. */
const schemaOf = (resource: string, operation: string) => {
	const { version } = new PortalIo().description;
	return loadOutputSchema({ nodeDir: folderOf('PortalIo'), version, resource, operation });
};

const names = Object.entries(registry).flatMap(([resource, { operations }]) =>
	Object.keys(operations).map((operation) => [resource, operation] as const),
);
const id = { type: 'integer' };
const text = { type: ['string', 'null'] };

describe('n8n', () => {
	it.each(names)('finds the schema of %s: %s', (resource, operation) => {
		const schema = schemaOf(resource, operation);
		expect(schema, 'run `npm run docs`').toBeDefined();
		const { type, properties, version } = schema;
		expect({ type, version }).toEqual({ type: 'object', version: 1 });
		const { length } = Object.keys(properties);
		expect(length).toBeGreaterThan(0);
		expect(length).toBeLessThanOrEqual(10);
	});

	it.each([
		['PortalIoTrigger', new PortalIoTrigger(), 'eventType', text],
		['PortalIoPollingTrigger', new PortalIoPollingTrigger(), 'previousStatus', text],
	])(
		'finds the schema of the %s under the path that the editor requests',
		(node, type, own, schema) => {
			const { version } = type.description;
			const found = loadOutputSchema({ nodeDir: folderOf(node), version, versionFallback: true });
			expect(found.properties).toMatchObject({ proposalId: id, status: text, [own]: schema });
		},
	);
});
