/**
 * Tests outputs that are not simply copied from a documented response: incomplete records, and changes whose response
 * does not show the changed record. outputFields.test.mts tests complete records.
 */
import { describe, expect, it } from 'vitest';
import { plainValues } from '../../dev/scripts/recordedCall.mts';
import { selectFields, addDefaults } from '../../nodes/PortalIo/operation/output.ts';
import type { Shape } from '../../nodes/shared/simplify.ts';
import * as documented from './documentedRecords.mts';
import { operationCalled, runOperation } from './runOperation.mts';

const { area, areaOptionOutput, item, itemOutput, option, proposal, proposalOutput } = documented;
const proposalId = proposal.id;

const outputsOf = async (name: string, values: object, response: unknown) =>
	await runOperation(name, { proposalId, ...values }, () => response);

/** Runs an operation whose requests receive `responses` in order. */
const outputsAfter = async (name: string, values: object, ...responses: unknown[]) =>
	await runOperation(name, { proposalId, ...values }, () => responses.shift());

const withAreas = (...areas: object[]) => ({ ...proposal, areas });
const shortProposal = { ...proposal, areas: undefined };
const another = { ...proposal, id: 41 };
const loft = {
	id: 8002,
	name: 'Loft',
	options: [11, 13, 12].map((id) => ({ ...option, id, items: [] })),
};

/** Responses to a change of areas. None of them shows the areas of the changed proposal. */
const WITHOUT_AREAS: Array<[response: string, body: unknown]> = [
	['empty', ''],
	['plain text', 'Done'],
	['an empty object', {}],
	['a record without an ID', { areas: [area] }],
	['a proposal without areas', shortProposal],
	['a proposal with an empty list of areas', withAreas()],
	['another proposal', another],
];

describe('area.create', () => {
	const name = 'area.create';
	const [before, after] = [withAreas(loft), withAreas(loft, area)];
	const created = { ...areaOptionOutput, reused: false };

	it.each([' den', 'A name that Portal.io has changed'])(
		'outputs the area that did not exist before, regardless of the requested name %j',
		async (areaName) => {
			expect(await outputsAfter(name, { name: areaName }, before, after)).toEqual([created]);
		},
	);

	it.each(WITHOUT_AREAS)('reads the new area if the response is %s', async (_, response) => {
		const output = await outputsAfter(name, { name: 'Den' }, before, response, after);
		expect(output).toEqual([created]);
	});

	describe('when someone else adds an area at the same time', () => {
		const attic = { id: 10, name: 'Attic', options: [{ id: 14 }] };
		const both = withAreas(attic, area, loft);

		it('outputs the area with the requested name', async () => {
			expect(await outputsAfter(name, { name: 'DEN' }, before, both)).toEqual([created]);
		});

		it('fails if no new area has the requested name', async () => {
			await expect(outputsAfter(name, { name: 'Other' }, before, both)).rejects.toThrow(
				'the new one cannot be identified',
			);
		});
	});

	it('fails if the proposal has no new area', async () => {
		await expect(outputsAfter(name, { name: 'Den' }, after, after)).rejects.toThrow('no new area');
	});
});

describe('areaOption.create', () => {
	const name = 'areaOption.create';
	const loftWith = (...options: object[]) => withAreas(area, { ...loft, options });
	const [first, oak, elm] = [11, 12, 13].map((id) => ({ ...option, id, items: [] }));
	const before = loftWith(first!);
	const after = loftWith(first!, oak!);
	const additionalFields = { clientDescription: 'In oak', installerNotes: 'Bring a ladder' };
	const values = { areaId: loft.id, additionalFields };
	const created = {
		...areaOptionOutput,
		areaOptionId: 12,
		areaId: loft.id,
		areaName: 'Loft',
		itemCount: 0,
	};

	it('outputs the option that did not exist before', async () => {
		expect(await outputsAfter(name, values, before, after)).toEqual([created]);
	});

	it.each(WITHOUT_AREAS)('reads the new option if the response is %s', async (_, response) => {
		expect(await outputsAfter(name, values, before, response, after)).toEqual([created]);
	});

	describe('when someone else adds an option at the same time', () => {
		it.each([{ clientDescription: 'In elm' }, { installerDescription: 'Bring a saw' }])(
			'outputs the option with the sent text, not the one with %j',
			async (texts) => {
				// Expect a match, because Portal.io can change the spaces in text.
				const clientDescription = 'In  oak';
				const both = loftWith(first!, { ...oak!, clientDescription }, { ...elm!, ...texts });
				const output = await outputsAfter(name, values, before, both);
				expect(output).toEqual([{ ...created, clientDescription }]);
			},
		);

		it('fails if both options have the text that was sent', async () => {
			const both = loftWith(first!, oak!, elm!);
			await expect(outputsAfter(name, values, before, both)).rejects.toThrow(
				'the new one cannot be identified',
			);
		});
	});

	it('fails if only another area has a new option', async () => {
		const elsewhere = withAreas({ ...area, options: [option, elm] }, { ...loft, options: [first] });
		await expect(outputsAfter(name, values, before, elsewhere)).rejects.toThrow('no new option');
	});
});

