/** What a user reads of a refused request whose fields are assumed, and of several requests. */
import { NodeApiError, type INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { toNodeError } from '../../client/errors.ts';
import { overriddenBody, withAskedFields } from '../../nodes/PortalIo/operation/bodyOverrides.ts';
import type { Call } from '../../nodes/PortalIo/operation/operation.ts';
import { sendSteps, type Step } from '../../nodes/PortalIo/operation/steps.ts';

const node = { name: 'Portal.io' } as INode;
const refusal = (data: unknown, status = '400') =>
	toNodeError(node, { status, code: '', headers: {}, data });
const about = (...fieldNames: string[]) => ({
	message: 'Bad',
	responseStatus: { errors: fieldNames.map((fieldName) => ({ fieldName, message: 'is missing' })) },
});
const request = (body: object) => ({ method: 'POST', path: '/x', ...body }) as const;

it.each([
	['json', { json: { color: 'red', size: 5 } }],
	[undefined, { form: { Color: 'red', size: 5 } }],
])('adds extra fields to a body (%s) under their names without blanks', (bodyFormat, body) => {
	const extraFields = [{ name: ' size ', value: 5 as never }];
	expect(overriddenBody({ color: 'red' }, { bodyFormat, extraFields })).toEqual(body);
});

describe('the error of a refused request', () => {
	const longest = 'x'.repeat(61);
	it.each<[string[], object, message: string, remedy: string]>([
		[['Color'], { form: { Quantity: 2 } }, "a field 'Color'", "Add it under 'Extra Fields'"],
		[['Color', 'Color'], {}, "a field 'Color'", "Add it under 'Extra Fields'"],
		[
			['Body.Color', 'request.size', 'Quantity'],
			{ form: { quantity: 2 } },
			"the fields 'Color', 'size'",
			"Add them under 'Extra Fields' in 'Options'.",
		],
		[['antibody.Color'], {}, "a field 'antibody.Color'", "Add it under 'Extra Fields'"],
		[[longest], {}, `a field '${longest}'`, "Add it under 'Extra Fields'"],
		...['Items[0].Sku', 'Items[12].Sku', 'Items[].Sku'].map(
			(name): [string[], object, string, string] => [
				[name],
				{ json: { items: [{ itemId: 1 }] } },
				`a field '${name}'`,
				"Add 'Items' under 'Extra Fields' in 'Options': a JSON list of entries with 'Sku'.",
			],
		),
		[['Items[0].Sku'], {}, "a field 'Items[0].Sku'", "Add 'Items' under 'Extra Fields'"],
	])('names the fields that it did not have: %j', (names, body, message, remedy) => {
		const error = refusal(about(...names));
		const { description } = error;
		const said = withAskedFields(error, request(body)) as NodeApiError;
		expect(said.message).toBe(`Portal.io asks for ${message}`);
		const [first, ...others] = said.description!.split('\n');
		expect(first).toMatch(remedy);
		expect(others.join('\n')).toBe(description);
		expect(withAskedFields(Object.assign(error, { description: '' }), request(body))).toMatchObject(
			{ description: first },
		);
	});

	const rows = { json: { items: [{ quantity: 1 }, { quantity: 2, itemId: 5 }] } };
	it.each<[string, unknown, object]>([
		['a field that was sent', about('Quantity'), { form: { quantity: 2 } }],
		['what is in the path', about('ProposalId', 'proposalItemId'), {}],
		['a field of an entry that was sent', about('Items[10].ItemID'), rows],
		['an entry', about('Items[0]'), rows],
		['entries that are no list', about('Items[0].Sku'), { form: { Items: 'x' } }],
		['no name', about('Color of it', '<b>', '.x', `${longest}x`), {}],
		['no field', { message: 'Bad' }, {}],
		['nothing', '', {}],
	])('stays as it is where it names %s', (_, data, body) => {
		const error = refusal(data);
		const before = { message: error.message, description: error.description };
		expect(withAskedFields(error, request(body))).toMatchObject(before);
	});

	it('stays as it is where it is about something else', () => {
		const conflict = refusal(about('Color'), '409');
		const { message } = conflict;
		expect(withAskedFields(conflict, request({})).message).toBe(message);
		const other = Object.assign(new Error('Broken'), {
			httpCode: '400',
			errorResponse: about('Color'),
		});
		expect(withAskedFields(other, request({})).message).toBe('Broken');
	});
});

describe('several requests', () => {
	const step = (...sets: string[]) => ({ ...request({}), sets }) as Step;
	const steps = [step('Name'), step('Cost', 'Price'), step('Tax')];
	/** A call whose n-th request fails. */
	const failingAt = (failed: number, error?: Error) => {
		let sent = 0;
		const send = async () => {
			if (sent++ === failed) throw error!;
			return sent;
		};
		return { send } as unknown as Call;
	};

	it.each([
		[0, "Failed: 'Name'. Not sent: 'Cost', 'Price', 'Tax'."],
		[1, "Set: 'Name'. Failed: 'Cost', 'Price'. Not sent: 'Tax'."],
		[2, "Set: 'Name', 'Cost', 'Price'. Failed: 'Tax'."],
	])('say what was set before request %i failed, and what was not', async (failed, said) => {
		const error = refusal({ message: 'Bad' });
		const { description } = error;
		const run = async () => await sendSteps(failingAt(failed, error), steps);
		await expect(run()).rejects.toMatchObject({ description: `${description}\n${said}` });
		error.description = '';
		await expect(run()).rejects.toMatchObject({ description: said });
	});

	it('leave other errors alone, and give the last response, if only an empty one', async () => {
		const broken = sendSteps(failingAt(1, new Error('Broken')), steps);
		expect(await broken.catch((error: Error) => error)).not.toHaveProperty('description');
		expect(await sendSteps(failingAt(9), steps)).toBe(3);
		expect(await sendSteps(failingAt(9), [])).toBe('');
	});
});
