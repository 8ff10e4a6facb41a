/** Runs the example *Parts list to proposal* through its form, with lists as installers would send them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { entryUrl, submitForm } from '../../../dev/testbed/activeWorkflow.mts';
import { loadOfN8n } from '../../../dev/testbed/paths.mts';
import { finishedExecutions, nextExecution } from '../executions.mts';
import { useExample } from './example.mts';

const { readAreas, control, environment, workflow } = useExample('Parts list to proposal');
const { empty, accepted } = seed.proposals;

beforeAll(() => environment().n8n.activate(workflow()));
afterAll(() => environment().n8n.deactivate(workflow()));

const numberOf = (id: number) => String(control().proposal(id).number);

/** Sends a list through the form. Returns the title of the form's last page and the lines below it. */
async function send(list: BlobPart, fileName = 'parts.csv', number = numberOf(empty)) {
	const finished = await nextExecution(environment(), workflow());
	const content = new Blob([list]);
	const answer = await submitForm(environment(), workflow(), [number, { content, fileName }]);
	const { status, error } = await finished();
	expect([status, error]).toEqual(['success', undefined]);
	const [title, text] = answer!;
	return [title, ...text!.split('\n').filter((line) => line !== 'Not added:' && line !== '')];
}

const titleFor = (count: number, total: number, id = empty) =>
	`${count} of ${total} rows were added to proposal ${numberOf(id)}`;

it('groups rows by area despite different spellings, and reports skipped rows', async () => {
	const answer = await send(
		[
			'\uFEFFArea,Part Number,Model,Quantity,Qty 2',
			'Theater,7,Lumenfold LX65,1,50',
			'Theater ,,cv 6c,4,',
			'Apt 1-1,,LX77,1,',
			'Apt 11,,LX77,1,',
			'Küche 🍳,,CV-8C,1000,',
			'theater,,Garden 4,,',
			'Theater,,XYZ,1,',
			',,Garden 4,6,',
			'Patio,,CV-6C,"2,000 pcs",',
			',,,,',
		].join('\n'),
	);
	expect(answer).toEqual([
		titleFor(5, 9),
		expect.stringMatching(/^Garden 4 in theater: .*'Quantity' is empty/),
		expect.stringMatching(/^XYZ in Theater: .* no part has the model/),
		expect.stringMatching(/^Garden 4 in no area: .*'Area Option'/),
		expect.stringMatching(/^CV-6C in Patio: .*'Quantity' .*2,000 pcs/),
	]);
	expect(readAreas(empty)).toEqual([
		['Theater', '1 LX65, 4 CV-6C'],
		['Apt 1-1', '1 LX77'],
		['Apt 11', '1 LX77'],
		['Küche 🍳', '1000 CV-8C'],
	]);
});

it('adds only the missing rows when a corrected list is sent as an Excel file', async () => {
	const { utils, write } = loadOfN8n('@e965/xlsx');
	const rows = [
		['Quantity', 'Area', 'Model'],
		[1, 'THEATER', 'LX65'],
		[],
		[6, 'Theater', 'CV-6C'],
		[6, 'Patio', 'Garden 4'],
	];
	const book = { SheetNames: ['Parts'], Sheets: { Parts: utils.aoa_to_sheet(rows) } };
	const file = write(book, { type: 'buffer', bookType: 'xlsx' });
	expect(await send(file, 'parts.xlsx')).toEqual([
		titleFor(1, 3),
		'LX65 in THEATER: already there, with the same quantity',
		expect.stringMatching(/^CV-6C in Theater: .*quantity 4/),
	]);
	expect(readAreas(empty).at(-1)).toEqual(['Patio', '6 Garden 4']);
});

it.each([
	['Area,Model,Quantity\nDen,LX65,1', 'parts.csv', '987654', /987654/],
	['PK\u0003\u0004', 'parts.xlsx', undefined, /^The list could not be read: /],
	['Area,Model,Quantity\n', 'parts.csv', undefined, /^a row without a model in no area: /],
	['Room,Part,Qty\nDen,LX65,1', 'parts.csv', undefined, /^a row without a model in no area: /],
])('reports why no row was added: %j in %s', async (list, fileName, number, reason) => {
	const [title, ...lines] = await send(list, fileName, number);
	expect(title).toMatch(/^(Nothing was added|0 of 1 rows were added to proposal \d+)$/);
	expect(lines).toEqual([expect.stringMatching(reason)]);
});

it('rejects a list for an accepted proposal', async () => {
	const before = readAreas(accepted);
	const list = 'Area,Model,Quantity\nDen,LX65,1';
	expect(await send(list, 'parts.csv', numberOf(accepted))).toEqual([
		titleFor(0, 1, accepted),
		"LX65 in Den: The proposal's state prevents this change",
	]);
	expect(readAreas(accepted)).toEqual(before);
});

it('requires a login for its form', async () => {
	const { length } = await finishedExecutions(environment(), workflow());
	const url = entryUrl(environment(), workflow())!;
	expect((await fetch(url)).status).toBe(401);
	const body = new FormData();
	body.append('field-0', numberOf(empty));
	expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
	expect(await finishedExecutions(environment(), workflow())).toHaveLength(length);
});
