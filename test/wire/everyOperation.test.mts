/** Tests the requests and output of a valid call of every operation. */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { findExample } from '../../dev/scripts/examples.mts';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed, startService } from './account.mts';
import { calls, fieldsOf, operationNames, prepareForCalls, runCall, type Call } from './calls.mts';
import { signedHeaders } from './deliver.mts';

/** Additional parameters, for fields that an operation's valid call leaves empty. */
const further: Record<string, Call['parameters']> = {
	'aiOutline.generate': { options: { waitForCompletion: true } },
	'area.create': { name: 'Lobby / 1', options: { reuseExisting: true } },
	'catalog.search': { searchText: '', filters: { itemType: 'Labor' } },
	'contact.create': {
		additionalFields: { contactEmail: 'theo@quarrystreet.example' },
		options: { reuseExisting: true },
	},
	'location.create': {
		contactId: seed.contacts.company,
		additionalFields: {
			suite: 'Unit 4',
			city: 'Boulder',
			postalCode: '80302',
			state: 'Colorado',
			country: 'United States',
		},
	},
	'payment.getMany': { options: { includeSchedule: true }, returnAll: true },
	'proposal.create': { additionalFields: { contactId: seed.contacts.company } },
	'proposal.getMany': { options: { includeDetails: true } },
	'webhookSubscription.create': { description: 'Order desk' },
	'webhookSubscription.update': { updateFields: { description: 'Order desk' } },
};
/** Operation to run first, by the operation whose output would otherwise lack some values. */
const preparation: Record<string, string> = {
	'area.create': 'areaOption.update',
	'area.getMany': 'areaOption.update',
	'location.getMany': 'location.create',
	'webhookSubscription.getMany': 'webhookSubscription.create',
};

const runs = new Map<string, ReturnType<typeof runAtOwnService>>();
async function run(name: string) {
	if (!runs.has(name)) runs.set(name, runAtOwnService(name));
	return await runs.get(name)!;
}

async function runAtOwnService(name: string) {
	const { simulator, control, credential } = await startService({ aiStepSeconds: 0.1 });
	prepareForCalls(control);
	const account = credential();
	const before = preparation[name];
	if (before !== undefined) await runCall(account, before, calls[before]!, further[before]);
	control.clearRequests();
	const items = await runCall(account, name, calls[name]!);
	const sent = [...control.requests];
	if (further[name]) items.push(...(await runCall(account, name, calls[name]!, further[name])));
	expect(control.contractViolations).toEqual([]);
	await simulator.stop();
	return { sent, output: items.map(({ json }) => json) };
}

/** Returns the fields of a published schema, such as `PortalIo/__schema__/…`. */
function publishedProperties(file: string): Record<string, object> {
	const url = new URL(`../../nodes/${file}.json`, import.meta.url);
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

function expectInOrder(item: IDataObject, file: string): void {
	const properties = publishedProperties(file);
	expect(Object.keys(item)).toEqual(Object.keys(properties));
	expectToFit(item, properties);
}

it.each(operationNames)(
	'sends each request of %s exactly once and outputs the fields of its schema',
	async (name) => {
		const { requests, parameters } = calls[name]!;
		const { sent, output } = await run(name);
		// Remove the ending that identifies another path of the same operation.
		const nameOf = ({ operationId = '' }) => operationId.replace(/\.(alternate|newest)$/, '');
		const own = sent.filter((one) => requests.includes(nameOf(one)));
		expect(own.map(nameOf)).toEqual(requests);
		for (const { isAccepted, status } of own) {
			expect(isAccepted).toBe(true);
			expect(status).toBeLessThan(300);
		}
		const [resource, operation] = name.split('.') as [string, string];
		const isRead = findOperation(resource, operation)!.kind === 'read';
		expect(sent.every(({ method }) => method === 'GET')).toBe(isRead);

		const properties = propertiesOf(name);
		const names = Object.keys(properties);
		expect(output.length).toBeGreaterThan(0);
		expect(names.length).toBeLessThanOrEqual(10);
		for (const item of output) {
			expectToFit(item, properties);
			if (fieldsOf(name).includes('output')) expect(Object.keys(item)).toEqual(names);
			if (fieldsOf(name).includes('proposalId') && name !== 'proposal.duplicate') {
				expect(item.proposalId).toBe(parameters.proposalId);
			}
		}
		const found = new Set(output.flatMap((item) => Object.keys(item)));
		const missing = names.filter((one) => !found.has(one));
		expect(missing, 'add to `further` above what brings them').toEqual([]);
	},
);

/** Removes dates, because the simulator's dates are relative to today. */
const withoutDates = (item: object): unknown =>
	JSON.parse(JSON.stringify(item), (_name, value) =>
		typeof value === 'string' ? value.replace(/^\d{4}-\d\d-\d\dT.*Z$/, 'a date') : value,
	);

it.each(operationNames.filter((name) => findExample(name).returns !== undefined))(
	'outputs the result that the docs show for the example of %s',
	async (name) => {
		const { output } = await run(name);
		expect(withoutDates(output[0]!)).toEqual(withoutDates(findExample(name).returns!));
	},
);

it('outputs a value for each field of a schema in at least one operation', async () => {
	const byFields = Object.groupBy(operationNames, (name) => Object.keys(propertiesOf(name)).join());
	for (const [fields, names] of Object.entries(byFields)) {
		const outputs = await Promise.all(names!.map(async (name) => (await run(name)).output));
		const isFilled = (field: string) => outputs.flat().some((one) => (one[field] ?? null) !== null);
		expect(fields.split(',').filter((one) => !isFilled(one))).toEqual([]);
	}
});

const service = restoredService();
const proposalId = seed.proposals.staleWholeHome;

it('outputs a delivered event with the fields of the schema', async () => {
	const events = ['proposal.status_changed'];
	const node = triggerNode({ credential: service.account, parameters: { events } });
	await node.create();
	service.control.accept(proposalId);
	const body = String(service.control.deliveries()[0]!.body);
	const headers = signedHeaders(String(service.control.subscriptions()[0]!.secret_key), body);
	const { json } = (await node.receive(headers, Buffer.from(body))).workflowData![0]![0]!;
	expect(json).toMatchObject({ proposalId, status: 'Accepted' });
	expectInOrder(json, 'PortalIoTrigger/__schema__/v2.0.0/output');
});

it('outputs a polled change with the fields of the schema', async () => {
	const node = service.polling('proposalStatusChanged');
	await node.poll();
	await service.control.advance(1);
	service.control.accept(proposalId);
	const [item] = (await node.poll())!;
	expect(item).toMatchObject({ proposalId, status: 'Accepted', previousStatus: 'Draft' });
	expectInOrder(item!, 'PortalIoPollingTrigger/__schema__/v1.0.0/output');
});
