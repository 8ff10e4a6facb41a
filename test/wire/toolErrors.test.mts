/** Tests errors for AI agents that omit a parameter or send an invalid value. */
import type { INode, INodeProperties } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { seed } from '../../dev/simulator/index.mts';
import { callTools, type ToolCall } from '../../dev/testbed/nodeRunner.mts';
import { ADVICE_FOR_PEOPLE } from './account.mts';
import { calls, operationNames, preparedService } from './calls.mts';

const service = preparedService();

/** Parameter that the model fills in, with all parameters of the step. */
interface Place {
	field: INodeProperties;
	parameters: Record<string, unknown>;
}

const FROM_MODEL = "={{ $fromAI('value', 'A value', 'string') }}";

/** Returns the values that other fields must have so that a field is shown. */
const shownWith = ({ displayOptions }: INodeProperties): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).map(([name, values]) => [name, values![0]]),
	);

/**
 * Returns the values with which a step lets the model fill in a field. A resource locator has one value for each mode
 * except the list.
 */
function valuesOf({ type, modes = [] }: INodeProperties): unknown[] {
	if (type !== 'resourceLocator') return [FROM_MODEL];
	return modes
		.filter(({ name }) => name !== 'list')
		.map(({ name }) => ({ __rl: true, mode: name, value: FROM_MODEL }));
}

/**
 * Returns each field once for each way in which the model can fill it in, with the `values` of the fields around it.
 */
const placesIn = (
	fields: INodeProperties[],
	values: Record<string, unknown>,
): Array<{ field: INodeProperties; values: Record<string, unknown> }> =>
	fields.flatMap((field) =>
		valuesOf(field).map((value) => ({
			field,
			values: { ...values, ...shownWith(field), [field.name]: value },
		})),
	);

function placesOf(name: string): Place[] {
	const [resource, operation] = name.split('.') as [string, string];
	const given = { ...calls[name]!.parameters, resource, operation };
	const { fields } = registry[resource]!.operations[operation]!;
	return fields.flatMap((field): Place[] => {
		const parameters: Record<string, unknown> = { ...given, ...shownWith(field) };
		const content = parameters[field.name] as Record<string, unknown[]> | undefined;
		switch (field.type) {
			case 'notice':
				return [];
			case 'collection':
				// Skip options that are shown only for a certain output, because n8n ignores an option that is not
				// shown.
				return placesIn(
					(field.options as INodeProperties[]).filter(
						({ displayOptions }) => !displayOptions?.show?.['/output'],
					),
					content ?? {},
				).map((place) => ({
					field: place.field,
					parameters: { ...parameters, [field.name]: place.values },
				}));
			case 'fixedCollection':
				return (field.options as Array<{ name: string; values: INodeProperties[] }>).flatMap(
					(row) =>
						placesIn(row.values, content![row.name]![0] as Record<string, unknown>).map(
							(place) => ({
								field: place.field,
								parameters: { ...parameters, [field.name]: { [row.name]: [place.values] } },
							}),
						),
				);
			default:
				return placesIn([field], parameters).map((place) => ({
					field: place.field,
					parameters: place.values,
				}));
		}
	});
}

/** Returns arguments that a model might send and that the field rejects. */
function wrongArguments({ field, parameters }: Place): object[] {
	const wrong: object[] = [{ value: { wrong: 1 } }];
	if (field.type === 'resourceLocator' || field.typeOptions?.loadOptionsMethod !== undefined) {
		// Use a value that no record has as its email, number, model, or name.
		wrong.push({
			value: JSON.stringify(parameters).includes('"email"') ? 'x@example.com' : '987654a',
		});
	}
	if (field.required) wrong.push({}, { value: '' });
	return wrong;
}

async function callStep(
	parameters: object[],
	given: object[],
	onError: INode['onError'] = 'continueRegularOutput',
): Promise<string[]> {
	const steps = parameters.map((own, index): INode => ({
		id: `Tool ${index}`,
		name: `Tool ${index}`,
		type: 'n8n-nodes-portal-io.portalIoTool',
		typeVersion: 1,
		position: [0, 0],
		parameters: own as INode['parameters'],
		onError,
	}));
	const toolCalls = given.map((one, index): ToolCall => [`Tool ${index}`, one]);
	return await callTools(service.account, steps, 'inEngine', toolCalls);
}

