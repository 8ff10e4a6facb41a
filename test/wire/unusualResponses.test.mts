/**
 * Operations and lists of the editor with a response that is not a record: see also
 * test/unit/anyResponse.
 */
import { expect, it } from 'vitest';
import type { Fault } from '../../dev/simulator/index.mts';
import { restoredService, startService } from './account.mts';
import { callsFor, operationNames, runCall, type Call } from './calls.mts';
import { editorLists, listIn } from './editorLists.mts';

const { simulator, control: prepared } = await startService();
const calls = callsFor(prepared);
await simulator.stop();
const lists = operationNames.filter((name) =>
	/\.(getMany|getCategories|search|getSuppliers)$/.test(name),
);
/** A copy cannot go on without the ID of the new proposal: duplicate.test.mts. */
const others = operationNames.filter(
	(name) => !lists.includes(name) && name !== 'proposal.duplicate',
);
const isDeletion = (name: string) => calls[name]!.kind === 'delete';

const service = restoredService();

/** Runs the valid call of an operation, whose requests are all answered with something else. */
async function runAnswered(name: string, fault: Fault, more: Call['parameters'] = {}) {
	const call = callsFor(service.control)[name]!;
	for (const operationId of call.requests) {
		service.control.failNext({ operationId, status: 200, times: 9, ...fault });
	}
	// Checks of such a response: checkedResults.test.mts.
	const unchecked = name.startsWith('item.') ? { options: { checkResult: false } } : {};
	const running = runCall(service.account, name, call, { ...unchecked, ...more });
	const output = await running.finally(() => service.control.clearFaults());
	return output.map(({ json }) => json);
}

/** A result, and the result for responses with further lists. */
async function plainAndExtended<T>(run: () => Promise<T>): Promise<T[]> {
	const plain = await run();
	service.control.restoreState();
	service.control.failNext({ brokenResponse: 'extended', times: 9 });
	return [plain, await run().finally(() => service.control.clearFaults())];
}

const foreign = { ok: true, code: 7 };
const NO_LIST = /^Unexpected response: Portal\.io did not return (the list '\w+'|a proposal)/;

it.each(others.filter((name) => calls[name]!.kind !== 'read'))(
	'confirms %s with the IDs that it sent where the response is empty or text',
	async (name) => {
		const { proposalId } = calls[name]!.parameters;
		const confirmation = isDeletion(name) ? { deleted: true } : { success: true };
		const text = { headers: { 'Content-Type': 'text/plain' }, body: 'Done' };
		for (const fault of [{ status: 204, body: '' }, { body: [] }, text]) {
			const [output, ...more] = await runAnswered(name, fault);
			expect(more).toEqual([]);
			expect(output).toMatchObject(confirmation);
			expect(output!.message).toBe(fault === text ? 'Done' : undefined);
			expect(output!.proposalId).toBe(proposalId);
			expect(Object.values(output!)).not.toContain(null);
		}
	},
);

it('passes on that nothing was deleted, where the response says so', async () => {
	const [output] = await runAnswered('aiContent.delete', { body: { id: 5, deleted: false } });
	expect(output).toMatchObject({ deleted: false });
});

it.each(others)('passes on an unknown object from %s', async (name) => {
	const [output, ...more] = await runAnswered(name, { body: foreign });
	expect(more).toEqual([]);
	expect(Object.values(output!)).not.toContain(null);
	if (isDeletion(name)) expect(output).toMatchObject({ deleted: true });
	// Assigning a contact returns no record that could be relied on.
	else if (name === 'proposal.assignContact') expect(output!.success).toBe(true);
	else expect(output).toMatchObject(foreign);
});

it.each(['area.create', 'areaOption.create', 'item.add', 'item.copy', 'item.move'])(
	'fails where the response of %s has something else than areas, and says that it may be done',
	async (name) => {
		const { proposalId: id } = calls[name]!.parameters;
		for (const areas of [[null], 'none', [{ id: 1, options: [null] }]]) {
			await expect(runAnswered(name, { body: { id, number: 1021, areas } })).rejects.toMatchObject({
				message: expect.stringMatching(NO_LIST),
				description: expect.stringMatching(
					/Portal\.io (may have processed|accepted) the request.*\nIt returned (an array|an object|a)/s,
				),
			});
		}
	},
);

it.each(lists)('fails where the response of %s has no list', async (name) => {
	await expect(runAnswered(name, { body: foreign })).rejects.toMatchObject({
		message: expect.stringMatching(NO_LIST),
		description: expect.stringMatching(/^It returned an object with 'ok', 'code'\./),
	});
});

it.each(lists)('finds the list of %s in a response with further lists', async (name) => {
	const [plain, extended] = await plainAndExtended(async () =>
		runCall(service.account, name, callsFor(service.control)[name]!),
	);
	expect(extended).toEqual(plain);
});

it.each(editorLists)(
	'finds the list %s of the editor in a response with further lists',
	async (method) => {
		const [plain, extended] = await plainAndExtended(async () => listIn(service, method));
		expect(extended).toEqual(plain);
	},
);

it.each(editorLists)(
	'fails the list %s of the editor where the response has none',
	async (method) => {
		// The lists of a proposal's content are read with it.
		service.control.failNext({ status: 200, body: foreign, times: 9 });
		const listing = listIn(service, method).finally(() => service.control.clearFaults());
		await expect(listing).rejects.toThrow(NO_LIST);
	},
);
