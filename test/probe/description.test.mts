/** What the probe reads of a service that describes itself: each format is written as its own documentation shows it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { describe as describeService } from '../../dev/probe/description.mts';

const PATH = '/public/proposals/{id}/items/{itemId}/qty';
const parameters = ['id', 'itemId'].map((name) => ({ name, in: 'path' }));
const field = { LineQty: { type: 'number' } };

/** The same endpoint, whose field has another name, in each format. */
const pages: Record<string, unknown> = {
	'/openapi': {
		openapi: '3.0.1',
		paths: {
			[PATH]: {
				post: {
					parameters,
					requestBody: { $ref: '#/components/requestBodies/Quantity' },
				},
			},
		},
		components: {
			requestBodies: {
				Quantity: {
					content: { 'application/json': { schema: { $ref: '#/components/schemas/Quantity' } } },
				},
			},
			schemas: { Quantity: { properties: field } },
		},
	},
	'/openapi.json': {
		openapi: '3.1.0',
		paths: { [PATH]: { post: { parameters: [...parameters, { name: 'LineQty', in: 'query' }] } } },
	},
	'/swagger': {
		swagger: '2.0',
		paths: {
			[PATH]: {
				post: {
					parameters: [{ in: 'body', name: 'body', schema: { $ref: '#/definitions/Quantity' } }],
				},
			},
		},
		definitions: { Quantity: { properties: field } },
	},
	'/swagger.json': {
		swagger: '2.0',
		paths: {
			[PATH]: { post: { parameters: [...parameters, { name: 'LineQty', in: 'formData' }] } },
		},
	},
	'/types/metadata': {
		operations: [
			{
				request: {
					name: 'UpdateQuantity',
					properties: ['ProposalId', 'ProposalItemId', 'LineQty'].map((name) => ({ name })),
				},
				routes: [{ path: PATH, verbs: null }],
			},
		],
	},
	'/types/typescript': `/* Options:
Date: 2026-11-25 */

// @Route("${PATH}", "POST,PUT")
// @DataContract
export class UpdateQuantity implements IReturn<ProposalResponse>, IPost
{
    /** @description The item */
    // @DataMember
    public proposalItemId: number;

    // @DataMember
    public lineQty?: number;

    public constructor(init?: Partial<UpdateQuantity>) { (Object as any).assign(this, init); }
    public getTypeName() { return 'UpdateQuantity'; }
}
`,
};

/** Starts a service with pages; all others are web pages. */
async function serve(own: Record<string, unknown>): Promise<string> {
	const server = createServer(({ url }, response) => {
		const page = own[url!];
		if (page === undefined) response.end('<!DOCTYPE html><title>Sign in</title>');
		else response.end(typeof page === 'string' ? page : JSON.stringify(page));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each(Object.keys(pages))('finds the other name of a field in %s', async (page) => {
	const url = await serve({ [page]: pages[page] });
	const text = await describeService(url);
	expect(text).toContain(`It has ${page}.`);
	expect(text).toMatch(
		/^- item\.updateQuantity: it does not mention Quantity and has lineqty instead$/im,
	);
	expect(text).toContain('- item.add: it does not have this path\n');
});

it('takes a page for a browser for no description', async () => {
	expect(await describeService(await serve({}))).toMatch(
		/It has none of \/metadata \(a web page\), .*\/swagger\.json \(a web page\)\./,
	);
});

it('names nothing that differs where a description names no paths', async () => {
	const url = await serve({ '/metadata': { operations: [{ name: 'UpdateQuantity' }] } });
	expect(await describeService(url)).toContain('It has /metadata.\n\nIt names nothing');
});
