/** The example *Template to proposal*. */
import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { useExample } from './example.mts';

const { control, run, environment, workflow } = useExample('Template to proposal');
const { staleWholeHome } = seed.proposals;

const answers = (number: number) => ({
	'Template Number': String(number),
	'Proposal Name': 'Achterberg lobby',
	'First Name': 'Robin',
	'Last Name': 'Achterberg',
	Email: 'robin@achterberg.example',
});

interface Area {
	name: string;
	options: { items: Record<string, unknown>[] }[];
}

/** The areas of a proposal with their options, each as a list of items. */
const contentOf = (proposalId: number): [string, string[][]][] =>
	control()
		.proposal(proposalId)
		.areas.map(({ name, options }: Area) => [
			name,
			options.map(({ items }) =>
				items.map((item) => `${item.quantity} ${item.itemType} ${item.referencedItemId}`),
			),
		]);

test('copies areas, options, items and quantities for a new client', async () => {
	const { number } = control().proposal(staleWholeHome);
	await run('New Proposal Form', answers(number));
	const { id } = control().proposals().at(-1)!;
	expect(control().proposal(Number(id))).toMatchObject({
		name: 'Achterberg lobby',
		status: 'Draft',
		customer: { contactEmail: 'robin@achterberg.example' },
	});
	expect(contentOf(Number(id))).toEqual(contentOf(staleWholeHome));
	expect(contentOf(staleWholeHome)[0]![1]).toHaveLength(3);
});

test('uses the same contact the next time', async () => {
	const people = control().contacts().length;
	await run('New Proposal Form', answers(control().proposal(staleWholeHome).number));
	expect(control().contacts()).toHaveLength(people);
});

test('creates nothing for a number that does not exist', async () => {
	const before = control().proposals().length;
	const { n8n } = environment();
	const { error } = await n8n.runManually(workflow(), 'New Proposal Form', answers(999_999));
	expect(error?.message).toContain('999999');
	expect(control().proposals()).toHaveLength(before);
});
