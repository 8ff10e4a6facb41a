/** Checks that n8n finds and reads the output schemas. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

const load = createRequire(import.meta.url);
// Don't load all of n8n-core, because it immediately writes its settings into the user folder.
const { loadOutputSchema } = load('n8n-core/dist/nodes-loader/output-schema-resolver.js');
const folderOf = (node: string) =>
	dirname(new URL(`../../nodes/${node}/${node}.node.ts`, import.meta.url).pathname);

const names = Object.entries(registry).flatMap(([resource, { operations }]) =>
	Object.keys(operations).map((operation) => [resource, operation] as const),
);
const id = { type: 'integer' };
const text = { type: ['string', 'null'] };

/** Returns n8n's response to the editor's request. */
const loadSchema = (node: string, nodeType: INodeType, choice: object) => {
	const { version } = nodeType.description;
	return loadOutputSchema({ nodeDir: folderOf(node), version, ...choice });
};

describe('output schemas', () => {
	it.each(names)('are found by n8n: %s %s', (resource, operation) => {
		const schema = loadSchema('PortalIo', new PortalIo(), { resource, operation });
		const properties = expect.any(Object);
		expect(schema, 'run `npm run docs`').toEqual({ type: 'object', properties, version: 1 });
	});

	it.each([
		['PortalIoTrigger', new PortalIoTrigger(), { eventType: text }],
		['PortalIoPollingTrigger', new PortalIoPollingTrigger(), { previousStatus: text }],
	])('are found by the editor: %s', (node, type, own) => {
		const { properties } = loadSchema(node, type, { versionFallback: true });
		expect(properties).toMatchObject({ proposalId: id, status: text, ...own });
	});
});
