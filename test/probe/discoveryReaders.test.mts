import { describe, expect, test } from 'vitest';
import type { Described, Shape } from '../../probe/discovery/described.mts';
import { readOperation, readOperationNames } from '../../probe/discovery/metadataPages.mts';
import { readOpenApi } from '../../probe/discovery/openapi.mts';
import { readTypesMetadata } from '../../probe/discovery/typesMetadata.mts';
import { readTypescript } from '../../probe/discovery/typescript.mts';

/** A shape in short: names with their types, `*` where required. */
function inShort({ type, fields, required = [], entries }: Shape): unknown {
	if (entries !== undefined) return [inShort(entries)];
	if (fields === undefined) return type;
	return Object.fromEntries(
		Object.entries(fields).map(([name, one]) => [
			required.includes(name) ? `${name}*` : name,
			inShort(one),
		]),
	);
}

const allInShort = (described: Described[] | undefined) =>
	described?.map(({ methods, path, request, response }) => ({
		route: `${methods.join()} ${path}`,
		request: inShort(request),
		response: response && inShort(response),
	}));

const ROUTE = 'POST /public/proposals/{ProposalId}/items';

describe('/types/metadata', () => {
	const property = (name: string, type: string, more: object = {}) => ({ name, type, ...more });
	const list = (name: string, of: string) => property(name, 'List`1', { genericArgs: [of] });
	const page = {
		config: { baseUrl: 'https://service.example', addReturnMarker: true },
		namespaces: ['System'],
		types: [
			{
				name: 'NewItem',
				properties: [
					property('CatalogItemId', 'Int32', { isValueType: true, isRequired: true }),
					property('Qty', 'Nullable`1', { genericArgs: ['Decimal'] }),
					property('Kind', 'ItemKind', { isEnum: true }),
					list('Nested', 'NewItem'),
				],
			},
			{ name: 'ItemKind', isEnum: true, enumNames: ['Part', 'Labor'] },
			{ name: 'Base', properties: [property('Id', 'Int64')] },
			{
				name: 'Proposal',
				inherits: { name: 'Base' },
				properties: [
					property('Title', 'String', { dataMember: { name: 'name' } }),
					property('Tags', 'String[]'),
					property('Meta', 'Dictionary`2', { genericArgs: ['String', 'String'] }),
				],
			},
		],
		operations: [
			{
				request: {
					name: 'AddItems',
					properties: [property('ProposalId', 'Int32'), list('Items', 'NewItem')],
				},
				response: { name: 'Proposal' },
				actions: ['POST'],
				method: 'POST',
				returnType: { name: 'Proposal' },
				routes: [{ path: '/public/proposals/{ProposalId}/items', verbs: 'POST' }],
			},
			{
				request: { name: 'Ping', properties: [], routes: [{ path: '/ping' }] },
				actions: ['ANY'],
			},
			{ request: { name: 'NoRoute' }, actions: ['GET'] },
		],
	};

	test('is read with routes, inherited and renamed fields, lists and enumerations', () => {
		const [first, second, ...others] = readTypesMetadata(page)!;
		const nested = (first!.request.fields!.Items!.entries!.fields!.Nested!.entries!.fields ?? {})
			.Qty;
		expect(nested).toEqual({ type: 'number' });
		delete first!.request.fields!.Items!.entries!.fields!.Nested;
		expect(allInShort([first!])).toEqual([
			{
				route: ROUTE,
				request: {
					ProposalId: 'number',
					Items: [{ 'CatalogItemId*': 'number', Qty: 'number', Kind: 'string' }],
				},
				response: { Id: 'number', name: 'string', Tags: ['string'], Meta: 'object' },
			},
		]);
		expect(second).toMatchObject({
			methods: expect.arrayContaining(['GET', 'POST']),
			path: '/ping',
		});
		expect(others).toEqual([]);
	});

	test.each([null, 'text', {}, { operations: 'none' }])('is not %j', (other) => {
		expect(readTypesMetadata(other)).toBeUndefined();
	});
});

describe('/types/typescript', () => {
	const page = `/* Options:
Date: 2026-11-22 16:30:00
Version: 6.110
BaseUrl: https://service.example

//MakePropertiesOptional: False
*/

export interface IReturn<T>
{
    createResponse(): T;
}

export enum ItemKind
{
    Part = 'Part',
    Labor = 'Labor',
}

export class NewItem
{
    // @Required()
    public catalogItemId: number;
    public qty?: number;
    public kind: ItemKind;

    public constructor(init?: Partial<NewItem>) { (Object as any).assign(this, init); }
}

export class Base
{
    public id: number;
}

export class Proposal extends Base
{
    /** @description The name that people see: "{ braces } // and comments" */
    public name: string;
    public tags: string[];
    public meta: { [index: string]: string; };
}

/** @description Adds items */
// @Route("/public/proposals/{ProposalId}/items", "POST")
// @Route("/public/items")
// @DataContract
export class AddItems implements IReturn<Proposal>, IPost
{
    // @DataMember(Order=1)
    public proposalId: number;

    // @Validate(Validator="NotEmpty")
    public items: NewItem[];

    public constructor(init?: Partial<AddItems>) { (Object as any).assign(this, init); }
    public getTypeName() { return 'AddItems'; }
    public getMethod() { return 'POST'; }
    public createResponse() { return new Proposal(); }
}
`;

	test('is read with routes in comments, base classes, lists and enumerations', () => {
		const request = {
			proposalId: 'number',
			'items*': [{ 'catalogItemId*': 'number', qty: 'number', kind: 'string' }],
		};
		const response = { id: 'number', name: 'string', tags: ['string'], meta: 'object' };
		expect(allInShort(readTypescript(page))).toEqual([
			{ route: ROUTE, request, response },
			{ route: 'POST /public/items', request, response },
		]);
	});

	test.each([undefined, '<html></html>', { operations: [] }])('is not %j', (other) => {
		expect(readTypescript(other)).toBeUndefined();
	});
});