describe('areaOption.update', () => {
	const values = {
		areaId: area.id,
		areaOptionId: option.id,
		updateFields: { clientDescription: 'In oak' },
	};

	it('outputs the option with the ID, even if it is in another area', async () => {
		const output = await outputsOf('areaOption.update', { ...values, areaId: loft.id }, proposal);
		expect(output).toEqual([areaOptionOutput]);
	});

	it.each(WITHOUT_AREAS)('reads the option if the response is %s', async (_, response) => {
		const output = await outputsAfter('areaOption.update', values, response, proposal);
		expect(output).toEqual([areaOptionOutput]);
	});

	it('fails if the proposal does not have the option', async () => {
		const updating = outputsOf('areaOption.update', { ...values, areaOptionId: 7 }, proposal);
		await expect(updating).rejects.toThrow('has no area option 7');
	});
});

it.each<[string, object]>([
	['area.create', {}],
	['areaOption.create', { areaId: area.id }],
	['areaOption.update', { areaId: area.id, areaOptionId: option.id }],
])('confirms %s with the sent IDs if no response has areas', async (name, ids) => {
	const values = { ...ids, name: 'Den', updateFields: { clientDescription: 'In oak' } };
	const output = await outputsOf(name, values, shortProposal);
	expect(output).toEqual([{ success: true, proposalId, ...ids }]);
});

describe('a change to a proposal or an item', () => {
	const updates: Array<[name: string, values: object, output: object]> = [
		['proposal.update', { updateFields: { name: 'Lake House' } }, proposalOutput],
		['proposal.assignLocation', { locationId: 3 }, proposalOutput],
		['item.setSupplier', { itemId: item.id, supplierId: 1 }, itemOutput],
	];
	const incomplete: unknown[] = [
		'',
		true,
		'Done',
		{},
		shortProposal,
		{ ...proposal, financialSummary: undefined },
		another,
	];

	it.each(updates)('is output by %s from a complete response', async (name, values, output) => {
		expect(await outputsAfter(name, values, proposal)).toEqual([output]);
	});

	it.each(updates)(
		'is read and output by %s after an incomplete response',
		async (name, values, output) => {
			for (const response of incomplete) {
				expect(await outputsAfter(name, values, response, proposal)).toEqual([output]);
			}
		},
	);

	it.each(updates)(
		'is reported as possibly made by %s if it cannot be read',
		async (name, values) => {
			await expect(outputsAfter(name, values, '', {})).rejects.toMatchObject({
				doubt: expect.stringContaining('You can safely run the step again.'),
			});
		},
	);

	it('confirms item.setSupplier with the sent IDs if the proposal lacks the item', async () => {
		const ids = { itemId: 7, supplierId: 1 };
		const output = await outputsOf('item.setSupplier', ids, proposal);
		expect(output).toEqual([{ success: true, proposalId, ...ids }]);
	});

	it('includes the margins from before and after item.refreshCosts', async () => {
		const before = { ...proposal, profit: { total: 30, percentage: 30 } };
		for (const response of incomplete) {
			const output = await outputsAfter('item.refreshCosts', {}, before, response, proposal);
			expect(output).toEqual([{ ...proposalOutput, profitBefore: 30, marginBefore: 30 }]);
		}
	});

	it.each([
		[0, {}, 'simplified', 1],
		[0, { skipEmpty: true }, 'simplified', 0],
		[0, { skipEmpty: true }, 'raw', 0],
		[99, { skipEmpty: true }, 'simplified', 1],
	])(
		'is output by item.refreshCosts for the subtotal %d, the options %j, and the Output %s as %d record(s)',
		async (...row) => {
			const [proposalSubtotal, options, output, count] = row;
			const response = { ...proposal, financialSummary: { proposalSubtotal } };
			const outputs = await outputsOf('item.refreshCosts', { options, output }, response);
			expect(outputs).toHaveLength(count);
		},
	);
});

