/** The example *Parts list to proposal*, by its form, with lists as installers send them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { formUrl, submitForm } from '../../../dev/testbed/activeWorkflow.mts';
import { finishedExecutions, nextExecution } from '../handRuns.mts';
import { useExample } from './example.mts';

const { areasOf, control, environment, workflow } = useExample('Parts list to proposal');
const { empty, accepted } = seed.proposals;

beforeAll(() => environment().n8n.activate(workflow()));
afterAll(() => environment().n8n.deactivate(workflow()));

const numberOf = (id: number) => String(control().proposal(id).number);

/** Sends a list by the form; returns the title of its last page, and the lines below it. */
async function send(list: BlobPart, fileName = 'parts.csv', number = numberOf(empty)) {
	const finished = await nextExecution(environment(), workflow());
	const content = new Blob([list]);
	const answer = await submitForm(environment(), workflow(), [number, { content, fileName }]);
	const { status, error } = await finished();
	expect([status, error]).toEqual(['success', undefined]);
	const [title, text] = answer!;
	return [title, ...text!.split('\n').filter((line) => line !== 'Not added:' && line !== '')];
}

const added = (count: number, total: number, id = empty) =>
	`${count} of ${total} rows were added to proposal ${numberOf(id)}`;

test('puts the rows of an area together however it is written, and says what was not added', async () => {
	const answer = await send(
		[
			'\uFEFFRoom;Manufacturer;Part Number;Qty',
			'Theater;Lumenfold;LX65;1',
			'Theater ;Corvane;cv 6c;4 pcs',
			'theater;Corvane;Garden 4;',
			'Theater;Sonos;XYZ;1',
			'Patio;Corvane;CV;1',
			';Corvane;Garden 4;6',
			'Patio;Corvane;Garden 4;6',
			'Patio;Corvane;CV-6C;2,000',
		].join('\n'),
	);
	expect(answer).toEqual([
		added(3, 8),
		'Row 4, Corvane Garden 4 in theater: no quantity',
		expect.stringMatching(/^Row 5, Sonos XYZ in Theater: .* no part has the model/),
		expect.stringMatching(/^Row 6, Corvane CV in Patio: .* Similar ones: Corvane CV-6C/),
		'Row 7, Corvane Garden 4: no area',
		expect.stringMatching(/^Row 9, Corvane CV-6C in Patio: 'Quantity' .*2,000/),
	]);
	expect(areasOf(empty)).toEqual([
		['Theater', '1 LX65, 4 CV-6C'],
		['Patio', '6 Garden 4'],
	]);
});

test('adds nothing twice when a corrected list is sent, by commas this time', async () => {
	const list = 'area,model,quantity\nTHEATER,LX65,1\nTheater,CV-6C,6\nKüche 🍳,CV-8C,1000\n';
	expect(await send(list)).toEqual([
		added(1, 3),
		'Row 2, LX65 in THEATER: already in THEATER (quantity 1)',
		'Row 3, CV-6C in Theater: already in Theater (quantity 4). To change it to 6, edit the item in Portal.io',
	]);
	expect(areasOf(empty).at(-1)).toEqual(['Küche 🍳', '1000 CV-8C']);
});

test('says why nothing was added', async () => {
	const list = 'Area,Model,Quantity\nDen,LX65,1';
	expect(await send(list, 'parts.csv', '987654')).toEqual([
		'Nothing was added',
		expect.stringContaining('987654'),
	]);
	const before = areasOf(accepted);
	expect(await send(list, 'parts.csv', numberOf(accepted))).toEqual([
		added(0, 1, accepted),
		expect.stringMatching(/^Row 2, LX65 in Den: Proposal \d+ is \w+, so it can't be changed/),
	]);
	expect(areasOf(accepted)).toEqual(before);
});

test('rejects the form without its login', async () => {
	const { length } = await finishedExecutions(environment(), workflow());
	const url = formUrl(environment(), workflow());
	expect((await fetch(url)).status).toBe(401);
	const body = new FormData();
	body.append('field-0', numberOf(empty));
	expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
	expect(await finishedExecutions(environment(), workflow())).toHaveLength(length);
});
