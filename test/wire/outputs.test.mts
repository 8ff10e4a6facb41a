/**
 * What comes out of every operation: flat records of ten fields at most, with the IDs for the next
 * step, and whatever the service says instead of a record as it came.
 */
import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import type { Fault } from '../../dev/simulator/index.mts';
import { execute, type StoredCredential } from '../../dev/testbed/nodeRunner.mts';
import { seed, startService } from './account.mts';
import { callsFor, operationNames, requestsOf, type Call } from './calls.mts';

let service: Awaited<ReturnType<typeof startService>>;
let credential: StoredCredential;
let calls: Record<string, Call>;
beforeEach(async () => {
	service = await startService();
	credential = service.credential();
	calls = callsFor(service.control);
});
afterEach(async () => {
	expect(service.control.contractViolations).toEqual([]);
	await service.simulator.stop();
});

const [reads, changes] = await splitByKind();

async function splitByKind(): Promise<[string[], string[]]> {
	const { simulator, control } = await startService();
	const isRead = (name: string) => callsOf[name]!.kind === 'read';
	const callsOf = callsFor(control);
	await simulator.stop();
	return [operationNames.filter(isRead), operationNames.filter((name) => !isRead(name))];
}

function fieldsOf(name: string): string[] {
	const [resource, operation] = name.split('.') as [string, string];
	return findOperation(resource, operation)!.fields.map((field) => field.name);
}

/** Runs the valid call of an operation. */
async function run(name: string, more: object = {}): Promise<IDataObject[]> {
	const { parameters, file } = calls[name]!;
	const [resource, operation] = name.split('.') as [string, string];
	const output = await execute({
		credential,
		parameters: { resource, operation, ...parameters, ...more },
		inputs: [{ json: {}, ...(file && { binary: { data: file } }) }],
	});
	return output.map(({ json }) => json);
}

describe('the output', () => {
	it.each(operationNames)(
		'of %s has ten fields at most, with the ID of the proposal',
		async (name) => {
			const fields = fieldsOf(name);
			const output = await run(name);
			expect(output.length).toBeGreaterThan(0);
			for (const record of output) {
				expect(Object.keys(record).length).toBeLessThanOrEqual(10);
				expect(Object.values(record).some((value) => value !== null)).toBe(true);
				if (fields.includes('proposalId')) {
					expect(record.proposalId).toBe(calls[name]!.parameters.proposalId);
				}
				if (!fields.includes('simplify')) continue;
				for (const [field, value] of Object.entries(record)) {
					expect(typeof value === 'object' && value !== null, field).toBe(false);
				}
			}
		},
	);

	it.each(operationNames.filter((name) => fieldsOf(name).includes('simplify')))(
		'of %s is simplified unless that is turned off',
		async (name) => {
			service.control.keepState();
			const [simple] = await run(name);
			service.control.restoreState();
			const [full] = await run(name, { simplify: false });
			// A build that nobody waits for has only its status.
			if (name === 'aiBuild.start') expect(full).toEqual(simple);
			else expect(Object.keys(full!)).not.toEqual(Object.keys(simple!));
		},
	);
});

/** Runs the valid call of an operation, whose requests are all answered with something else. */
async function runAnswered(name: string, fault: Fault, more: object = {}) {
	for (const { id } of requestsOf(name, calls[name]!)) {
		service.control.failNext({ operationId: id, status: 200, times: 9, ...fault });
	}
	const output = await run(name, more);
	service.control.clearFaults();
	return output;
}

const text = { headers: { 'Content-Type': 'text/plain' }, body: 'Done' };
const foreign = { ok: true, code: 7 };
const isDeletion = (name: string) => calls[name]!.kind === 'delete';
/** Assigning a contact returns no record that could be relied on. */
const assigned = () => [{ success: true, ...calls['proposal.assignContact']!.parameters }];
const hasNulls = (record: IDataObject) => Object.values(record).includes(null);

