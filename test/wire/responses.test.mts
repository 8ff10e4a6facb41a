/** Responses that lack what is optional, or are something else. Any JSON: test/unit/anyResponse. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../dev/simulator/index.mts';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/events.ts';
import { type FileService, seed } from './account.mts';
import { calls, operationNames, preparedService, runCall } from './calls.mts';
import { editorLists, listIn } from './editorLists.mts';

/** A copy requires what its original and the new proposal consist of: test/unit/severalRequests. */
const names = operationNames.filter((name) => name !== 'proposal.duplicate');
const lists = names.filter((name) => /\.(getMany|getCategories|search|getSuppliers)$/.test(name));
const others = names.filter((name) => !lists.includes(name));
const events = Object.keys(pollEvents);

/** Runs the call of an operation whose effect is not checked: checkedResults.test.mts. */
async function outputOf(service: FileService, name: string, more: object = {}) {
	const unchecked = name.startsWith('item.') && { options: { checkResult: false } };
	const details = name === 'proposal.getMany' && { options: { includeDetails: true } };
	const parameters = { ...details, ...unchecked, ...more };
	const output = await runCall(service.account, name, calls[name]!, parameters);
	return output.map(({ json }) => json);
}

function recordsIn(value: unknown, id: unknown): IDataObject[] {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap((one) => recordsIn(one, id));
	return (value as IDataObject).id === id ? [value as IDataObject, ...inner] : inner;
}

