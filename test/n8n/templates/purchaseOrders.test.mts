/** Runs the example *Purchase orders by supplier* and checks the drafts in Gmail. */
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import type { Json } from '../../../dev/simulator/contract.mts';
import { loadOfN8n } from '../../../dev/testbed/paths.mts';
import { byId } from '../../../dev/testbed/workflowBuilder.mts';
import { linkTo, useExample } from './example.mts';

const { control, edit, messages, run, systems } = useExample('Purchase orders by supplier');
const { freshLighting, submitted } = seed.proposals;
const start = (proposalId: number) => {
	const { number, name } = control().proposal(proposalId);
	return run('Proposal Is Accepted', { proposalId, number, name });
};
/** Returns each draft's subject, the cells of its rows, and its total. */
const drafts = async (): Promise<unknown[][]> => {
	const { simpleParser } = loadOfN8n('mailparser');
	const mails: Json[] = await Promise.all(
		systems().gmail.drafts.map(({ text }) => simpleParser(text)),
	);
	return mails.map(({ subject, html }) => {
		const rows = [...String(html).matchAll(/<tr><td>(.*?)<\/td><\/tr>/g)];
		const [, total] = /<p>(Total: .*?)<\/p>/.exec(html) ?? [];
		return [subject, ...rows.map(([, cells]) => cells!.split('</td><td>').join(' | ')), total];
	});
};

it("creates one draft per supplier, with the supplier's part numbers", async () => {
	control().accept(submitted);
	await Promise.all([start(submitted), start(submitted)]);
	const { number, name } = control().proposal(submitted);
	expect(await drafts()).toEqual([
		[
			`Purchase order P-${number} for Meridian AV Supply`,
			'Lumenfold LX65 | 71-9001 | 1 | $1,240.00',
			'Lumenfold LX65 | 71-9001 | 1 | $1,240.00',
			'Total: $2,480.00',
		],
		[
			`Purchase order P-${number} for Northgate Distribution`,
			expect.stringMatching(/^Stillgrip SG-A90 \| .* \| 1 \| \$196\.00$/),
			expect.stringMatching(/^Stillgrip SG-T80 \| .* \| 1 \| \$71\.50$/),
			'Total: $267.50',
		],
	]);
	expect(messages()).toEqual([
		`Proposal ${number} (${name}) is accepted. It was accepted again. Order by hand what is missing. ${linkTo(submitted)}`,
	]);
});

it('reports a proposal that cannot be read, and creates the other drafts if one draft is rejected', async () => {
	const [option] = control().proposal(freshLighting).areas[0].options;
	const item = { itemType: 'CustomItem', catalogItemId: byId(8102), quantity: 1 };
	await edit('item', 'add', freshLighting, {
		areaOptionId: byId(option.id),
		items: { item: [item] },
	});
	const [added] = control().items(freshLighting).slice(-1);
	control().update('proposal_items', { id: Number(added!.id) }, { name: '<b>Cabinet & Co.' });
	control().accept(freshLighting);
	const { length } = await drafts();
	control().failNext({ operationId: 'proposal.get', status: 403 });
	await start(freshLighting);
	expect(await drafts()).toHaveLength(length);
	expect(messages().at(-1)).toContain('Its parts could not be read. Accept it again');
	systems().gmail.rejectNext('/drafts');
	await start(freshLighting);
	const { number } = control().proposal(freshLighting);
	expect((await drafts()).slice(length)).toContainEqual([
		`Purchase order P-${number} for no supplier`,
		'&lt;b>Cabinet &amp; Co. |  | 1 | $990.00',
		'Total: $990.00',
	]);
	expect(messages().at(-1)).toMatch(/The order for .+ could not be written: .+\. Order by hand\./);
});
