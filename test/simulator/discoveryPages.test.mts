import { afterEach, expect, test } from 'vitest';

import { operations } from '../../simulator/contract.mts';
import { seed, startSimulator, type OtherService, type Simulator } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { Client } from './client.mts';

let simulator: Simulator | undefined;
afterEach(() => simulator?.stop());

const pages = [
	'/metadata',
	'/types/typescript',
	'/types/metadata',
	'/openapi',
	'/swagger.json',
] as const;

async function start(service: OtherService): Promise<void> {
	simulator = await startSimulator({ service });
}

async function read(path: string): Promise<string> {
	const response = await fetch(simulator!.url + path);
	expect(response.status, path).toBe(200);
	return response.text();
}

const other: OtherService = {
	names: {
		'item.updateQuantity': { Quantity: 'Qty' },
		'item.add': { Items: 'Parts', 'Items[].itemId': 'partId' },
	},
	paths: { 'item.updateQuantity': '/public/items/{ProposalItemId}/quantity' },
	values: { PartyType: { Person: 'Individual' } },
	answers: {
		'*': {
			rename: { 'areas.options.items.quantity': 'count' },
			remove: ['projectTerms'],
			add: { 'areas.options.sortOrder': 1 },
			types: { number: 'text', customer: 'list' },
		},
	},
	discovery: { pages: [...pages] },
};

test('each page exists only if it is set, and only for reading', async () => {
	for (const set of pages) {
		await start({ discovery: { pages: [set] } });
		for (const page of [...pages, '/json/metadata?op=UpdateProposalItemQuantity']) {
			const { status } = await fetch(simulator!.url + page);
			const isSet = page === set || (page.startsWith('/json') && set === '/metadata');
			expect([set, page, status]).toEqual([set, page, isSet ? 200 : 404]);
		}
		expect((await fetch(simulator!.url + set, { method: 'POST' })).status).toBe(404);
		await simulator!.stop();
	}
	await start({});
	for (const page of pages) expect((await fetch(simulator!.url + page)).status).toBe(404);
});

test('a page can need a signed request', async () => {
	await start({ discovery: { pages: ['/openapi'], isSigned: true } });
	const unsigned = await fetch(`${simulator!.url}/openapi`);
	expect([unsigned.status, ((await unsigned.json()) as Json).errorCode]).toEqual([
		401,
		'Unauthorized',
	]);
	const client = await new Client(simulator!, seed.dealer).signIn();
	expect((await client.get('/openapi')).json.swagger).toBe('2.0');
	expect(simulator!.control.requests.at(-1)).toMatchObject({ path: '/openapi', status: 200 });
});

test('/types/metadata has every route with its names and types', async () => {
	await start(other);
	const { types, operations: described } = JSON.parse(await read('/types/metadata')) as Json;
	const routes = described.flatMap((one: Json) =>
		one.routes.map(({ path, verbs }: Json) => `${verbs} ${path}`),
	);
	const expected = operations.map(({ name, method, path }) =>
		name === 'item.updateQuantity'
			? 'POST /public/items/{ProposalItemId}/quantity'
			: `${method} ${path}`,
	);
	expect(routes.sort()).toEqual(expected.sort());
	const request = (name: string) =>
		described.find((one: Json) => one.request.name === name).request.properties;
	expect(request('UpdateProposalItemQuantity')).toMatchObject([
		{ name: 'ProposalId', type: 'Int32', isRequired: true },
		{ name: 'ProposalItemId', type: 'Int32' },
		{ name: 'Qty', type: 'Double', isRequired: true },
	]);
	expect(request('AddProposalItems')[2]).toMatchObject({
		name: 'Parts',
		type: 'List`1',
		genericArgs: ['AddProposalItemsEntry'],
	});
	expect(request('SearchPublicProposals')).toContainEqual(
		expect.objectContaining({ name: 'PageSize', type: 'Nullable`1', genericArgs: ['Int32'] }),
	);
	const properties = (name: string): string[] =>
		types
			.find((one: Json) => one.name === name)
			.properties.map((one: Json) => `${one.name}:${one.type}`);
	expect(properties('AddProposalItemsEntry')).toContain('PartId:Int32');
	expect(properties('AreaItem')).toContain('Count:Double');
	expect(properties('AreaItem').join()).not.toContain('Quantity');
	expect(properties('AreaOption')).toContain('SortOrder:Nullable`1');
	expect(properties('Proposal')).toEqual(
		expect.arrayContaining(['Number:String', 'Customer:List`1']),
	);
	expect(properties('Proposal').join()).not.toContain('ProjectTerms');
	const partyType = types.find((one: Json) => one.name === 'PartyType');
	expect(partyType).toMatchObject({ isEnum: true });
	expect(partyType.enumNames).toContain('Individual');
	expect(partyType.enumNames).not.toContain('Person');
	const assign = described.find((one: Json) => one.request.name === 'AssignProposalContact');
	expect(assign).toMatchObject({ returnsVoid: true, method: 'POST' });
});

