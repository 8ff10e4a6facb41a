/**
 * The responses of the contract without their optional fields, or with null in them, through every
 * operation, list of the editor and poll. What each request looks like: test/unit/operations.yaml.
 */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { pollingTriggerNode } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed } from './account.mts';
import { callsFor, operationNames, runCall, type Call } from './calls.mts';
import { editorLists, listIn } from './editorLists.mts';

/** What operations do only when they are told to. */
const further: Record<string, Call['parameters']> = {
	'proposal.getMany': { options: { includeDetails: true } },
};

/** All that these return is optional. */
const MAY_BE_EMPTY = [
	'area.getMany',
	'item.getMany',
	'payment.getMany',
	'recurringService.getMany',
];
/** What a copy is made from and compared with is optional: then its error says what is missing. */
const tried = operationNames.filter((name) => name !== 'proposal.duplicate');

/** What is written where a value is missing and nobody looked. */
const GARBAGE = /\b(undefined|null|NaN|\[object Object\])\b/;

/** All records in a response that have an ID, at whatever depth. */
function recordsIn(value: unknown, id: unknown): IDataObject[] {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap((one) => recordsIn(one, id));
	return (value as IDataObject).id === id ? [value as IDataObject, ...inner] : inner;
}

describe.each(['absent', 'null', 'absentInside', 'nullInside'] as const)(
	'where optional fields are %s',
	(optionalFields) => {
		const service = restoredService({ optionalFields });
		const proposalId = seed.proposals.staleWholeHome;

		const outputOf = async (name: string, more: Call['parameters']) => {
			service.control.restoreState();
			const call = callsFor(service.control)[name]!;
			// An item that the response leaves out cannot be seen to have changed: checkedResults.test.mts.
			const unchecked = name.startsWith('item.') && { options: { checkResult: false } };
			const parameters = { ...further[name], ...unchecked, ...more };
			const output = await runCall(service.account, name, call, parameters);
			return { call, output: output.map(({ json }) => json) };
		};

		it.each(tried)(
			`returns from %s what a response has whose optional fields are ${optionalFields}`,
			async (name) => {
				const { output: full } = await outputOf(name, { output: 'raw' });
				const { call, output } = await outputOf(name, { output: 'simplified' });
				if (!MAY_BE_EMPTY.includes(name)) expect(output.length).toBeGreaterThan(0);
				expect(JSON.stringify([full, output])).not.toMatch(/"(undefined|NaN|\[object Object\])/);
				for (const record of output) {
					const [id] = Object.values(record);
					for (const [field, value] of Object.entries(record)) {
						const given = call.parameters[field];
						if (/Id$/.test(field) && typeof given === 'number') expect(value, field).toBe(given);
						if (value !== null) continue;
						const there = recordsIn(full, id).map((one) => one[field] ?? null);
						expect(
							there.filter((one) => typeof one !== 'object'),
							field,
						).toEqual([]);
					}
				}
			},
		);

		/** Without these in the response there is nothing to list. */
		const mayBeEmpty = [
			...['searchAreas', 'searchOptionsOfArea', 'searchAreaOptions', 'searchItems'],
			...['searchContactLocations', 'searchProposalLocations', 'searchSubscriptions'],
			...['searchChangeOrders', 'searchContent', 'getItems', 'getAreaOptions', 'getCategories'],
		];
		it.each(editorLists)(
			`lists with %s what can be chosen where optional fields are ${optionalFields}`,
			async (method) => {
				const choices = await listIn(service, method).catch((error: Error) => {
					// The contact of a proposal is optional.
					expect(error.message).toBe('Assign a contact to the proposal first');
					return [];
				});
				if (!mayBeEmpty.includes(method)) expect(choices.length).toBeGreaterThan(0);
				expect(choices.filter(({ value }) => !(Number(value) > 0))).toEqual([]);
				for (const { name } of choices) {
					expect(name).toMatch(/\w/);
					expect(name).not.toMatch(GARBAGE);
				}
			},
		);

		it.each([
			...['changeOrderStatusChanged', 'contactCreatedOrUpdated', 'paymentStatusChanged'],
			...['proposalCreated', 'proposalStatusChanged', 'proposalUpdated'],
		])(`polls for %s where optional fields are ${optionalFields}`, async (event) => {
			for (const simplify of [true, false]) {
				service.control.restoreState();
				const parameters = { event, simplify, options: { fetchProposal: true } };
				const node = pollingTriggerNode({ credential: service.account, parameters });
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
