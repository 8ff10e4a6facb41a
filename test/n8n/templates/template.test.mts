/** Runs the example *Template to proposal* through its form. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import type { Json } from '../../../dev/simulator/contract.mts';
import { submitForm } from '../../../dev/testbed/activeWorkflow.mts';
import { linkTo, money, useExample } from './example.mts';

const { control, environment, workflow } = useExample('Template to proposal');
const { staleWholeHome } = seed.proposals;

beforeAll(() => environment().n8n.activate(workflow()));
afterAll(() => environment().n8n.deactivate(workflow()));

/** Sends the form. Returns the text of its last page. */
const send = (number: number, name = 'Achterberg lobby') =>
	submitForm(environment(), workflow(), [
		String(number),
		name,
		'Robin',
		'Achterberg',
		'robin@achterberg.example',
	]);

/** Returns a proposal's areas with their options, each as a sorted list of items. */
const readContent = (proposalId: number): [string, string[][]][] =>
	control()
		.proposal(proposalId)
		.areas.map(({ name, options }: Json) => [
			name,
			options.map(({ items }: Json) =>
				items
					.map((item: Json) =>
						[item.quantity, item.itemType, item.referencedItemId, item.sellPrice].join(),
					)
					// Sort the items, because nested ones are added after the others.
					.sort(),
			),
		]);

it('copies areas, options, items, quantities, and prices for a new client', async () => {
	const { number } = control().proposal(staleWholeHome);
	const answer = await send(number);
	const id = Number(control().proposals().at(-1)!.id);
	const created = control().proposal(id);
	expect(created).toMatchObject({
		name: 'Achterberg lobby',
		status: 'Draft',
		customer: { contactEmail: 'robin@achterberg.example' },
	});
	expect(readContent(id)).toEqual(readContent(staleWholeHome));
	expect(readContent(staleWholeHome)[0]![1]).toHaveLength(3);
	const total = money(created.financialSummary.proposalTotal);
	expect(answer).toEqual([
		`Proposal ${created.number} was created`,
		`Achterberg lobby for Robin Achterberg: ${total}. ${linkTo(id)}`,
	]);
	// Expect the contact to be reused the second time.
	const people = control().contacts().length;
	await send(number, 'Achterberg atrium');
	expect(control().contacts()).toHaveLength(people);
});

it('links to the first proposal when the form is sent again', async () => {
	const { number } = control().proposal(staleWholeHome);
	const before = control().proposals().length;
	const pages = await Promise.all([send(number, 'Once'), send(number, 'Once')]);
	const [created, ...others] = control().proposals().slice(before);
	expect(others).toEqual([]);
	const titles = pages.map((page) => page![0]).sort();
	const first = control().proposal(Number(created!.id)).number;
	expect(titles).toEqual([`Proposal ${first} was created`, 'This form was sent before']);
	expect(await send(number, ' once')).toEqual([
		'This form was sent before',
		`Proposal ${first} was created. To create another proposal, change its name, or wait ten minutes.`,
	]);
	expect(control().proposals()).toHaveLength(before + 1);
});

it('rejects a proposal number that does not exist', async () => {
	const before = [control().proposals().length, control().contacts().length];
	const [title, text] = (await send(999_999))!;
	expect(title).toBe('The proposal was not created, or is incomplete');
	expect(text).toContain('no proposal has the number 999999');
	expect([control().proposals().length, control().contacts().length]).toEqual(before);
	// The form can be sent again.
	expect((await send(999_999))![0]).toBe('The proposal was not created, or is incomplete');
});