describe('a record that lacks something', () => {
	const nulls = (output: object) =>
		Object.fromEntries(Object.keys(output).map((name) => [name, null]));

	it('outputs null for each value that a contact lacks', async () => {
		const output = await outputsOf('contact.get', {}, { id: 7 });
		expect(output).toEqual([{ ...nulls(documented.contactOutput), contactId: 7 }]);
	});

	it.each([{ ok: true }, {}])('causes an error if it lacks the ID: %j', async (response) => {
		await expect(outputsOf('contact.get', {}, response)).rejects.toThrow('did not return a record');
	});

	it('outputs null for each value that an option without items lacks', async () => {
		const response = withAreas({ ...loft, options: [{ id: 11, status: 'Draft' }] });
		const place = { areaOptionId: 11, areaId: loft.id, areaName: 'Loft', proposalId };
		expect(await outputsOf('area.getMany', {}, response)).toEqual([
			{ ...nulls(areaOptionOutput), ...place, status: 'Draft', itemCount: 0 },
		]);
	});

	it("outputs an item's own name if it has no brand or model", async () => {
		const trim = { ...option, items: [{ id: 8, name: 'Trim' }] };
		const response = withAreas({ ...area, options: [trim] });
		const values = { options: { includeDeclinedOptions: true }, output: 'simplified' };
		const [output] = await outputsOf('item.getMany', values, response);
		expect(output).toMatchObject({ itemId: 8, name: 'Trim', brand: null, model: null });
	});

	it('outputs the description as the name of labor that has none', async () => {
		const response = { ...documented.labor, name: '' };
		const [output] = await outputsOf('catalog.get', { itemType: 'Labor' }, response);
		expect(output).toEqual({ ...documented.laborOutput, name: 'Per hour' });
	});

	it('outputs payments that have no due date', async () => {
		const response = {
			...proposal,
			paymentRequests: [{ ...documented.paymentRequest, dueDate: null }],
			paymentSchedule: { payments: [{ amount: 20, due: { milestone: 'Completion' } }] },
		};
		const values = { options: { includeSchedule: true } };
		expect(await outputsOf('payment.getMany', values, response)).toEqual([
			{ ...documented.paymentOutput, dueDate: null },
			{
				...documented.plannedPaymentOutput,
				amount: 20,
				dueDate: null,
				milestone: 'Completion',
			},
		]);
	});

	it('takes the contact of a new location from the request', async () => {
		const response = { ...documented.contactLocation, contactId: null };
		const [output] = await outputsOf('location.create', { contactId: 7001 }, response);
		expect(output).toMatchObject({ contactId: 7001 });
	});

	it('takes only its missing values from the request', () => {
		const filled = addDefaults({ a: 1, b: null, d: 0 }, { a: 9, b: 2, c: 3, d: 8 });
		expect(filled).toEqual({ a: 1, b: 2, c: 3, d: 0 });
	});
});

it("outputs the contact in a location's record rather than the requested contact", async () => {
	const response = {
		contactLocations: [{ ...documented.contactLocation, contactId: 9 }],
		locationCount: 1,
	};
	const [output] = await outputsOf('location.getMany', { contactId: 8 }, response);
	expect(output).toMatchObject({ contactId: 9 });
});

