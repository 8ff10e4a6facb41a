/** What operations return when the service answers with something else than a record. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../dev/simulator/index.mts';
import { restoredService, startService } from './account.mts';
import { callsFor, operationNames, runCall, type Call } from './calls.mts';
import { editorLists, listIn } from './editorLists.mts';

const { simulator, control: prepared } = await startService();
const callsOf = callsFor(prepared);
await simulator.stop();
const isRead = (name: string) => callsOf[name]!.kind === 'read';
const isDeletion = (name: string) => callsOf[name]!.kind === 'delete';
const lists = operationNames.filter((name) =>
	/\.(getMany|getCategories|search|getSuppliers)$/.test(name),
);
/** A copy cannot go on without the ID of the new proposal: duplicate.test.mts. */
const changes = operationNames.filter((name) => !isRead(name) && name !== 'proposal.duplicate');

const service = restoredService();

/** Runs the valid call of an operation, whose requests are all answered with something else. */
async function runAnswered(name: string, fault: Fault, more: Call['parameters'] = {}) {
	const call = callsFor(service.control)[name]!;
	for (const id of call.requests) {
		service.control.failNext({ operationId: id, status: 200, times: 9, ...fault });
	}
	// What a check makes of such a response: checkedResults.test.mts.
	const unchecked = name.startsWith('item.') ? { options: { checkResult: false } } : {};
	const running = runCall(service.account, name, call, { ...unchecked, ...more });
	const output = await running.finally(() => service.control.clearFaults());
	return output.map(({ json }) => json);
}

const text = { headers: { 'Content-Type': 'text/plain' }, body: 'Done' };
const foreign = { ok: true, code: 7 };
const hasNulls = (record: IDataObject) => Object.values(record).includes(null);

describe('a response', () => {
	it.each(changes)('confirms an empty response with the IDs that %s sent', async (name) => {
		const { proposalId } = callsOf[name]!.parameters;
		const confirmation = isDeletion(name) ? { deleted: true } : { success: true };
		const nothing = { headers: { 'Content-Type': 'application/json' }, body: 'null' };
		const empty = [{ status: 204, body: '' }, { brokenResponse: 'empty' }, nothing] as const;
		for (const fault of [...empty, text]) {
			const output = await runAnswered(name, fault);
			expect(output).toHaveLength(1);
			expect(output[0]).toMatchObject(confirmation);
			expect(output[0]!.message).toBe(fault === text ? 'Done' : undefined);
			expect(output[0]!.proposalId).toBe(proposalId);
			expect(hasNulls(output[0]!)).toBe(false);
		}
		expect(await runAnswered(name, { body: [] })).toMatchObject([confirmation]);
	});

	it.each(['item.add', 'item.copy', 'item.move', 'item.replace', 'area.create'])(
		'passes on a proposal without areas or options from %s',
		async (name) => {
			const { proposalId: id } = callsOf[name]!.parameters;
			for (const areas of [undefined, [], [{ id: 1, name: 'Den' }]]) {
				const isArea = name === 'area.create' && areas?.length;
				expect(await runAnswered(name, { body: { id, number: 1021, areas } })).toMatchObject([
					isArea ? { id: 1, proposalId: id } : { id, number: 1021 },
				]);
			}
		},
	);

	it('calls a response that says that nothing was deleted no deletion', async () => {
		const [output] = await runAnswered('aiContent.delete', { body: { id: 5, deleted: false } });
		expect(output).toMatchObject({ deleted: false });
	});

	it.each(lists)(
		'refuses a response of %s without a list, never taken for an empty one',
		async (name) => {
			await expect(runAnswered(name, { body: foreign })).rejects.toMatchObject({
				message: expect.stringMatching(
					/^Unexpected response: Portal\.io did not return (the list '\w+'|a proposal)/,
				),
				description: expect.stringMatching(/^It returned an object with 'ok', 'code'\./),
			});
		},
	);

	/** What something gives, and what it gives of responses that have other lists too. */
	async function plainAndExtended<T>(run: () => Promise<T>): Promise<T[]> {
		const plain = await run();
		service.control.restoreState();
		service.control.failNext({ brokenResponse: 'extended', times: 9 });
		return [plain, await run().finally(() => service.control.clearFaults())];
	}

	it.each(lists)('finds the list in a response that has others too: %s', async (name) => {
		const [plain, extended] = await plainAndExtended(async () =>
			runCall(service.account, name, callsFor(service.control)[name]!),
		);
		expect(extended).toEqual(plain);
	});

	it.each(editorLists)(
		'finds the list in a response that has others too, in the editor: %s',
		async (method) => {
			const [plain, extended] = await plainAndExtended(async () => listIn(service, method));
			expect(extended).toEqual(plain);
		},
	);

	it.each([
		['proposal.get', 'proposalId', 'number', '1021'],
		['catalog.get', 'catalogItemId', 'model', 'CV-6C'],
	])(
		'does not say that nothing was found where no list came: %s',
		async (name, field, mode, value) => {
			service.control.failNext({ status: 200, body: foreign, times: 9 });
			const lookup = service.run(name, { [field]: { __rl: true, mode, value } });
			await expect(lookup.finally(() => service.control.clearFaults())).rejects.toThrow(
				/^Unexpected response: Portal\.io did not return the list '\w+'/,
			);
		},
	);

	it.each(editorLists)(
		'refuses a response without a list, or that is no proposal, in the editor: %s',
		async (method) => {
			// The lists of a proposal's content are read with it.
			service.control.failNext({ status: 200, body: foreign, times: 9 });
			const listing = listIn(service, method).finally(() => service.control.clearFaults());
			await expect(listing).rejects.toThrow(
				/^Unexpected response: Portal\.io did not return (the list '\w+'|a proposal)/,
			);
		},
	);

	it.each(operationNames.filter((name) => !lists.includes(name) && name !== 'proposal.duplicate'))(
		'passes on an unknown object from %s',
		async (name) => {
			for (const simplify of [true, false]) {
				const output = await runAnswered(name, { body: foreign }, { simplify });
				expect(output).toHaveLength(1);
				for (const record of output) {
					expect(hasNulls(record), JSON.stringify(record)).toBe(false);
					if (isDeletion(name)) expect(record).toMatchObject({ deleted: true });
					// Assigning a contact returns no record that could be relied on.
					else if (name === 'proposal.assignContact') expect(record.success).toBe(true);
					else expect(record).toMatchObject(foreign);
				}
			}
		},
	);

	it.each(['area.create', 'areaOption.create', 'item.add', 'item.copy', 'item.move'])(
		'refuses something else in the place of records from %s, which may have been done',
		async (name) => {
			const { proposalId: id } = callsOf[name]!.parameters;
			for (const areas of [[null], [5], 'none', { id: 1 }, [{ id: 1, options: [null] }]]) {
				const body = { id, number: 1021, areas };
				await expect(runAnswered(name, { body })).rejects.toMatchObject({
					message: expect.stringMatching(
						/^Unexpected response: Portal.io did not return the list '\w+'/,
					),
					description: expect.stringMatching(
						/Portal\.io (may have processed|accepted) the request.*\nIt returned (an array|an object|a)/s,
					),
				});
			}
		},
	);
});