describe('a response that is no record', () => {
	it.each(changes)('but nothing is a confirmation with the IDs that %s sent', async (name) => {
		const { parameters } = calls[name]!;
		for (const fault of [{ status: 204, body: '' }, text, { brokenResponse: 'empty' }] as const) {
			const output = await runAnswered(name, fault);
			expect(output).toHaveLength(1);
			const [record] = output as [IDataObject];
			expect(record).toMatchObject(isDeletion(name) ? { deleted: true } : { success: true });
			expect(record.message).toBe(fault === text ? 'Done' : undefined);
			expect(record.proposalId).toBe(parameters.proposalId);
			expect(hasNulls(record)).toBe(false);
		}
	});

	it.each(changes)('but an empty list is a confirmation of %s', async (name) => {
		const output = await runAnswered(name, { body: [] });
		expect(output).toHaveLength(1);
		expect(output[0]).toMatchObject(isDeletion(name) ? { deleted: true } : { success: true });
	});

	it.each(['item.add', 'item.copy', 'item.move', 'item.replace', 'area.create'])(
		'but a proposal without areas or options is passed on by %s',
		async (name) => {
			const { proposalId: id } = calls[name]!.parameters;
			for (const areas of [undefined, [], [{ id: 1, name: 'Den' }]]) {
				const output = await runAnswered(name, { body: { id, number: 1021, areas } });
				expect(output).toHaveLength(1);
				expect(output[0]).toMatchObject(
					name === 'area.create' && areas?.length
						? { id: 1, proposalId: id }
						: { id, number: 1021 },
				);
			}
		},
	);

	it('but says that nothing was deleted is not called a deletion', async () => {
		const body = { id: 5, deleted: false };
		const [output] = await runAnswered('aiContent.delete', { body });
		expect(output).toMatchObject({ deleted: false });
	});

	it.each(changes)('but an unknown object is passed on by %s', async (name) => {
		for (const simplify of [true, false]) {
			const output = await runAnswered(name, { body: foreign }, { simplify });
			expect(output).toHaveLength(1);
			expect(hasNulls(output[0]!), JSON.stringify(output)).toBe(false);
			if (isDeletion(name)) expect(output[0]).toMatchObject({ deleted: true });
			else if (name === 'proposal.assignContact') expect(output).toEqual(assigned());
			else expect(output[0]).toMatchObject(foreign);
		}
	});

	it.each(reads)('but an unknown object is not turned into a record by %s', async (name) => {
		for (const simplify of [true, false]) {
			const output = await runAnswered(name, { body: foreign }, { simplify });
			for (const record of output) {
				expect(hasNulls(record), JSON.stringify(record)).toBe(false);
				expect(record).toMatchObject(foreign);
			}
		}
	});
});

it('of each step is enough for the next one, without long expressions', async () => {
	const steps: [name: string, parameters: Call['parameters']][] = [
		['proposal.create', { salesPersonId: seed.users.salesPriya, name: 'Five Steps' }],
		['area.create', { proposalId: '={{ $json.proposalId }}', name: 'Den' }],
		[
			'item.add',
			{
				proposalId: '={{ $json.proposalId }}',
				areaOptionId: '={{ $json.areaOptionId }}',
				items: {
					item: [
						{ itemType: 'Part', itemId: seed.catalogItems.television, quantity: 1 },
						{ itemType: 'Labor', itemId: seed.catalogItems.installation, quantity: 2 },
					],
				},
			},
		],
		[
			'item.update',
			{
				proposalId: '={{ $json.proposalId }}',
				itemId: '={{ $json.id }}',
				updateFields: { quantity: 3, sellPrice: 100 },
			},
		],
		['proposal.get', { proposalId: '={{ $json.proposalId }}' }],
	];
	let items: IDataObject[] = [{}];
	for (const [name, parameters] of steps) {
		const [resource, operation] = name.split('.') as [string, string];
		const output = await execute({
			credential,
			parameters: { resource, operation, ...parameters },
			items,
		});
		items = output.map(({ json }) => json);
	}
	// Two items of 3 × 100 each; nobody has a location yet, so there is no tax.
	expect(items).toHaveLength(2);
	for (const proposal of items) {
		expect(proposal).toMatchObject({ name: 'Five Steps', status: 'Draft', proposalTotal: 600 });
	}
});
