/** Tests each operation's requests against docs/dev/portal-api.md. */
import type { INodeProperties } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { findOperation, registry } from '../../nodes/PortalIo/resources/index.ts';
import { endpointOf } from '../../dev/simulator/contract.mts';
import {
	exampleNames,
	findExample,
	type Parameters as Given,
} from '../../dev/scripts/examples.mts';
import { plainValues, recordRequests, type Recorded } from '../../dev/scripts/recordedCall.mts';

const declaredAs = (name: string) => {
	const [resource, operation] = name.split('.') as [string, string];
	return findOperation(resource, operation)!;
};
const sent = async (name: string, parameters: Given): Promise<Recorded[]> => {
	const operation = declaredAs(name);
	const values = await plainValues(operation, parameters, 'America/New_York');
	return await recordRequests(operation, values);
};
const requests = async (...input: Parameters<typeof sent>): Promise<object[]> =>
	(await sent(...input)).map(({ sets: _, ...request }) => JSON.parse(JSON.stringify(request)));

const cases = exampleNames.flatMap((name) => {
	const { example, sends, alsoSends = [] } = findExample(name);
	return [{ given: example, sends }, ...alsoSends].map(
		(one) => [name, one.given, one.sends] as const,
	);
});

const labeledUpdates = exampleNames.flatMap((name) => {
	const { labels } = findExample(name);
	return labels === undefined ? [] : [[name, labels] as const];
});

const refusals = exampleNames.flatMap((name) =>
	(findExample(name).refuses ?? []).map(([given, message]) => [name, given, message] as const),
);

it.each(cases)('sends the expected request for %s with %j', async (name, given, expected) => {
	const all = expected.flatMap((one) =>
		Object.entries(one).map(([request, more]) => {
			const [method, path] = request.split(' ');
			return { method, path, ...more };
		}),
	);
	expect(await requests(name, given)).toEqual(all);
});

it.each(labeledUpdates)('labels the requests of %s', async (name, { given, sets }) => {
	const labeled = (await sent(name, given)).flatMap((request) =>
		request.sets ? [request.sets] : [],
	);
	expect(labeled).toEqual(sets);
});

it.each(refusals)('rejects before any request: %s %j', async (name, given, message) => {
	await expect(sent(name, given)).rejects.toThrow(message);
});

it('has examples of exactly the registered operations', () => {
	const all = Object.entries(registry).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((name) => `${resource}.${name}`),
	);
	expect(exampleNames.toSorted(), 'complete dev/scripts/operations.yaml').toEqual(all.toSorted());
});

/** Returns a valid value for a field, by its type. */
function sampleOf({ type, options = [] }: INodeProperties): unknown {
	const [first = { value: 5 }] = options as Array<{ value: unknown }>;
	if (type === 'options') return first.value;
	if (type === 'multiOptions') return [first.value];
	if (type === 'resourceLocator') return { __rl: true, mode: 'id', value: 5 };
	if (type === 'string') return 'name@example.com';
	return { boolean: true, dateTime: '2026-01-15', number: 1 }[type as string];
}

/** Returns a sample value for every optional field, by collection. */
function optionalFields(name: string): Given {
	const collections = declaredAs(name).fields.filter((field) =>
		['additionalFields', 'filters'].includes(field.name),
	);
	const entries = collections.map((collection) => {
		const options = (collection.options ?? []) as INodeProperties[];
		return [
			collection.name,
			Object.fromEntries(options.map((option) => [option.name, sampleOf(option)])),
		];
	});
	return Object.fromEntries(entries);
}

it.each(exampleNames)('sends only fields of the contract: %s', async (name) => {
	const parameters = { ...findExample(name).example, ...optionalFields(name) };
	const unknownNames = (await sent(name, parameters)).flatMap(
		({ method, path, form, query, json }) => {
			const { fields, mark } = endpointOf(method, path);
			// Skip undocumented requests, which send a value under several possible names.
			if (mark === 'assumed') return [];
			const contractNames = fields.map((field) => field.name.toLowerCase());
			const sentNames = [form, query, json].flatMap((values) => Object.keys(values ?? {}));
			return sentNames.filter((sentName) => !contractNames.includes(sentName.toLowerCase()));
		},
	);
	expect(unknownNames, 'complete dev/simulator/contract.yaml').toEqual([]);
});

it('treats inherited property names as unknown operations', () => {
	expect(findOperation('constructor', 'name')).toBeUndefined();
	expect(findOperation('proposal', 'constructor')).toBeUndefined();
});