/** Operations that a model can call as tools. Uploads are excluded, because a model cannot send a file. */
const toolNames = operationNames.filter(
	(name) => name !== 'aiContent.upload' && placesOf(name).length > 0,
);

it.each(toolNames)('explains every invalid parameter of %s', async (name) => {
	const all = placesOf(name).flatMap((place) =>
		wrongArguments(place).map((given) => ({ ...place, given })),
	);
	const texts = await callStep(
		all.map(({ parameters }) => parameters),
		all.map(({ given }) => given),
	);
	expect(texts).toHaveLength(all.length);
	for (const [index, text] of texts.entries()) {
		const { displayName } = all[index]!.field;
		// In *Items (JSON)*, expect the error to name the row and its field instead.
		const isRows = displayName === 'Items (JSON)';
		const label = isRows ? '.+' : displayName.replaceAll(/[()]/g, '\\$&');
		expect(text).toMatch(new RegExp(`'${label}' (is|must|has|was not found)`));
		expect(text).not.toMatch(ADVICE_FOR_PEOPLE);
	}
	expect(service.changes()).toEqual([]);
});

it('accepts an item ID instead of a model number from an AI agent', async () => {
	const { staleTheater } = seed.proposals;
	const { id } = service.control.items(staleTheater)[0]!;
	const proposalId = { __rl: true, mode: 'id', value: staleTheater };
	const itemId = { __rl: true, mode: 'model', value: FROM_MODEL };
	const getSuppliers = { resource: 'item', operation: 'getSuppliers', proposalId, itemId };
	const [text] = await callStep([getSuppliers], [{ value: String(id) }]);
	expect(JSON.parse(text!)[0]).toMatchObject({ itemId: id });
});

const options = { reuseEmpty: true };
const additionalFields = { locationId: FROM_MODEL };

it.each<[string, string, object, unknown]>([
	["'Name' is empty", 'proposal.create', { name: FROM_MODEL, options }, ''],
	["'Contact' is empty", 'proposal.create', { additionalFields }, '6104'],
	["'Contact' is empty", 'proposal.duplicate', { additionalFields }, '6104'],
	["'State' is empty", 'location.create', { additionalFields: { country: FROM_MODEL } }, 'Canada'],
	[
		"'Email' is empty",
		'contact.create',
		{ additionalFields: { contactEmail: FROM_MODEL }, options: { reuseExisting: true } },
		'',
	],
	["'Items (JSON)' is empty", 'item.add', { itemsJson: FROM_MODEL }, '[]'],
	["Row 1: 'catalogItemId' is empty", 'item.add', { itemsJson: FROM_MODEL }, '[{ "quantity": 1 }]'],
	[
		"Row 1: 'catalogItemId' is empty",
		'item.add',
		{ itemsJson: FROM_MODEL },
		'[{ "catalogItemId": null }]',
	],
	[
		"Row 1: 'quantity' is empty",
		'item.add',
		{ itemsJson: FROM_MODEL },
		'[{ "catalogItemId": 9001, "quantity": null }]',
	],
	[
		"Row 1: 'model' was not found",
		'item.add',
		{ itemsJson: FROM_MODEL },
		'[{ "model": "Nothing 1" }]',
	],
])('reports %s: %s %j', async (start, name, more, value) => {
	const [resource, operation] = name.split('.');
	const specifyItems = 'itemsJson' in more ? { specifyItems: 'json' } : {};
	const parameters = {
		...calls[name]!.parameters,
		...specifyItems,
		...more,
		resource,
		operation,
	};
	const [text] = await callStep([parameters], [{ value }]);
	expect(text).toContain(start);
	expect(text).not.toMatch(ADVICE_FOR_PEOPLE);
	expect(service.changes()).toEqual([]);
});