it.each([
	[12, { total: 12 }],
	[13, { total: null, financialSummary: { changeOrderSubtotal: 13 } }],
])('outputs the total %d of a listed change order with %j', async (total, values) => {
	const response = [{ ...documented.listedChangeOrder, ...values }];
	const [output] = await outputsOf('changeOrder.getMany', {}, response);
	expect(output).toMatchObject({ changeOrderTotal: total });
});

it('outputs the ID of the change order that contains an item', async () => {
	const ids = await runOperation(
		'item.getMany',
		{
			proposalId,
			options: { includeChangeOrders: true, includeDeclinedOptions: true },
			fields: ['changeOrderId'],
		},
		({ url }) =>
			url.endsWith('/4') ? { ...proposal, id: 4 } : url.endsWith('s') ? [{ id: 4 }] : proposal,
	);
	expect(ids).toEqual([null, 4].map((changeOrderId) => ({ itemId: item.id, changeOrderId })));
});

it('outputs undocumented fields of an AI build', async () => {
	const build = { proposalId, status: 'Building', progress: 5 };
	expect(await outputsOf('aiBuild.start', {}, build)).toEqual([build]);
});

it.each([
	[{ brands: ['SONOS'] }, [8, 10]],
	[{ suppliers: [' meridian', 'Other'] }, [8, 9]],
	[{ brands: ['Sonos'], suppliers: ['Other'] }, []],
])('filters items by brand and supplier regardless of case: %j', async (filters, ids) => {
	const items = [
		{ ...item, id: 8 },
		{ ...item, id: 9, brand: 'Bose' },
		{ ...item, id: 10, supplier: null },
	];
	const values = { filters, options: { includeDeclinedOptions: true } };
	const response = withAreas({ ...area, options: [{ ...option, items }] });
	const found = await outputsOf('item.getMany', values, response);
	expect(found.map(({ itemId }) => itemId)).toEqual(ids);
});

describe('proposal.getMany', () => {
	it.each([{}, { includeDetails: true }])(
		'with Simplified, outputs only fields that lists contain: %j',
		async (options) => {
			const [found] = await runOperation(
				'proposal.getMany',
				{ sort: {}, options, output: 'simplified' },
				({ url }) =>
					url.endsWith(`/${proposalId}`) ? proposal : { proposals: [proposal], proposalCount: 1 },
			);
			expect(Object.keys(found!)).toEqual([
				'proposalId',
				'number',
				'name',
				'status',
				'contactId',
				'clientName',
				'clientEmail',
				'proposalTotal',
				'lastModifiedDate',
				'createdDate',
			]);
		},
	);

	it('rejects selected fields that a list lacks', async () => {
		const given = { output: 'selected', fields: ['name', 'margin', 'salesPersonName'] };
		const getMany = operationCalled('proposal.getMany');
		await expect(plainValues(getMany, given)).rejects.toThrow(
			"'Fields' contains fields that a list does not return: Margin, Salesperson Name. Add the option 'Include Full Proposal'.",
		);
		const options = { includeDetails: true };
		expect(await plainValues(getMany, { ...given, options })).toMatchObject(given);
		const simplified = { ...given, output: 'simplified' };
		expect(await plainValues(getMany, simplified)).toMatchObject({ output: 'simplified' });
	});
});

/** All ten fields of *Simplified*. */
const flatLocation = {
	locationId: 5,
	contactId: 9,
	street: '1 Elm',
	suite: null,
	city: 'Boise',
	postalCode: null,
	state: null,
	country: null,
	isPrimary: null,
	reused: null,
};

it.each([
	[{}, flatLocation],
	[{ output: 'simplified' }, flatLocation],
	[{ output: 'raw' }, undefined],
	[
		{ output: 'selected', fields: ['city'] },
		{ locationId: 5, city: 'Boise' },
	],
	[{ output: 'selected', fields: [] }, { locationId: 5 }],
])('outputs the chosen fields: %j', async (input, expected) => {
	const create = operationCalled('location.create');
	const values = await plainValues(create, { contactId: 9, street: '1 Elm', ...input });
	const record = { id: 5, contactId: 9, street: '1 Elm', city: 'Boise', phone: '555' };
	const output = create.output as { flat: Shape<never> };
	expect(selectFields(output, record, values)).toEqual(expected ?? record);
});
