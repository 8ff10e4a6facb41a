/**
 * The example workflows that take little time each, unattended in the real n8n. What they must have
 * written is worked out from the seed of the simulator, in whole cents.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../../dev/testbed/until.mts';
import type { StoredWorkflow, WorkflowNode } from '../../dev/testbed/n8n/n8n.mts';
import { type Execution, itemsOf } from '../../dev/testbed/n8n/database.mts';
import { installationFolder } from '../../dev/testbed/paths.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import { seed } from '../../dev/simulator/index.mts';
import { firstFinished, submitForm } from '../../dev/testbed/activeWorkflow.mts';
import { sharedEnvironment } from './environments.mts';

/** What n8n itself makes spreadsheets with. */
interface Spreadsheets {
	read(file: Buffer): { SheetNames: string[]; Sheets: Record<string, object> };
	utils: { sheet_to_json(sheet: object): Record<string, string | number>[] };
}
const loadOfN8n = createRequire(
	join(installationFolder, 'node_modules/n8n-nodes-base/package.json'),
);
const spreadsheets = loadOfN8n('@e965/xlsx') as Spreadsheets;

/** Colorado's sales tax, in thousandths of a percent, on an amount in cents. */
const coloradoTax = (cents: number) => Math.round((cents * 7650) / 100_000);
const DAY = 86_400_000;

function expectSuccess(execution: Execution) {
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
}

/** Changes the parameters of a node for the test, as a person would in the editor. */
async function configure(
	{ n8n }: Environment,
	workflow: StoredWorkflow,
	name: string,
	change: (node: WorkflowNode) => void,
) {
	const { nodes } = structuredClone(workflow);
	change(nodes.find((node) => node.name === name)!);
	await n8n.updateWorkflow(workflow, { nodes });
}

const environment = sharedEnvironment();

const workflow = (name: string) => environment().workflows[name]!;
const rowsOf = async (table: string) => await environment().n8n.dataTableRows(table);
const locationsIn = (execution: Execution) => itemsOf(execution, 'Create Location').length;
const written = async (execution: Execution, node: string) => {
	const [file] = itemsOf<{ fileName: string }>(execution, node);
	return await readFile(environment().n8n.writtenFile(file!.fileName));
};

