/** Tests services whose responses omit documented fields, or that list favorites separately. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { restoredService, seed, startService } from './account.mts';
import { calls, operationNames, prepareForCalls, runCall } from './calls.mts';

const changes = operationNames.filter((name) => {
	const [resource, operation] = name.split('.') as [string, string];
	return findOperation(resource, operation)!.kind === 'change';
});
/** Fields whose values differ in each run. */
const VARYING = new Set(['createdDate', 'lastModifiedDate', 'secretKey']);

async function outputsOf(name: string, changeResponses: 'record' | 'onlyId' | 'none') {
	const service = await startService({ aiStepSeconds: 0.1, changeResponses });
	prepareForCalls(service.control);
	const items = await runCall(service.credential(), name, calls[name]!).finally(
		async () => await service.simulator.stop(),
	);
	return items.map(({ json }) => json);
}

const withoutVarying = (record: IDataObject) =>
	Object.fromEntries(Object.entries(record).filter(([field]) => !VARYING.has(field)));

describe.each(['onlyId', 'none'] as const)('with %s in the response to a change', (response) => {
	it.each(changes.filter((name) => !(name === 'proposal.duplicate' && response === 'none')))(
		'%s outputs only values that the record has',
		async (name) => {
			const [record] = await outputsOf(name, 'record');
			const [output] = await outputsOf(name, response);
			const { success, ...fields } = withoutVarying(output!);
			expect(success ?? true).toBe(true);
			const sent = calls[name]!.parameters;
			expect({ ...sent, ...record }).toMatchObject(fields);
		},
	);
});

it('fails when the response to Duplicate lacks the ID of the new proposal', async () => {
	await expect(outputsOf('proposal.duplicate', 'none')).rejects.toThrow(
		'the ID of the new proposal',
	);
});

describe('with list entries that lack all optional fields', () => {
	const service = restoredService({ optionalFields: 'absentInPages' });

	it('reads what a list entry lacks from the full proposal', async () => {
		const parameters = {
			output: 'selected',
			fields: ['proposalTotal', 'clientName'],
			options: { includeDetails: true },
			limit: 1,
		};
		const [proposal] = await service.run('proposal.getMany', parameters);
		const full = service.control.proposal(Number(proposal!.proposalId));
		expect(proposal!.proposalTotal).toBe(full.financialSummary.proposalTotal);
		expect(proposal!.clientName).toContain(full.customer.lastName);
	});
});

describe('with favorites only in a separate list', () => {
	const service = restoredService({ favorites: 'onlyTheirOwn' });

	it('returns each favorite exactly once', async () => {
		const where = { account_id: seed.accounts.dealer, is_favorite: 1 };
		const favorites = service.control.rows('catalog_marks', where);
		const found = await service.run('catalog.search', {
			searchText: '',
			returnAll: true,
			filters: { isFavorite: true },
		});
		expect(found.map(({ catalogItemId }) => catalogItemId).sort()).toEqual(
			favorites.map(({ item_id }) => item_id).sort(),
		);
	});
});

describe('with a modification date only once a contact has been modified', () => {
	const service = restoredService({ listedContacts: 'full', contactDates: 'creationFirst' });

	it('reports a new contact and a modified one', async () => {
		const node = service.polling('contactCreatedOrUpdated');
		await node.poll();
		await service.control.advance(60);
		const newId = service.control.addContact('Guest');
		const { company } = seed.contacts;
		const lastModifiedDate = new Date(service.control.now()).toISOString();
		service.control.update('people', { id: company }, { lastModifiedDate });
		await service.control.advance(60);
		const reported = (await node.poll())!.map(({ contactId }) => contactId);
		expect(reported.toSorted()).toEqual([company, newId].toSorted());
	});
});
