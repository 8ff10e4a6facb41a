/** Tests labels of complete and sparse records in lists. */
import { expect, it } from 'vitest';
import { optionsOf } from '../../client/proposal.ts';
import * as labels from '../../nodes/PortalIo/editor/recordLabels.ts';

const person = { id: 5, firstName: 'Ann', lastName: 'Lee' };
const contact = { ...person, companyName: 'Loft', contactEmail: 'a@b.example' };
const proposal = { number: 1042, name: 'Loft', status: 'ViewedByClient', customer: null };
const supplier = { id: 3, name: 'Meridian' };
const euro = { currency: { symbol: '€' } };
const amp = { id: 9, brand: 'Sonos', model: 'Amp', name: 'AMPG1', shortDescription: 'Amplifier' };
const trim = { id: 9, name: 'Trim', shortDescription: 'Per hour' };

it.each<[keyof typeof labels, object, string]>([
	['contactName', contact, 'Loft, Ann Lee (a@b.example)'],
	['contactName', { id: 5, lastName: 'Lee' }, 'Lee'],
	['contactName', { id: 5 }, 'Contact 5'],
	['userName', { id: 7, firstName: 'Ann', email: 'a@b.example' }, 'Ann (a@b.example)'],
	['userName', { id: 7 }, 'User 7'],
	['userName', { id: 7, firstName: 'Ann', lastName: null, email: null }, 'Ann'],
	['proposalName', proposal, '#1042 Loft (Viewed By Client)'],
	['proposalName', { ...proposal, customer: contact }, '#1042 Loft (Viewed By Client) – Loft'],
	['proposalName', { ...proposal, customer: person }, '#1042 Loft (Viewed By Client) – Ann Lee'],
	['locationName', { id: 6, city: 'Boise', state: null, street: '' }, 'Boise'],
	['subscriptionName', { url: 'https://x', events: ['a', 'b'] }, 'a, b – https://x'],
	['subscriptionName', { url: 'https://x', enabled: false }, 'https://x – disabled'],
	['subscriptionName', { description: 'x', events: 'a', enabled: true }, 'x – a'],
	['supplierName', { ...supplier, cost: { value: 90, ...euro } }, 'Meridian – €90.00'],
	['supplierName', { ...supplier, cost: 90.5 }, 'Meridian – 90.50'],
	['supplierName', { id: 3, cost: { value: 90 } }, 'Supplier 3 – 90.00'],
	['supplierName', { id: 3, cost: null }, 'Supplier 3'],
	['catalogItemName', amp, 'Sonos Amp – Amplifier'],
	['catalogItemName', { ...amp, brand: '', shortDescription: 'Amps' }, 'Amp – Amps'],
	['catalogItemName', { ...trim, shortDescription: 'Trim, per hour' }, 'Trim, per hour'],
	['catalogItemName', trim, 'Trim – Per hour'],
	['catalogItemName', { id: 9, name: 'Trim' }, 'Trim'],
	['catalogItemName', { id: 9 }, 'Item 9'],
])('uses %s to label the record %j as %s', (name, record, expected) => {
	expect((labels[name] as (record: object) => unknown)(record)).toBe(expected);
});

const option = { id: 11, status: 'Draft', items: [] as object[] };
const optionsWith = (more: object) => {
	const areas = [{ id: 1, name: 'Den', options: [{ ...option, ...more }] }];
	return optionsOf({ areas: areas as never });
};

it.each<[unknown, string]>([
	[undefined, 'Den – option 1 (Draft)'],
	['Two  speakers,\n\nand a lamp ', 'Den – option 1 (Draft) – Two speakers, and a lamp'],
	['x'.repeat(60), `Den – option 1 (Draft) – ${'x'.repeat(60)}`],
	['x'.repeat(61), `Den – option 1 (Draft) – ${'x'.repeat(60)}…`],
])("shows at most 60 characters of an option's client description: %j", (text, name) => {
	const options = optionsWith({ clientDescription: text });
	expect(options.map(labels.optionChoice)).toEqual([{ name, value: 11 }]);
});

it.each<[object, string]>([
	[{ brand: 'Sonos', model: 'Amp', quantity: 2 }, 'Den: Sonos Amp × 2'],
	[{ name: 'Trim-out', quantity: 2, sellPrice: 95 }, 'Den: Trim-out × 2 – 95.00'],
	[{ quantity: 2, sellPrice: 95, total: { currency: null } }, 'Den: item 8 × 2 – 95.00'],
	[{ model: 'Amp', quantity: 1, sellPrice: 95, total: euro }, 'Den: Amp × 1 – €95.00'],
])('labels the item %j with area, quantity, and price', (item, name) => {
	const options = optionsWith({ items: [{ id: 8, ...item }] });
	expect(options.flatMap(labels.itemChoices)).toEqual([{ name, value: 8 }]);
});

it("shows an item's option number only if the area has several options", () => {
	const items = [{ id: 8, model: 'Amp', quantity: 1 }];
	const options = [option, { ...option, id: 12, items }];
	const placed = optionsOf({ areas: [{ id: 1, name: 'Den', options }] as never });
	expect(placed.flatMap(labels.itemChoices)[0]!.name).toBe('Den, option 2: Amp × 1');
});
