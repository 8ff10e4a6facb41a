/**
 * Tests that forms are bound as in ServiceStack. The expected values are from its source, at the commit of
 * 2026-08-22: StringMapTypeDeserializer, DeserializeListWithElements, JsvTypeSerializer, DeserializeTypeRefJsv,
 * DeserializeBuiltin, DefaultMemory, CachedTypeInfo, and HttpRequestExtensions.
 */
import { expect, it } from 'vitest';
import { bind, type Sources, type Values } from '../../dev/simulator/binder.mts';
import { readFields } from '../../dev/simulator/contract.mts';
import type { ServiceError } from '../../dev/simulator/errors.mts';

const fields = readFields(
	'Id: int, Ids: int[], Price: number, IsOn: bool, Type: ItemType, Types: ItemType[], Day: date, ' +
		'Name: text, Brands: text[], Items: NewItem[]',
);

const bindTo = (sources: Partial<Sources>) =>
	bind(fields, { path: {}, query: '', form: '', json: '', ...sources }, 'Example');

/** Returns the name and value of each error. */
function readErrors(sources: Partial<Sources>): string[] {
	try {
		return [`bound to ${JSON.stringify(bindTo(sources))}`];
	} catch (error) {
		return (error as ServiceError).fields.map(({ message }) => message);
	}
}

const encode = (form: string) => form.replaceAll(' ', '+').replaceAll('"', '%22');

it.each<[form: string, values: Values]>([
	// Names
	['Id=5', { Id: 5 }],
	['id=5', { Id: 5 }],
	['ID=5&Foo=1', { Id: 5 }],
	['Id=', {}],
	['Name=&Brands=&Price=&IsOn=', {}],
	// Whole numbers
	['Id= 5 ', { Id: 5 }],
	['Id=007', { Id: 7 }],
	['Id=-5', { Id: -5 }],
	['Id="5"', { Id: 5 }],
	['Id=2147483647', { Id: 2147483647 }],
	// Decimal numbers
	['Price=1250.50', { Price: 1250.5 }],
	['Price=-.5', { Price: -0.5 }],
	['Price=5.', { Price: 5 }],
	['Price=1,250', { Price: 1250 }],
	['Price=1,5', { Price: 15 }],
	['Price=1&price=2', { Price: 12 }],
	['Price=1.5e3', { Price: 1500 }],
	// Booleans
	['IsOn=true', { IsOn: true }],
	['IsOn=FALSE', { IsOn: false }],
	['IsOn=on', { IsOn: true }],
	['IsOn=0', { IsOn: false }],
	['IsOn=true&IsOn=false', { IsOn: true }],
	// Enumerations
	['Type=customitem', { Type: 'CustomItem' }],
	['Type=1', { Type: 'Labor' }],
	['Types=Part,labor', { Types: ['Part', 'Labor'] }],
	// Dates
	['Day=2026-06-26', { Day: '2026-06-26T00:00:00.000Z' }],
	['Day=2026-06-26T10:00:00.0000000', { Day: '2026-06-26T10:00:00.000Z' }],
	['Day=2026-06-26T10:00:00-04:00', { Day: '2026-06-26T14:00:00.000Z' }],
	// Lists of whole numbers
	['Ids=1&Ids=2', { Ids: [1, 2] }],
	['Ids=1,2', { Ids: [1, 2] }],
	['Ids=[1,2]', { Ids: [1, 2] }],
	['Ids=1, 2,', { Ids: [1, 2] }],
	['Ids=[]', { Ids: [] }],
	// Text, which is bound unchanged, and text in lists, which is not
	['Name="a", [b]', { Name: '"a", [b]' }],
	['Name=a&Name=b', { Name: 'a,b' }],
	['Brands=Sonos&Brands=Snap One, LLC', { Brands: ['Sonos', 'Snap One', ' LLC'] }],
	['Brands=Sonos&Brands="Snap One, LLC"', { Brands: ['Sonos', 'Snap One, LLC'] }],
	['Brands="55"" TV"', { Brands: ['55" TV'] }],
	['Brands=55" TV', { Brands: ['55" TV'] }],
	['Brands="a"b', { Brands: ['a', 'b'] }],
	['Brands=[a]', { Brands: ['a'] }],
	['Brands=a},b', { Brands: ['a', null, 'b'] }],
	['Brands=a,', { Brands: ['a', null] }],
	// Lists of objects
	['Items=[{itemId:1,quantity:2}]', { Items: [{ itemId: 1, quantity: 2 }] }],
	['Items=[{"itemId":1,"itemType":"Fee"}]', { Items: [{ itemId: 1, itemType: 'Fee' }] }],
	['Items=[{"ITEMID":1},{"itemId":2}]', { Items: [{ itemId: 1 }, { itemId: 2 }] }],
	['Items={itemId:1},{itemId:2}', { Items: [{ itemId: 1 }, { itemId: 2 }] }],
	[
		'Items=[{"itemId":1,"other":[1,{"a":2}],"quantity":3}]',
		{ Items: [{ itemId: 1, quantity: 3 }] },
	],
	['Items=[{"itemId":"x","quantity":3}]', { Items: [{ quantity: 3 }] }],
	['Items=[{"itemId": 1, "itemType": "Fee"}]', { Items: [{ itemId: 1 }] }],
	['Items=[{}]', { Items: [{}] }],
])('binds %s to %j', (form, values) => {
	expect(bindTo({ form: encode(form) })).toEqual(values);
});