test('/types/typescript has classes with routes in comments, in either casing', async () => {
	await start(other);
	const camel = await read('/types/typescript');
	expect(camel).toContain(
		`// @Route("/public/items/{ProposalItemId}/quantity", "POST")
export class UpdateProposalItemQuantity implements IReturn<Proposal>
{
    public proposalId: number;
    public proposalItemId: number;
    public qty: number;
`,
	);
	expect(camel).toContain(`    public getTypeName() { return 'UpdateProposalItemQuantity'; }`);
	expect(camel).toContain('export class AssignProposalContact implements IReturnVoid');
	expect(camel).toContain('implements IReturn<ChangeOrder[]>');
	expect(camel).toContain(`    Individual = 'Individual',`);
	await simulator!.stop();
	await start({ ...other, discovery: { pages: ['/types/typescript'], casing: 'PascalCase' } });
	expect(await read('/types/typescript')).toContain('    public Qty: number;');
});

test('/openapi and /swagger.json are the same Swagger 2.0 document', async () => {
	await start(other);
	const text = await read('/openapi');
	expect(await read('/swagger.json')).toBe(text);
	const { paths, definitions } = JSON.parse(text) as Json;
	const { post } = paths['/public/items/{ProposalItemId}/quantity'];
	expect(post.operationId).toBe('UpdateProposalItemQuantityitemsProposalItemIdquantity_Post');
	expect(post.parameters).toContainEqual(
		expect.objectContaining({ in: 'path', name: 'ProposalItemId', required: true }),
	);
	expect(post.parameters.at(-1)).toEqual({
		in: 'body',
		name: 'body',
		schema: { $ref: '#/definitions/UpdateProposalItemQuantity' },
	});
	expect(definitions.UpdateProposalItemQuantity).toMatchObject({
		required: ['proposalId', 'proposalItemId', 'qty'],
		properties: { qty: { type: 'number', format: 'double' } },
	});
	const refs = [...text.matchAll(/"#\/definitions\/(\w+)"/g)].map(([, name]) => name!);
	expect(refs.filter((name) => !Object.hasOwn(definitions, name))).toEqual([]);
});

test('/metadata lists the operations, each with a page of its own', async () => {
	await start(other);
	const links = [...(await read('/metadata')).matchAll(/href="[^"]*(\/json\/metadata\?op=\w+)"/g)];
	const names = new Set(operations.map(({ name }) => name));
	expect(links).toHaveLength(names.size);
	for (const [, link] of links) await read(link!);
	const page = await read('/json/metadata?op=UpdateProposalItemQuantity');
	expect(page).toContain('<tr><th>POST</th><th>/public/items/{ProposalItemId}/quantity</th>');
	expect(page).toContain('<tr><td>Qty</td><td>body</td><td>double</td><td>Yes</td></tr>');
	expect(page).toContain('{"ProposalId":0,"ProposalItemId":0,"Qty":0}');
	expect((await fetch(`${simulator!.url}/json/metadata?op=Nothing`)).status).toBe(404);
});
