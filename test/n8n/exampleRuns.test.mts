/**
 * Runs the quick example workflows in a real n8n. The expected results are calculated from the simulator's
 * seed, in whole cents.
 */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { loadOfN8n } from '../../dev/testbed/paths.mts';
import { seed } from '../../dev/simulator/index.mts';
import { submitForm } from '../../dev/testbed/activeWorkflow.mts';
import { ownEnvironment } from './environments.mts';
import { anotherDate, coloradoTax, useExample } from './templates/example.mts';

const DAY = 86_400_000;
const environment = ownEnvironment({
	examples: [
		'Web form to proposal',
		'First proposal',
		'Catalog to spreadsheet',
		'Expiring proposals reminder',
	],
});
const control = () => environment().simulator.control;
const readRows = (table: string) => environment().n8n.dataTableRows(table);

it('"Web form to proposal" creates a contact, location, proposal, areas, and items', async () => {
	const { n8n, workflows } = environment();
	const example = workflows['Web form to proposal']!;
	const { nodes } = structuredClone(example);
	const create = nodes.find(({ name }) => name === 'Create Proposal')!;
	create.parameters.salesPersonId = { __rl: true, mode: 'list', value: seed.users.salesJordan };
	await n8n.updateWorkflow(example, { nodes });
	await n8n.activate(example);
	const submit = async (email: string, street: string, rooms: string[]) => {
		const person = ['Robin', 'Achterberg', email, '303-555-0177'];
		const address = [street, 'Boulder', 'CO', '80302'];
		expect(await submitForm(environment(), example, [...person, ...address, rooms])).toEqual([
			'Thank you, Robin',
			`We received your inquiry about ${rooms.join(', ')} and will get back to you with a quote.`,
		]);
	};
	/** Sends the form. Returns the row of the inquiry and its proposal. */
	const inquire = async (...form: Parameters<typeof submit>) => {
		const { length } = await readRows('portal_inquiries');
		await submit(...form);
		const row = (await readRows('portal_inquiries'))[length]!;
		return { row, proposal: control().proposal(Number(row.proposalId)) };
	};
	const email = 'robin@achterberg.example';
	const first = await inquire(email, '12 Juniper Way', ['Living Room', 'Home Theater']);
	const people = control().contacts().length;
	// Send the same contact and address, typed differently.
	const again = await inquire('Robin@Achterberg.example', '12 juniper  way.', ['Home Office']);
	const elsewhere = await inquire(email, '4 Larkspur Court', ['Home Office']);
	const drafts = control().proposals().length;
	const sendTheater = () => submit(email, '4 Larkspur Court', ['Home Theater']);
	await Promise.all([sendTheater(), sendTheater()]);
	expect(control().proposals()).toHaveLength(drafts + 1);

	// Reject the first try. The visitor is asked to try again, and the second try succeeds.
	const person = ['Robin', 'Achterberg', email, '', '7 Fir Way', 'Boulder', 'CO', '80302'];
	const send = () => submitForm(environment(), example, [...person, ['Home Office']]);
	control().failNext({ operationId: 'proposal.create', status: 403 });
	expect((await send())![0]).toBe('Please try again');
	expect(control().proposals()).toHaveLength(drafts + 1);
	expect((await send())![0]).toBe('Thank you, Robin');
	expect(control().proposals()).toHaveLength(drafts + 2);
	// Reject the items of a room. The proposal still exists, and its row contains the reason.
	control().failNext({ operationId: 'item.add', status: 403 });
	const broken = await inquire(email, '8 Fir Way', ['Living Room']);
	expect(broken.row.problem).toMatch(/\w/);
	await n8n.deactivate(example);

	const items = (...pairs: [id: number, quantity: number][]) => [
		{ items: pairs.map(([referencedItemId, quantity]) => ({ referencedItemId, quantity })) },
	];
	expect(first.proposal).toMatchObject({
		name: 'Web inquiry from Robin Achterberg',
		status: 'Draft',
		customer: {
			firstName: 'Robin',
			lastName: 'Achterberg',
			contactEmail: email,
			contactPhone: '303-555-0177',
			location: {
				street: '12 Juniper Way',
				city: 'Boulder',
				postalCode: '80302',
			},
		},
		dealer: { salesperson: { id: seed.users.salesJordan } },
		areas: [
			{ name: 'Living Room', options: items([9001, 1], [9006, 1], [8001, 3]) },
			{ name: 'Home Theater', options: items([9004, 1], [9010, 5], [8001, 12.5], [8201, 1]) },
		],
	});
	expect(first.row).toMatchObject({
		state: 'created',
		proposalId: first.proposal.id,
		proposalNumber: first.proposal.number,
		client: 'Robin Achterberg',
		email,
		rooms: 'Living Room, Home Theater',
		problem: null,
	});
	const parts = 179_900 + 14_995 + 649_900 + 5 * 44_900;
	const labor = 15.5 * 12_500;
	expect(first.proposal.financialSummary.proposalTotal).toBe(
		(parts + labor + 9_500 + coloradoTax(parts) + coloradoTax(labor)) / 100,
	);
	expect(control().contacts()).toHaveLength(people);
	const { id, location } = first.proposal.customer;
	expect(again.proposal.customer).toMatchObject({ id, location });
	expect(elsewhere.proposal.customer).toMatchObject({
		id,
		location: { street: '4 Larkspur Court' },
	});
});