describe.each(['absent', 'null', 'absentInside', 'nullInside'] as const)(
	'where optional fields are %s',
	(optionalFields) => {
		const service = preparedService({ optionalFields });
		const proposalId = seed.proposals.staleWholeHome;

		it.each(names)(`returns all from %s with optional fields ${optionalFields}`, async (name) => {
			const full = await outputOf(service, name, { output: 'raw' });
			service.control.restoreState();
			const output = await outputOf(service, name, { output: 'simplified' });
			// All that these return is optional.
			if (!/^(area|item|payment|recurringService)\.getMany$/.test(name))
				expect(output.length).toBeGreaterThan(0);
			expect(JSON.stringify([full, output])).not.toMatch(/"(undefined|NaN|\[object Object\])/);
			for (const record of output) {
				const [id] = Object.values(record);
				for (const [field, value] of Object.entries(record)) {
					const given = calls[name]!.parameters[field];
					if (/Id$/.test(field) && typeof given === 'number') expect(value, field).toBe(given);
					if (value !== null) continue;
					const isSet = (one: IDataObject) => typeof (one[field] ?? null) !== 'object';
					expect(recordsIn(full, id).filter(isSet), field).toEqual([]);
				}
			}
		});

		/** Without these in the response there is nothing to list. */
		const mayBeEmpty = [
			...['searchAreas', 'searchOptionsOfArea', 'searchAreaOptions', 'searchItems'],
			...['searchContactLocations', 'searchProposalLocations', 'searchSubscriptions'],
			...['searchChangeOrders', 'searchContent', 'getItems', 'getAreaOptions', 'getCategories'],
		];
		it.each(editorLists)(`lists %s with optional fields ${optionalFields}`, async (method) => {
			const choices = await listIn(service, method).catch((error: Error) => {
				// The contact of a proposal is optional.
				expect(error.message).toBe('Assign a contact to the proposal first');
				return [];
			});
			if (!mayBeEmpty.includes(method)) expect(choices.length).toBeGreaterThan(0);
			expect(choices.filter(({ value }) => !(Number(value) > 0))).toEqual([]);
			for (const { name } of choices) {
				expect(name).toMatch(/\w/);
				expect(name).not.toMatch(/\b(undefined|null|NaN|\[object Object\])\b/);
			}
		});

		it.each(events)(`polls for %s with optional fields ${optionalFields}`, async (event) => {
			for (const simplify of [true, false]) {
				service.control.restoreState();
				const node = service.polling(event, { simplify, options: { fetchProposal: true } });
				await node.poll();
				await service.control.advance(1);
				service.control.accept(proposalId);
				const id = service.control.addContact('New');
				const reported = (await node.poll()) ?? [];
				if (event === 'contactCreatedOrUpdated') expect(reported).toMatchObject([{ id }]);
				if (event === 'proposalStatusChanged') {
					expect(reported).toMatchObject([{ [simplify ? 'proposalId' : 'id']: proposalId }]);
				}
				const sample = await node.test().catch((error: Error) => {
					expect(error.message).toBe('No record to show as a sample yet');
				});
				expect(JSON.stringify([reported, sample])).not.toMatch(/"(undefined|NaN)/);
			}
		});
	},
);

describe('another response', () => {
	const service = preparedService();
	const foreign = { ok: true, code: 7 };
	const withoutList = /^Unexpected response: Portal\.io did not return (the list '\w+'|a proposal)/;
	async function outputFor(name: string, response: Fault) {
		for (const id of calls[name]!.requests) {
			service.fail(id, { status: 200, times: 9, ...response });
		}
		return await outputOf(service, name).finally(() => service.control.clearFaults());
	}

	/** Whether the output is read from the proposal if the response does not show it: test/unit/outputs. */
	const isReadAgain = (name: string) => name.startsWith('area');
	const confirmed = others.filter((name) => !isReadAgain(name) && calls[name]!.kind !== 'read');
	const acknowledgments: Array<[Fault, message?: string]> = [
		[{ status: 204, body: '' }],
		[{ body: [] }],
		[{ body: true }],
		[{ headers: { 'Content-Type': 'application/json' }, body: '"OK"' }, 'OK'],
		[{ headers: { 'Content-Type': 'text/plain' }, body: 'Done' }, 'Done'],
	];
	it.each(confirmed)(
		'confirms %s with the IDs that it sent where the response is empty, text or true',
		async (name) => {
			const { kind, parameters } = calls[name]!;
			const confirmation = kind === 'delete' ? { deleted: true } : { success: true };
			for (const [response, message] of acknowledgments) {
				const [output, ...more] = await outputFor(name, response);
				expect(more).toEqual([]);
				expect(output).toMatchObject(confirmation);
				expect(output!.message).toBe(message);
				expect(output!.proposalId).toBe(parameters.proposalId);
				expect(Object.values(output!)).not.toContain(null);
			}
		},
	);

	it.each(others.filter((name) => !isReadAgain(name)))(
		'passes on an unknown object from %s',
		async (name) => {
			const [output, ...more] = await outputFor(name, { body: foreign });
			expect(more).toEqual([]);
			expect(Object.values(output!)).not.toContain(null);
			if (calls[name]!.kind === 'delete') expect(output).toMatchObject({ deleted: true });
			// Assigning a contact returns no record that could be relied on.
			else if (name === 'proposal.assignContact') expect(output!.success).toBe(true);
			else expect(output).toMatchObject(foreign);
		},
	);

	it.each(['area.create', 'areaOption.create', 'item.add', 'item.copy', 'item.move'])(
		'fails where the response of %s has no list of items, and says that it may be done',
		async (name) => {
			const { proposalId: id } = calls[name]!.parameters;
			const body = { id, number: 1021, areas: [{ id: 1, options: [null] }] };
			await expect(outputFor(name, { body })).rejects.toMatchObject({
				message: expect.stringMatching(withoutList),
				description: expect.stringMatching(
					/Portal\.io (may have processed|accepted) the request.*\nIt returned/s,
				),
			});
		},
	);

	const bare = ['changeOrder.getMany', 'catalog.getCategories', 'webhookSubscription.getMany'];
	const named = lists.filter((name) => !bare.includes(name));
	it.each(named)('finds the list of %s in a response with further lists', async (name) => {
		const documented = await outputOf(service, name);
		expect(documented.length).toBeGreaterThan(0);
		service.control.failNext({ brokenResponse: 'extended', times: 9 });
		expect(await outputOf(service, name)).toEqual(documented);
	});

	it.each(lists)('fails where the response of %s has no list', async (name) => {
		await expect(outputFor(name, { body: foreign })).rejects.toMatchObject({
			message: expect.stringMatching(withoutList),
			description: expect.stringMatching(/^It returned an object with 'ok', 'code'\./),
		});
	});

	it.each(editorLists)('fails the list %s of the editor without a list', async (method) => {
		// The lists of a proposal's content are read with it.
		service.control.failNext({ status: 200, body: foreign, times: 9 });
		await expect(listIn(service, method)).rejects.toThrow(withoutList);
	});
});
