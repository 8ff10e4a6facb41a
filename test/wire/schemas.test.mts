/** The output schemas that n8n offers for mapping, compared with what the operations return. */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { execute, pollingTriggerNode, triggerNode } from '../../dev/testbed/nodeRunner.mts';
import { seed, startService } from './account.mts';
import { callsFor, type Call } from './calls.mts';
import { signedHeaders } from './deliver.mts';

const operations = Object.entries(registry).flatMap(([resource, declared]) =>
	Object.entries(declared.operations).map(([operation, { fields }]) => ({
		name: `${resource}.${operation}`,
		canSimplify: fields.some(({ name }) => name === 'simplify'),
	})),
);

/** What brings the fields that the valid call of an operation leaves out. */
const further: Record<string, Call['parameters']> = {
	'aiOutline.generate': { options: { waitForCompletion: true } },
	'location.create': { additionalFields: { suite: 'Unit 4' } },
	'webhookSubscription.create': { description: 'Order desk' },
	'webhookSubscription.update': { updateFields: { description: 'Order desk' } },
};
/** The operation that brings them for another one. */
const preparation: Record<string, string> = {
	'webhookSubscription.getMany': 'webhookSubscription.create',
};

const outputs = new Map<string, Promise<IDataObject[]>>();

/** The output of the valid call of an operation, and of one with further parameters. */
async function runItem(name: string): Promise<IDataObject[]> {
	if (!outputs.has(name)) outputs.set(name, run(name));
	return await outputs.get(name)!;
}

/** Runs an operation at a service of its own. */
async function run(name: string): Promise<IDataObject[]> {
	const { simulator, control, credential } = await startService({ aiStepSeconds: 0.1 });
	const calls = callsFor(control);
	const stored = credential();
	const call = async (one: string, more: Call['parameters'] = {}) => {
		const { parameters, file } = calls[one]!;
		const [resource, operation] = one.split('.') as [string, string];
		const output = await execute({
			credential: stored,
			parameters: { resource, operation, ...parameters, ...more },
			inputs: [{ json: {}, ...(file && { binary: { data: file } }) }],
		});
		return output.map(({ json }) => json);
	};
	const before = preparation[name];
	if (before !== undefined) await call(before, further[before]);
	const output = await call(name);
	if (further[name] !== undefined) output.push(...(await call(name, further[name])));
	await simulator.stop();
	return output;
}

/** The fields of a schema as it is published: of an operation, as `PortalIo/__schema__/…`. */
function publishedProperties(file: string): Record<string, object> {
	const url = new URL(`../../dist/nodes/${file}.json`, import.meta.url);
	if (!existsSync(url)) throw new Error(`There is no schema ${file}.json: run \`npm run docs\``);
	return JSON.parse(readFileSync(url, 'utf8')).properties;
}

const propertiesOf = (name: string) =>
	publishedProperties(`PortalIo/__schema__/v1.0.0/${name.replace('.', '/')}`);

const ajv = new Ajv({ allowUnionTypes: true });

function expectToFit(item: IDataObject, properties: Record<string, object>): void {
	const validate = ajv.compile({ type: 'object', properties });
	validate(item);
	expect(validate.errors ?? [], JSON.stringify(item)).toEqual([]);
}
describe('the schema of', () => {
	it.each(operations)('$name fits what it returns', async ({ name, canSimplify }) => {
		const output = await runItem(name);
		const properties = propertiesOf(name);
		const names = Object.keys(properties);
		expect(output.length).toBeGreaterThan(0);
		for (const item of output) {
			expectToFit(item, properties);
			if (canSimplify) expect(Object.keys(item)).toEqual(names);
		}
		const found = new Set(output.flatMap((item) => Object.keys(item)));
		const missing = names.filter((one) => !found.has(one));
		expect(missing, 'add to `further` in test/wire/schemas.test.mts what brings them').toEqual([]);
	});
});

it('every field of a schema has a value in the output of one operation at least', async () => {
	const seen = new Map<string, Set<string>>();
	for (const { name } of operations) {
		const fields = Object.keys(propertiesOf(name)).join();
		const output = await runItem(name);
		const filled = output.flatMap((item) => Object.keys(item).filter((one) => item[one] !== null));
		seen.set(fields, new Set([...(seen.get(fields) ?? []), ...filled]));
	}
	for (const [fields, filled] of seen) {
		expect(fields.split(',').filter((one) => !filled.has(one))).toEqual([]);
	}
}, 60_000);

describe('the schema of a trigger fits', () => {
	const proposalId = seed.proposals.staleWholeHome;

	it('the event that Portal.io delivers', async () => {
		const { simulator, control, credential } = await startService();
		const properties = publishedProperties('PortalIoTrigger/__schema__/v2.0.0/output');
		const node = triggerNode({
			credential: credential(),
			parameters: { events: ['proposal.status_changed'] },
		});
		await node.create();
		control.accept(proposalId);
		const [{ body } = {}] = control.deliveries();
		const secret = String(control.subscriptions()[0]!.secret_key);
		const headers = signedHeaders(secret, String(body));
		const { workflowData } = await node.receive(headers, Buffer.from(String(body)));
		const { json } = workflowData![0]![0]!;
		expect(Object.keys(json)).toEqual(Object.keys(properties));
		expectToFit(json, properties);
		expect(json).toMatchObject({ proposalId, status: 'Accepted' });
		await simulator.stop();
	});

	it('the change that a poll finds', async () => {
		const { simulator, control, credential } = await startService();
		const properties = publishedProperties('PortalIoPollingTrigger/__schema__/v1.0.0/output');
		const node = pollingTriggerNode({
			credential: credential(),
			parameters: { event: 'proposalStatusChanged' },
		});
		await node.poll();
		await control.advance(1);
		control.accept(proposalId);
		const [item] = (await node.poll())!;
		expect(Object.keys(item!)).toEqual(Object.keys(properties));
		expectToFit(item!, properties);
		expect(item).toMatchObject({ proposalId, status: 'Accepted', previousStatus: 'Draft' });
		await simulator.stop();
	});
});