it('"First proposal" creates a proposal with an area and two items', async () => {
	const execution = await useExample('First proposal', environment).run('Start');
	const { id } = control().proposals().at(-1)!;
	// Two kinds of speakers, two of each at 240.90. No tax applies, because there is no client.
	const proposalTotal = (4 * 24_090) / 100;
	const changed = { itemType: 'Part', quantity: 2, sellPrice: 240.9 };
	const items = [9008, 9009].map((referencedItemId) => ({ referencedItemId, ...changed }));
	expect(control().proposal(Number(id))).toMatchObject({
		name: 'Speakers for the living room',
		status: 'Draft',
		dealer: { salesperson: { id: seed.users.dealer } },
		areas: [{ name: 'Living Room', options: [{ items }] }],
		financialSummary: { proposalTotal },
	});
	expect(itemsOf(execution, 'Get Proposal')).toMatchObject([{ proposalId: id, proposalTotal }]);
});

it('"Catalog to spreadsheet" writes every part with its list price and cost', async () => {
	const execution = await useExample('Catalog to spreadsheet', environment).run(
		'Every Monday at 06:00',
	);
	const [{ fileName }] = itemsOf(execution, 'Write Spreadsheet') as [{ fileName: string }];
	const { read, utils } = loadOfN8n('@e965/xlsx');
	const { SheetNames, Sheets } = read(await readFile(environment().n8n.writtenFile(fileName)));
	expect(SheetNames).toEqual(['Catalog']);
	const rows: Record<string, string | number>[] = utils.sheet_to_json(Sheets.Catalog);
	// One of the 40 parts is discontinued, so the search does not find it.
	expect(rows).toHaveLength(39);
	const brands = rows.map(({ Brand }) => String(Brand));
	expect(brands).toEqual(brands.toSorted());
	expect(rows.find(({ ID }) => ID === seed.catalogItems.television)).toEqual({
		ID: 9001,
		Brand: 'Lumenfold',
		Model: 'LX65',
		Description: '65-inch 4K television',
		Supplier: 'Meridian AV Supply',
		'List Price': 1799,
		Cost: 1240,
		Difference: 559,
		'In Stock': 'yes',
	});
});

it('"Expiring proposals reminder" sends one reminder per expiring proposal, even if another proposal has no submission date', async () => {
	const { delayed, declined, emailFailed, viewed } = seed.proposals;
	const { workflow, systems } = useExample('Expiring proposals reminder', environment);
	const { timezone, dateOf } = anotherDate();
	const settings = { executionOrder: 'v1', timezone };
	await environment().n8n.updateWorkflow(workflow(), { settings });
	// Proposals are valid for 30 days, so the first one has 4 days left.
	const submit = (id: number, daysAgo: number) => {
		const lastSubmittedDate = new Date(Date.now() - daysAgo * DAY).toISOString();
		control().setStatus(id, 'Submitted');
		control().update('proposals', { id }, { lastSubmittedDate });
		return lastSubmittedDate;
	};
	const submittedAt = submit(delayed, 26);
	submit(declined, 10);
	submit(emailFailed, 31);
	submit(viewed, 26);
	control().update('proposals', { id: viewed }, { lastSubmittedDate: null });

	const { number } = control().proposal(delayed);
	const expiresOn = dateOf(new Date(Date.parse(submittedAt) + 30 * DAY));
	for (const time of ['first', 'second']) {
		const execution = await environment().n8n.runManually(workflow(), 'Every Morning at 07:00');
		// The last step reports the proposal without a submission date.
		expect(execution.error?.message, time).toContain(
			`No reminder for ${control().proposal(viewed).number}: `,
		);
		expect(systems().email.messages).toMatchObject([
			{
				to: seed.dealer.username,
				subject: `Proposal ${number} is valid until ${expiresOn}`,
				text: expect.stringContaining(`Proposal ${number} (Menon theater) for `),
			},
		]);
		const rows = await readRows('portal_reminders');
		const { lastSubmittedDate } = control().proposal(delayed);
		expect(rows).toEqual([{ proposalId: delayed, submittedAt: lastSubmittedDate }]);
	}
});