describe('/openapi and /swagger.json', () => {
	const schemas = {
		NewItem: {
			type: 'object',
			required: ['catalogItemId'],
			properties: {
				catalogItemId: { type: 'integer', format: 'int32' },
				qty: { type: 'number' },
				nested: { type: 'array', items: { $ref: '#/definitions/NewItem' } },
			},
		},
	};

	test('is read as Swagger 2.0, where a body counts more than the same in the query', () => {
		const body = {
			properties: { items: { type: 'array', items: { $ref: '#/definitions/NewItem' } } },
		};
		const [first, ...others] = readOpenApi({
			swagger: '2.0',
			basePath: '/public/',
			paths: {
				'/proposals/{ProposalId}/items': {
					parameters: [{ $ref: '#/parameters/Accept' }],
					post: {
						parameters: [
							{ in: 'path', name: 'ProposalId', type: 'integer', required: true },
							{ in: 'query', name: 'Items', type: 'string' },
							{ in: 'formData', name: 'Count', type: 'integer' },
							{ in: 'body', name: 'body', schema: { $ref: '#/definitions/AddItems' } },
						],
						responses: { 200: { schema: { $ref: '#/definitions/Proposal' } } },
					},
				},
			},
			parameters: { Accept: { in: 'header', name: 'Accept', type: 'string' } },
			definitions: {
				...schemas,
				AddItems: body,
				Proposal: {
					allOf: [
						{ properties: { id: { type: 'integer' } } },
						{ properties: { name: { type: 'string' } } },
					],
				},
			},
		})!;
		delete first!.request.fields!.items!.entries!.fields!.nested;
		expect(allInShort([first!])).toEqual([
			{
				route: ROUTE,
				request: {
					'ProposalId*': 'number',
					Count: 'number',
					items: [{ 'catalogItemId*': 'number', qty: 'number' }],
				},
				response: { id: 'number', name: 'string' },
			},
		]);
		expect(others).toEqual([]);
	});

	test('is read as OpenAPI 3', () => {
		const content = (schema: object) => ({ content: { 'application/json': { schema } } });
		expect(
			allInShort(
				readOpenApi({
					openapi: '3.0.1',
					paths: {
						'/public/proposals/{ProposalId}/items': {
							post: {
								parameters: [
									{ in: 'path', name: 'ProposalId', required: true, schema: { type: 'integer' } },
								],
								requestBody: content({
									type: 'object',
									properties: { optionId: { type: ['integer', 'null'] } },
								}),
								responses: { 201: content({ $ref: '#/components/schemas/Proposal' }) },
							},
						},
					},
					components: {
						schemas: { Proposal: { oneOf: [{ properties: { id: { type: 'integer' } } }] } },
					},
				}),
			),
		).toEqual([
			{
				route: ROUTE,
				request: { 'ProposalId*': 'number', optionId: 'number' },
				response: { id: 'number' },
			},
		]);
	});

	test.each([null, '<html></html>', { openapi: '3.0.1' }])('is not %j', (other) => {
		expect(readOpenApi(other)).toBeUndefined();
	});
});

describe('/metadata', () => {
	test('is read for the names of operations', () => {
		const names = readOperationNames(`<ul>
			<li><a href="json/metadata?op=AddItems">JSON</a> <a href="xml/metadata?op=AddItems">XML</a></li>
			<li><a href="/json/metadata?lang=csharp&amp;op=Ping">JSON</a></li></ul>`);
		expect(names).toEqual(['AddItems', 'Ping']);
		expect(readOperationNames('<html>Hello</html>')).toEqual([]);
	});

	const page = (rows: string) => `<html><body><h2>AddItems</h2>
<table class='routes'><caption>The following routes are available for this service:</caption>
<tr><th>POST</th><td>/public/proposals/{ProposalId}/items</td><td>Adds items</td></tr></table>
<table class='params'><caption><b>AddItems</b> Parameters:</caption>
<tr><th>Name</th><th>Parameter</th><th>Data Type</th><th>Required</th></tr>${rows}</table>
<p>To override the Content-type in your clients, use the HTTP <b>Accept</b> Header</p>
<pre>POST /public/proposals/{ProposalId}/items HTTP/1.1
Host: service.example
Accept: application/json
Content-Type: application/json
Content-Length: <span>length</span>

{"proposalId":0,"items":[{"catalogItemId":0,"qty":0}],"note":"String"}</pre>
<pre>HTTP/1.1 200 OK
Content-Type: application/json
Content-Length: length

{"id":0,"name":"String","areas":[],"meta":{"String":"String"}}</pre></body></html>`;

	test('leads to pages with a table of parameters and examples', () => {
		const rows = `<tr><td>ProposalId</td><td>path</td><td>int</td><td>Yes</td></tr>
			<tr><td>Items</td><td>body</td><td>List&lt;NewItem&gt;</td><td>No</td></tr>`;
		expect(allInShort(readOperation(page(rows)))).toEqual([
			{
				route: ROUTE,
				request: {
					'ProposalId*': 'number',
					Items: [{ catalogItemId: 'number', qty: 'number' }],
					note: 'string',
				},
				response: { id: 'number', name: 'string', areas: 'list', meta: 'object' },
			},
		]);
	});

	test('leads to pages that have examples alone', () => {
		expect(allInShort(readOperation(page('')))).toMatchObject([
			{ request: { proposalId: 'number', items: [{ catalogItemId: 'number', qty: 'number' }] } },
		]);
	});
});