it.each([
	['Id', '~'],
	['Id', '5.0'],
	['Id', '+5'],
	['Id', '2147483648'],
	['Ids', '~'],
	['Ids', '["1"]'],
	['Ids', '1,,2'],
	['Price', '$5'],
	['Price', '1e3'],
	['Price', '05'],
	['IsOn', 'maybe'],
	['IsOn', 'On'],
	['Type', '~'],
	['Types', 'Part,~'],
	['Day', 'yesterday'],
	['Items', '~'],
	['Items', '[{itemId:1}, {itemId:2}]'],
	['Items', '[{itemId:1}],[{itemId:2}]'],
])('rejects %s=%s with an error that names the field', (name, value) => {
	const expected = `'${value}' is an Invalid value for '${name}'`;
	expect(readErrors({ form: new URLSearchParams([[name, value]]).toString() })).toEqual([expected]);
});

it('reports every value that it cannot bind, with the field name from the request', () => {
	const error = { errorCode: 'SerializationException', fieldName: expect.any(String) };
	expect(() => bindTo({ path: { Id: '5' }, query: 'price=x', form: 'Id=~&Name=~&Foo=~' })).toThrow(
		expect.objectContaining({
			status: 400,
			message: "Unable to bind to request 'Example'",
			fields: [
				{ ...error, fieldName: 'Id', message: "'~' is an Invalid value for 'Id'" },
				{ ...error, fieldName: 'price', message: "'x' is an Invalid value for 'price'" },
			],
		}),
	);
});

it.each<[sources: Partial<Sources>, values: Values]>([
	[{ path: { Id: '1' }, query: 'Id=2' }, { Id: 2 }],
	[{ path: { Id: '1' }, query: 'id=2', form: 'ID=3' }, { Id: 3 }],
	[{ query: 'Ids=1&Ids=2', form: 'Ids=3' }, { Ids: [3] }],
	[
		{ path: { Id: '1' }, json: '{"id":2,"NAME":"a"}' },
		{ Id: 1, Name: 'a' },
	],
	[{ json: '{"id":"2","price":null,"isOn":true,"other":1}' }, { Id: 2, IsOn: true }],
])('binds the value with the highest precedence: %j', (sources, values) => {
	expect(bindTo(sources)).toEqual(values);
});
