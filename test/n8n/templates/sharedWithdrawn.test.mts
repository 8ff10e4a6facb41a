/** What the shared workflow *Changed after Acceptance* says of proposals that are no longer accepted. */
import { expect, test } from 'vitest';
import { seed } from '../../../simulator/index.mts';
import { ownStage } from '../stages.mts';
import { jobOn, line, short } from './acceptedLines.mts';

const stage = ownStage({ examples: ['Changed after Acceptance', 'Once per Proposal'] });
const { changeOf, doJob } = jobOn(stage, 'withdrawn');

test('tells what is withdrawn, once it is done or begun', async () => {
	const { control } = stage().simulator;
	const { submitted: id } = seed.proposals;
	expect(await changeOf(id)).toMatchObject({ change: 'none', lines: [] });
	control.setStatus(id, 'Declined');
	expect((await changeOf(id)).change).toBe('none');

	control.setStatus(id, 'Draft');
	control.setStatus(id, 'Accepted');
	const accepted = await changeOf(id);
	expect(accepted.change).toBe('new');
	// The same item in two areas, at two prices.
	expect(accepted.lines.map(short)).toEqual([
		line('Main bedroom', 9001, 1, 179_900),
		line('Main bedroom', 9007, 1, 38_900),
		line('Main bedroom', 8001, 3, 12_500),
		line('Guest room', 9001, 1, 165_000),
		line('Guest room', 9006, 1, 14_995),
		line('Guest room', 8001, 2.5, 12_500),
	]);
	// An execution that ended half-way may have created something.
	await doJob(accepted, ['start']);
	expect((await changeOf(id)).change).toBe('new');
	control.setStatus(id, 'Declined');
	expect(await changeOf(id)).toMatchObject({ change: 'withdrawn', version: 'withdrawn' });

	control.setStatus(id, 'Draft');
	control.setStatus(id, 'Accepted');
	await doJob(accepted, ['done']);
	expect((await changeOf(id)).change).toBe('none');
	control.setStatus(id, 'Expired');
	const expired = await changeOf(id);
	expect(expired).toMatchObject({ change: 'withdrawn', targetId: 'T-1' });
	await doJob(expired);
	expect((await changeOf(id)).change).toBe('none');
	control.setStatus(id, 'Draft');
	control.setStatus(id, 'Accepted');
	expect(await changeOf(id)).toMatchObject({ change: 'changed', version: accepted.version });
});

test('finds a change back while the change before it is not done', async () => {
	const { control } = stage().simulator;
	const { viewed: id } = seed.proposals;
	control.setStatus(id, 'Accepted');
	const first = await changeOf(id);
	await doJob(first);
	const changeOrder = control.addChangeOrder(id, {
		name: 'One shade more',
		areas: [['South side', { items: [{ ref: 9023, quantity: 1 }] }]],
	});
	control.setStatus(changeOrder, 'Accepted');
	const second = await changeOf(id);
	expect(second.change).toBe('changed');
	// The target may be half changed when the customer takes it back.
	await doJob(second, ['start', 'hold']);
	control.setStatus(changeOrder, 'Declined');
	const back = await changeOf(id);
	expect(back).toMatchObject({ change: 'changed', version: first.version });
	await doJob(back);
	expect((await changeOf(id)).change).toBe('none');
});
