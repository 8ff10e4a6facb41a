/** The example *Parts list to proposal*, by its form. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { submitForm } from '../../../dev/testbed/activeWorkflow.mts';
import { until } from '../../../dev/testbed/until.mts';
import { finishedExecutions } from '../handRuns.mts';
import { linkTo, useExample } from './example.mts';

const { control, messages, environment, workflow } = useExample('Parts list to proposal');
const { empty } = seed.proposals;

beforeAll(() => environment().n8n.activate(workflow()));
afterAll(() => environment().n8n.deactivate(workflow()));

/** Sends a list by the form, and waits until the workflow has ended. */
async function send(lines: string[]) {
	const finished = () => finishedExecutions(environment(), workflow());
	const before = finished().length;
	const content = new Blob([['Area,Brand,Model,Quantity', ...lines].join('\n')]);
	const number = String(control().proposal(empty).number);
	await submitForm(environment(), workflow(), [number, { content, fileName: 'parts.csv' }]);
	const { status, error } = await until('the execution', () => finished()[before]);
	expect([status, error]).toEqual(['success', undefined]);
}

const areas = () =>
	control()
		.proposal(empty)
		.areas.map((area: { name: string; options: { items: Record<string, unknown>[] }[] }) => [
			area.name,
			area.options[0]!.items.map(({ model, quantity }) => `${quantity} ${model}`),
		]);
/** What is said of an area that exists, in the words of the simulator. */
const whole = (area: string) =>
	`all parts of ${area}: The proposal already has an area named '${area}'.`;
const list = ['Den,Lumenfold,LX65,1', 'Den,Corvane,cv 6c,4', 'Patio,Corvane,Garden 4,6'];

test('adds one area for each name, each with its parts in one request', async () => {
	const before = control().requests.length;
	await send(list);
	expect(areas()).toEqual([
		['Den', ['1 LX65', '4 CV-6C']],
		['Patio', ['6 Garden 4']],
	]);
	const added = control()
		.requests.slice(before)
		.filter((one) => one.operationId === 'item.add');
	expect(added).toHaveLength(2);
	expect(messages()).toEqual([]);
});

test('adds nothing twice', async () => {
	const before = areas();
	await send(list);
	expect(areas()).toEqual(before);
	expect(messages()).toEqual([
		`Not added to ${linkTo(empty)}: ${['Den', 'Patio'].map(whole).join('; ')}`,
	]);
});

test('lists what the catalog does not have, and adds the rest', async () => {
	await send(['Rack,Sonos,XYZ,1', 'Rack,Corvane,CV,1', 'Rack,Arcwell,Rack 27,1']);
	expect(messages().at(-1)).toBe(
		`Not added to ${linkTo(empty)}: Sonos XYZ in Rack; Corvane CV in Rack`,
	);
	expect(areas().at(-1)).toEqual(['Rack', ['1 Rack 27']]);
});
