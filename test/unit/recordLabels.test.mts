/** Labels of records in lists, with all of a record and with little of it. */
import { describe, expect, it } from 'vitest';
import { optionsOf } from '../../client/model.ts';
import * as labels from '../../nodes/PortalIo/editor/recordLabels.ts';

const named = (label: unknown) => label as (record: object) => string;

describe('a choice', () => {
	it.each<[string, (record: object) => string, object, string]>([
		[
			'a contact',
			named(labels.contactName),
			{
				id: 5,
				companyName: 'Loft',
				firstName: 'Ann',
				lastName: 'Lee',
				contactEmail: 'a@b.example',
			},
			'Loft, Ann Lee (a@b.example)',
		],
		['a contact', named(labels.contactName), { id: 5, lastName: 'Lee' }, 'Lee'],
		['a contact', named(labels.contactName), { id: 5 }, 'Contact 5'],
		[
			'a user',
			named(labels.userName),
			{ id: 7, firstName: 'Ann', email: 'a@b.example' },
			'Ann (a@b.example)',
		],
		['a user', named(labels.userName), { id: 7 }, 'User 7'],
		[
			'a user',
			named(labels.userName),
			{ id: 7, firstName: 'Ann', lastName: null, email: null },
			'Ann',
		],
		[
			'a proposal',
			named(labels.proposalName),
			{ number: 1042, name: 'Loft', status: 'ViewedByClient', customer: null },
			'#1042 Loft (Viewed By Client)',
		],
		[
			'a supplier',
			named(labels.supplierName),
			{ id: 3, name: 'Meridian', cost: { value: 90, currency: { symbol: '€' } } },
			'Meridian – €90.00',
		],
		[
			'a supplier',
			named(labels.supplierName),
			{ id: 3, name: 'Meridian', cost: 90.5 },
			'Meridian – 90.50',
		],
		[
			'a supplier',
			named(labels.supplierName),
			{ id: 3, cost: { value: 90 } },
			'Supplier 3 – 90.00',
		],
		['a supplier', named(labels.supplierName), { id: 3, cost: null }, 'Supplier 3'],
		[
			'a catalog item',
			named(labels.catalogItemName),
			{ id: 9, brand: 'Sonos', model: 'Amp', name: 'AMPG1', shortDescription: 'Amplifier' },
			'Sonos Amp – Amplifier',
		],
		[
			'a catalog item',
			named(labels.catalogItemName),
			{ id: 9, model: 'Amp', shortDescription: 'Amplifier of two channels' },
			'Amp – Amplifier of two channels',
		],
		[
			'a catalog item',
			named(labels.catalogItemName),
			{ id: 9, name: 'Trim-out', shortDescription: 'Trim-out, per hour' },
			'Trim-out, per hour',
		],
		[
			'a catalog item',
			named(labels.catalogItemName),
			{ id: 9, name: 'Trim', shortDescription: 'Per hour' },
			'Trim – Per hour',
		],
		['a catalog item', named(labels.catalogItemName), { id: 9, name: 'Trim-out' }, 'Trim-out'],
		['a catalog item', named(labels.catalogItemName), { id: 9 }, 'Item 9'],
	])('calls %s by what it has: %#', (_, nameOf, record, expected) =>
		expect(nameOf(record)).toBe(expected),
	);

	it('leaves out of a label what a record does not have', () => {
		expect(labels.label(', ', null, 'Boise', undefined, '', 0)).toBe('Boise, 0');
	});

	const option = { id: 11, status: 'Draft', items: [] };
	it.each<[unknown, string]>([
		[undefined, 'Den – option 1 (Draft)'],
		['Two  speakers,\n\nand a lamp ', 'Den – option 1 (Draft) – Two speakers, and a lamp'],
		['x'.repeat(60), `Den – option 1 (Draft) – ${'x'.repeat(60)}`],
		['x'.repeat(61), `Den – option 1 (Draft) – ${'x'.repeat(60)}…`],
	])('shows at most 60 characters of what a client reads of an option: %j', (text, expected) => {
		const areas = [{ id: 1, name: 'Den', options: [{ ...option, clientDescription: text }] }];
		expect(optionsOf({ areas: areas as never }).map(labels.optionChoice)).toEqual([
			{ name: expected, value: 11 },
		]);
	});

	it.each<[object, string]>([
		[{ brand: 'Sonos', model: 'Amp', quantity: 2 }, 'Den: Sonos Amp × 2'],
		[{ name: 'Trim-out', quantity: 2, sellPrice: 95 }, 'Den: Trim-out × 2 – 95.00'],
		[{ quantity: 2, sellPrice: 95, total: { currency: null } }, 'Den: item 8 × 2 – 95.00'],
		[
			{ model: 'Amp', quantity: 1, sellPrice: 95, total: { currency: { symbol: '€' } } },
			'Den: Amp × 1 – €95.00',
		],
	])('calls an item by what it has: %j', (item, expected) => {
		const areas = [{ id: 1, name: 'Den', options: [{ ...option, items: [{ id: 8, ...item }] }] }];
		const options = optionsOf({ areas: areas as never });
		expect(options.flatMap(labels.itemChoices)).toEqual([{ name: expected, value: 8 }]);
	});
});