describe('the example', () => {
	test('"Web form to proposal" makes contact, location, proposal, areas and items', async () => {
		const { n8n, simulator } = environment();
		const { control } = simulator;
		const example = workflow('Web form to proposal');
		await configure(environment(), example, 'Create Proposal', ({ parameters }) => {
			parameters.salesPersonId = { __rl: true, mode: 'list', value: seed.users.salesJordan };
		});
		const before = control.proposals().length;
		const person = ['Robin', 'Achterberg', 'robin@achterberg.example', '303-555-0177'];
		const address = ['12 Juniper Way', 'Boulder', 'CO', '80302'];
		await n8n.activate(example);
		await submitForm(environment(), example, [
			...person,
			...address,
			['Living Room', 'Home Theater'],
		]);
		expectSuccess(await firstFinished(environment(), example));

		expect(control.proposals()).toHaveLength(before + 1);
		const [row] = await rowsOf('portal_enquiries');
		const proposal = control.proposal(Number(row!.proposalId));
		expect(proposal).toMatchObject({
			name: 'Web enquiry of Robin Achterberg',
			status: 'Draft',
			customer: {
				firstName: 'Robin',
				lastName: 'Achterberg',
				contactEmail: 'robin@achterberg.example',
				contactPhone: '303-555-0177',
				location: { street: '12 Juniper Way', city: 'Boulder', postalCode: '80302' },
			},
			dealer: { salesperson: { id: seed.users.salesJordan } },
		});
		const ofAreas = proposal.areas.map(
			(area: { name: string; options: { items: Record<string, unknown>[] }[] }) => [
				area.name,
				area.options[0]!.items.map(({ referencedItemId, quantity }) => [
					referencedItemId,
					quantity,
				]),
			],
		);
		expect(ofAreas).toEqual([
			[
				'Living Room',
				[
					[9001, 1],
					[9006, 1],
					[8001, 3],
				],
			],
			[
				'Home Theater',
				[
					[9004, 1],
					[9010, 5],
					[8001, 12.5],
					[8201, 1],
				],
			],
		]);
		const parts = 179_900 + 14_995 + 649_900 + 5 * 44_900;
		const labor = 15.5 * 12_500;
		const total = parts + labor + 9_500 + coloradoTax(parts) + coloradoTax(labor);
		expect(await rowsOf('portal_enquiries')).toEqual([
			{
				proposalId: proposal.id,
				proposalNumber: proposal.number,
				proposalName: 'Web enquiry of Robin Achterberg',
				customer: 'Robin Achterberg',
				email: 'robin@achterberg.example',
				rooms: 'Living Room, Home Theater',
				total: total / 100,
			},
		]);

		// Who asks again is the same contact, with the same address, whatever the letter case.
		const people = () => control.contacts().length;
		const known = people();
		const locations = () => n8n.executions({ workflowId: example.id }).map(locationsIn);
		person[2] = 'Robin@Achterberg.example';
		address[0] = '12 JUNIPER WAY';
		await submitForm(environment(), example, [...person, ...address, ['Home Office']]);
		const [, second] = await until('the second enquiry', async () => {
			const rows = await rowsOf('portal_enquiries');
			return rows.length === 2 ? rows : undefined;
		});
		expect(people()).toBe(known);
		expect(locations().toSorted()).toEqual([0, 1]);

		// At another address it is the same contact, and the proposal is for that address.
		address[0] = '4 Larkspur Court';
		await submitForm(environment(), example, [...person, ...address, ['Home Office']]);
		const [, , third] = await until('the third enquiry', async () => {
			const rows = await rowsOf('portal_enquiries');
			return rows.length === 3 ? rows : undefined;
		});
		await n8n.deactivate(example);
		expect(people()).toBe(known);
		expect(locations().toSorted()).toEqual([0, 1, 1]);
		expect(control.proposal(Number(third!.proposalId)).customer).toMatchObject({
			id: proposal.customer.id,
			location: { street: '4 Larkspur Court' },
		});
		expect(control.proposal(Number(second!.proposalId)).customer.id).toBe(proposal.customer.id);
		const goods = 2 * 24_900 + 24_000;
		expect(second).toMatchObject({ total: (goods + coloradoTax(goods)) / 100 });
	});

	test('"First proposal" creates a proposal with an area and two items, and changes them', async () => {
		const { n8n, simulator } = environment();
		const { control } = simulator;
		const before = control.proposals().length;
		const execution = await n8n.runManually(workflow('First proposal'), 'Start');
		expectSuccess(execution);
		expect(control.proposals()).toHaveLength(before + 1);
		const { id } = control.proposals().at(-1)!;
		// Two kinds of speakers, two of each at 240.90; without a customer there is no tax.
		const total = (4 * 24_090) / 100;
		const changed = { itemType: 'Part', quantity: 2, sellPrice: 240.9 };
		expect(control.proposal(Number(id))).toMatchObject({
			name: 'Speakers for the living room',
			status: 'Draft',
			dealer: { salesperson: { id: seed.users.dealer } },
			areas: [
				{
					name: 'Living Room',
					options: [
						{
							items: [
								{ referencedItemId: 9008, ...changed },
								{ referencedItemId: 9009, ...changed },
							],
						},
					],
				},
			],
			financialSummary: { proposalTotal: total },
		});
		expect(itemsOf(execution, 'Get Proposal')).toMatchObject([
			{ proposalId: id, name: 'Speakers for the living room', proposalTotal: total },
		]);
	});

	test('"Catalog to spreadsheet" writes every part with list price and cost', async () => {
		const { n8n, simulator } = environment();
		const execution = await n8n.runManually(
			workflow('Catalog to spreadsheet'),
			'Every Monday at 06:00',
		);
		expectSuccess(execution);
		const { SheetNames, Sheets } = spreadsheets.read(await written(execution, 'Write Spreadsheet'));
		expect(SheetNames).toEqual(['Catalog']);
		const rows = spreadsheets.utils.sheet_to_json(Sheets.Catalog!);
		const expected = simulator.control
			.catalogItems(seed.accounts.dealer)
			.filter((one) => one.item_type === 'Part' && !one.is_discontinued)
			.map(({ id, brand, model, msrp_cents: price, default_cost_cents: cost }) => ({
				ID: id,
				Brand: brand,
				Model: model,
				'List Price': Number(price) / 100,
				Cost: Number(cost) / 100,
				Difference: (Number(price) - Number(cost)) / 100,
			}));
		// Of 40 parts one is discontinued, which a search does not find.
		expect(rows).toHaveLength(39);
		const byId = (one: { ID?: unknown }, other: { ID?: unknown }) =>
			Number(one.ID) - Number(other.ID);
		expect(rows.toSorted(byId)).toMatchObject(expected.toSorted(byId));
		const names = rows.map(({ Brand }) => String(Brand));
		expect(names).toEqual(names.toSorted((one, other) => (one < other ? -1 : 1)));
		expect(rows.find(({ ID }) => ID === seed.catalogItems.television)).toEqual({
			ID: 9001,
			Brand: 'Lumenfold',
			Model: 'LX65',
			Description: '65-inch 4K television',
			Category: 'Video / Televisions',
			Supplier: 'Meridian AV Supply',
			'List Price': 1799,
			Cost: 1240,
			Difference: 559,
			'In Stock': 'yes',
		});
	});

	test('"Expiring proposals reminder" reminds once of what ends soon', async () => {
		const { n8n, simulator } = environment();
		const { control } = simulator;
		const example = workflow('Expiring proposals reminder');
		const { delayed, declined, emailFailed } = seed.proposals;
		// Submitted so many days and an hour ago: valid for 30 days, so of the first 3 are left.
		const ago = new Map([
			[delayed, 26],
			[declined, 10],
			[emailFailed, 31],
		]);
		const dates = new Map<number, string>();
		// Another file of this environment may have accepted it.
		control.setStatus(seed.proposals.viewed, 'ViewedByClient');
		for (const [id, days] of ago) {
			control.setStatus(id, 'Submitted');
			dates.set(id, new Date(Date.now() - days * DAY - 3_600_000).toISOString());
			control.updateProposal(id, { lastSubmittedDate: dates.get(id)! });
		}
		const execution = await n8n.runManually(example, 'Every Morning at 07:00');
		expectSuccess(execution);
		const asked = itemsOf<{ id: number }>(execution, 'Get Open Proposals').map(({ id }) => id);
		expect(asked).toEqual(expect.arrayContaining([...ago.keys()]));
		const submittedAt = dates.get(delayed)!;
		const expiresOn = new Date(Date.parse(submittedAt) + 30 * DAY).toISOString().slice(0, 10);
		const { number, customer } = control.proposal(delayed);
		const name = `${customer.firstName} ${customer.lastName}`;
		// A projector, a screen and 16 hours; without an address there is no tax.
		const changed = {
			proposalId: delayed,
			proposalNumber: number,
			proposalName: 'Menon theatre',
			customer: name,
			total: (649_900 + 189_000 + 16 * 12_500) / 100,
			salespersonEmail: seed.dealer.username,
			submittedAt,
			expiresOn,
			daysLeft: 3,
			text: `Proposal ${number} (Menon theatre) for ${name} is valid until ${expiresOn}.`,
		};
		// Of the simulator's own proposals, one was submitted 27 days ago, at noon: it ends in two or
		// three days. Six shades, a track, a processor and nine hours; without a state no tax.
		const own = control.proposal(seed.proposals.viewed);
		const ends = Date.parse(own.lastSubmittedDate) + 30 * DAY;
		const ownExpiresOn = new Date(ends).toISOString().slice(0, 10);
		const seeded = {
			proposalId: seed.proposals.viewed,
			proposalNumber: own.number,
			proposalName: 'Castellan shades',
			customer: 'Wren Castellan',
			total: (6 * 78_000 + 146_000 + 69_000 + 9 * 12_500) / 100,
			salespersonEmail: 'priya@cedarandcoil.example',
			submittedAt: own.lastSubmittedDate,
			expiresOn: ownExpiresOn,
			daysLeft: expect.toSatisfy((days: number) => days === 2 || days === 3),
			text: `Proposal ${own.number} (Castellan shades) for Wren Castellan is valid until ${ownExpiresOn}.`,
		};
		const reminders = async () =>
			(await rowsOf('portal_reminders')).toSorted(
				(one, other) => Number(one.proposalId) - Number(other.proposalId),
			);
		expect(await reminders()).toEqual([seeded, changed]);
		expectSuccess(await n8n.runManually(example, 'Every Morning at 07:00'));
		expect(await reminders()).toEqual([seeded, changed]);
	});
});
