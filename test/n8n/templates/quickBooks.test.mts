/**
 * "Accepted proposal to QuickBooks" in its plain case and in the awkward ones. Counted in the
 * stand-in of QuickBooks Online: no estimate or customer twice, none missing.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { one } from '../../../simulator/seed/shape.mts';
import { ownStage } from '../stages.mts';
import { coloradoTax, proposals, tableUrl, Template, TEMPLATE } from './quickBooks.mts';

const stage = ownStage({ examples: [TEMPLATE] });
const template = new Template(stage);

beforeAll(async () => await stage().n8n.activate(template.workflow));
afterAll(async () => await stage().n8n.deactivate(template.workflow));

test('an accepted proposal becomes an estimate by area, with customer and sales tax', async () => {
	await template.setStatus(proposals.submitted, 'Accepted');
	const parts = 179_900 + 38_900 + 165_000 + 14_995;
	const labor = 5.5 * 12_500;
	const tax = coloradoTax(parts) + coloradoTax(labor);
	expect(template.read(proposals.submitted)).toMatchObject({
		status: 'Accepted',
		total: parts + labor + tax,
		tax,
		customer: 'Maren Holt',
		// The care plan is a recurring service.
		lines: [
			['Main bedroom'],
			['Lumenfold LX65', 1, 179_900],
			['Stillgrip SG-A90', 1, 38_900],
			['Installation', 3, 37_500],
			['Guest room'],
			['Lumenfold LX65', 1, 165_000],
			['Stillgrip SG-T80', 1, 14_995],
			['Installation', 2.5, 31_250],
		],
	});
	expect(template.customersNamed('Maren Holt')).toMatchObject([
		{
			GivenName: 'Maren',
			FamilyName: 'Holt',
			PrimaryEmailAddr: { Address: 'maren.holt@clients.example' },
		},
	]);
	expect(await template.jobs(proposals.submitted)).toMatchObject([
		{ state: 'done', targetId: template.read(proposals.submitted).Id },
	]);
});

test('the same acceptance three times at once makes one estimate and one customer', async () => {
	const { control } = stage().simulator;
	const { id } = control.proposal(proposals.submittedToo).areas[0].options[1];
	control.setOptionStatus(id, 'Declined');
	await Promise.all([
		template.setStatus(proposals.submittedToo, 'Accepted'),
		template.check(proposals.submittedToo),
		template.check(proposals.submittedToo),
	]);
	expect(template.read(proposals.submittedToo)).toMatchObject({
		status: 'Accepted',
		lines: [
			['Meeting room'],
			['Lumenfold LX77', 1, 299_900],
			['Hearthline Glass 7', 1, 89_000],
			['Programming', 5, 80_000],
		],
	});
	const { customer } = template.read(proposals.submittedToo);
	expect(template.customersNamed(customer!)).toHaveLength(1);
	expect(await template.jobs(proposals.submittedToo)).toHaveLength(1);
});

test('a proposal that is reopened and accepted with changes replaces its estimate', async () => {
	const { control } = stage().simulator;
	const { Id } = template.read(proposals.submittedToo);
	const [first, second] = control.proposal(proposals.submittedToo).areas[0].options;
	await template.setStatus(proposals.submittedToo, 'Draft');
	expect(template.read(proposals.submittedToo)).toMatchObject({ Id, status: 'Pending' });
	control.setOptionStatus(first.id, 'Declined');
	control.setOptionStatus(second.id, 'Draft');
	await template.setStatus(proposals.submittedToo, 'Accepted');
	expect(template.read(proposals.submittedToo)).toMatchObject({
		Id,
		status: 'Accepted',
		lines: [
			['Meeting room'],
			['Lumenfold LX85-P', 1, 429_900],
			['Hearthline Glass 7', 2, 178_000],
			['Programming', 7, 112_000],
		],
	});
});

test('a proposal that is accepted again without a change keeps its estimate', async () => {
	const before = template.read(proposals.submittedToo);
	await template.setStatus(proposals.submittedToo, 'Draft');
	await template.setStatus(proposals.submittedToo, 'Accepted');
	expect(template.read(proposals.submittedToo)).toEqual(before);
	const [estimate] = template.estimates(proposals.submittedToo);
	await template.check(proposals.submittedToo);
	expect(template.estimates(proposals.submittedToo)).toEqual([estimate]);
});

test('a proposal that is declined after all rejects its estimate', async () => {
	await template.setStatus(proposals.submittedToo, 'Declined');
	expect(template.read(proposals.submittedToo)).toMatchObject({ status: 'Rejected' });
});

test('several customers that match are held, told once, and solved by a person', async () => {
	const { customer } = stage().simulator.control.proposal(proposals.emailFailed);
	const email = { Address: customer.contactEmail };
	const [one, other] = ['Adeyemi (old)', 'Adeyemi (new)'].map((DisplayName) =>
		template.quickBooks.addCustomer({ DisplayName, PrimaryEmailAddr: email }),
	);
	await template.setStatus(proposals.emailFailed, 'Accepted');
	await template.check(proposals.emailFailed);
	expect(template.estimates(proposals.emailFailed)).toEqual([]);
	const reason = expect.stringContaining(`(IDs ${one!.Id}, ${other!.Id})`);
	expect(await template.jobs(proposals.emailFailed)).toMatchObject([{ state: 'held', reason }]);
	expect(await template.messages(proposals.emailFailed)).toEqual([reason]);

	one!.Active = false;
	await template.check(proposals.emailFailed);
	expect(template.read(proposals.emailFailed)).toMatchObject({ customer: 'Adeyemi (new)' });
	expect(await template.jobs(proposals.emailFailed)).toMatchObject([{ state: 'done' }]);
});

test('a product that QuickBooks does not have is held by name, and linked by a person', async () => {
	const { quickBooks } = template;
	await template.setStatus(proposals.expired, 'Accepted');
	await template.check(proposals.expired);
	expect(template.estimates(proposals.expired)).toEqual([]);
	const reason = expect.stringContaining('Gate LPR (referencedItemId 9030)');
	expect(await template.jobs(proposals.expired)).toMatchObject([{ state: 'held', reason }]);
	expect(await template.messages(proposals.expired)).toEqual([reason]);

	const camera = quickBooks.addItem({ Name: 'Camera for gates', Type: 'Inventory' });
	const link = { job: 'QuickBooks estimate', referencedItemId: 9030, productId: camera.Id };
	const url = await tableUrl(stage(), 'portal_product_links');
	await stage().n8n.rest('POST', `${url}/insert`, { data: [link] });
	await template.check(proposals.expired);
	expect(template.read(proposals.expired)).toMatchObject({
		// Who had an estimate before is not created again.
		customer: 'Maren Holt',
		lines: [
			['Gate'],
			['Camera for gates', 1, 189_000],
			['Keelbolt Door 2', 1, 74_900],
			['Installation', 8, 100_000],
		],
	});
	expect(template.customersNamed('Maren Holt')).toHaveLength(1);
});

test('a change order that takes something back corrects the estimate', async () => {
	const { control } = stage().simulator;
	const family = proposals.accepted;
	// It was accepted three months ago; now it counts as modified.
	control.updateProposal(family, { lastModifiedDate: new Date().toISOString() });
	await template.everyHour();
	const before = template.read(family);
	expect(before.lines).toEqual([
		['Family room'],
		['Lumenfold LX77', 1, 299_900],
		['Ostrava Audio R9.2', 1, 219_900],
		['Corvane CV-W5', 5, 224_500],
		['Installation', 10, 125_000],
		// Of the change order that was accepted already.
		['Hearthline Handset', 1, 42_000],
	]);

	const items = [one(8001, -2.5), one(9010, -2), one(9011, 1)];
	const changeOrder = control.addChangeOrder(family, {
		name: 'Fewer speakers, and a subwoofer',
		areas: [['Family room', { items }]],
	});
	control.setStatus(changeOrder, 'Accepted');
	await template.everyHour();
	const after = template.read(family);
	expect(after.lines).toEqual([
		...before.lines.slice(0, 3),
		['Corvane CV-W5', 3, 134_700],
		['Installation', 7.5, 93_750],
		['Hearthline Handset', 1, 42_000],
		['Corvane Depth 12', 1, 119_900],
	]);
	expect(after.Id).toBe(before.Id);
	const parts = 119_900 - 2 * 44_900;
	const labor = -2.5 * 12_500;
	const change = parts + labor + coloradoTax(parts) - coloradoTax(-labor);
	expect(after.total - before.total).toBe(change);
});
