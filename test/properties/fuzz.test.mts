/**
 * Runs each operation with random values in any field. Either the node sends what the contract allows, or its error
 * names the field.
 */
import fc from 'fast-check';
import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { beforeAll, expect, it } from 'vitest';
import { requestOptions } from '../../nodes/PortalIo/fields/requestOptions.ts';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { fileService } from '../wire/account.mts';
import { calls, operationNames, prepareForCalls, type Call } from '../wire/calls.mts';
import { hostileText } from './hostileText.mts';
import { runs } from './runCount.mts';

const service = fileService();
beforeAll(() => {
	prepareForCalls(service.control);
	service.control.keepState();
});

const idLike = fc.oneof(
	fc.constantFrom(
		'1/../../users',
		'1?x=1',
		'1#',
		'1%2f2',
		'%31',
		' 1 ',
		'1e3',
		'0x1',
		'-1',
		'1.5',
		'٣',
	),
	fc.nat(99_999).map(String),
	fc.nat(99_999),
);
const scalar = fc.oneof(
	hostileText,
	idLike,
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constantFrom(null, undefined, '', 2 ** 53, -0, Infinity),
	fc.date({ noInvalidDate: false }),
);
const keys = fc.constantFrom('value', 'mode', 'item', 'field', 'name', 'toString', 'length', '0');
const anything: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 4, arbitrary: scalar },
	{ weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
	{ weight: 1, arbitrary: fc.dictionary(keys, scalar, { maxKeys: 3 }) },
	{
		weight: 1,
		arbitrary: fc.dictionary(keys, fc.array(fc.dictionary(keys, scalar)), { maxKeys: 2 }),
	},
);

/** Generates values for a field, usually of its shape with random contents, and sometimes random JSON. */
function arbitraryValue(field: INodeProperties): fc.Arbitrary<unknown> {
	const inner = (field.options ?? []) as INodeProperties[];
	if (field.type === 'collection') {
		const entries = Object.fromEntries(
			inner.map((option) => [option.name, arbitraryValue(option)]),
		);
		return usually(fc.record(entries, { requiredKeys: [] }));
	}
	if (field.type === 'fixedCollection') {
		const groups = (field.options ?? []) as { name: string; values: INodeProperties[] }[];
		const rows = groups.map(({ name, values }) => {
			const row = Object.fromEntries(values.map((value) => [value.name, arbitraryValue(value)]));
			return [name, fc.array(fc.record(row, { requiredKeys: [] }), { maxLength: 2 })];
		});
		return usually(fc.record(Object.fromEntries(rows)));
	}
	if (field.type === 'options' || field.type === 'multiOptions') {
		const choices = inner.map((option) => (option as unknown as { value: string }).value);
		// Generate IDs for a field without choices, because the field loads its choices from the service.
		if (choices.length === 0) return usually(fc.array(idLike, { maxLength: 3 }));
		const one = fc.constantFrom(...choices);
		return usually(field.type === 'options' ? one : fc.subarray(choices));
	}
	if (field.type === 'resourceLocator') {
		const locator = fc.record({
			__rl: fc.constant(true),
			mode: fc.constantFrom('list', 'id', 'url', 'number'),
			value: scalar,
		});
		return fc.oneof(locator, idLike, anything);
	}
	return anything;
}

const usually = (arbitrary: fc.Arbitrary<unknown>) =>
	fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: anything });

function collectLabels(fields: INodeProperties[]): string[] {
	return fields.flatMap((field) => {
		const inner = (field.options ?? []).flatMap((option) =>
			'values' in option
				? option.values
				: 'displayName' in option
					? [option as INodeProperties]
					: [],
		);
		const within = collectLabels(inner);
		return [
			field.displayName,
			...within,
			...within.map((label) => `${field.displayName}: ${label}`),
		];
	});
}

/** Requests that an operation can send in addition to the one with its own name. */
const ADDITIONAL_REQUESTS: Record<string, RegExp> = {
	// The content list shows which of the documented paths works.
	'aiContent.upload': /^aiContent\.getMany$/,
	'contact.create': /^contact\.get/,
	'proposal.create': /^proposal\.assign(Contact|Location)$/,
	'proposal.duplicate':
		/^(proposal\.(create|assign|updateDescription)|area\.create|areaOption\.(create|update)|item\.(add|update))/,
};

async function check(name: string, fields: INodeProperties[], changed: object) {
	const { control } = service;
	const call = calls[name]!;
	control.restoreState();
	control.clearRequests();
	const values = { ...call.parameters, ...changed } as Record<string, unknown>;
	const parameters: Call['parameters'] = {};
	// Set required fields as expressions, because n8n does not run a node with an empty required field.
	const required = fields.filter((field) => field.required).map((field) => field.name);
	for (const field of [...Object.keys(values), ...required])
		parameters[field] = `={{ $json.values.${field} }}`;
	const input: INodeExecutionData = { json: { values: values } as never };
	if (call.file !== undefined) input.binary = { data: call.file };
	const failure = await service.run(name, parameters, { inputs: [input] }).then(
		() => undefined,
		(error: Error & { description?: string }) => error,
	);
	const sent = control.requests.filter(
		({ operationId }) => operationId !== 'authentication.exchangeKey',
	);
	for (const { operationId, isAccepted, method, path, query, bodyText } of sent) {
		const request = `${method} ${path}?${query} ${bodyText}`;
		// Allow the service to reject a value, such as a large number, if its error names the field.
		const wireNames = [changed, ...Object.values(changed)]
			.flatMap((one: unknown) => Object.keys(Object(one)))
			.map((field) => field.charAt(0).toUpperCase() + field.slice(1));
		const isNamed = failure?.description
			?.split('\n')
			.some((line) => wireNames.some((wireName) => line.startsWith(wireName)));
		expect(isAccepted || isNamed, `the contract allows ${request}`).toBe(true);
		const own = (operationId ?? '').replace(/\.(alternate|byOutline|newest)$/, '');
		const isOfUpdate = name.endsWith('.update') && own.startsWith(name);
		const isLookup = own === 'proposal.get' || own === 'proposal.getMany';
		if (isOfUpdate || isLookup) continue;
		const message = `${request}, which is not in ADDITIONAL_REQUESTS in test/properties/fuzz.test.mts`;
		expect(own === name || ADDITIONAL_REQUESTS[name]?.test(own), message).toBe(true);
	}
	if (sent.length > 0) return;
	expect(failure, 'nothing was sent, and nothing is wrong').toBeDefined();
	// n8n reports a missing input file in its own words.
	if (call.file !== undefined && failure!.message.includes('binary')) return;
	const text = `${failure!.message}\n${failure!.description}`;
	const [, label] = /^(?:Row \d+: )?'([^']+)' /m.exec(text) ?? [];
	expect(collectLabels(fields), failure!.message).toContain(label);
}

it.each(operationNames)(
	'sends only valid requests for any field value, or reports the field: %s',
	async (name) => {
		const [resource, operation] = name.split('.') as [string, string];
		const fields = [...findOperation(resource, operation)!.fields, requestOptions];
		const change = fc
			.constantFrom(...fields)
			.chain((field) => arbitraryValue(field).map((value) => ({ [field.name]: value })));
		await fc.assert(
			fc.asyncProperty(change, async (changed) => await check(name, fields, changed)),
			runs(10 * fields.length),
		);
	},
);
