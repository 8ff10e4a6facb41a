/** Uses the example with an MCP server through the protocol's official client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSecrets, collectSecrets } from '../../../dev/testbed/secrets.mts';
import { seed } from '../../../dev/simulator/index.mts';
import { useExample } from './example.mts';

const { choose, control, environment, workflow } = useExample('Portal MCP server');
const token = randomBytes(24).toString('hex');

let client: Client;

/** All text that the server has sent. */
const received: string[] = [];

/** Connects as an MCP client would, with the URL and a token. */
async function connect(bearer: string): Promise<Client> {
	const headers = { Authorization: `Bearer ${bearer}` };
	const address = new URL(`${environment().n8n.url}/mcp/portal-io-${workflow().id}`);
	const connected = new Client({ name: 'test', version: '1.0.0' });
	await connected.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
	return connected;
}

/** Calls a tool and returns the text that a model would read. */
async function call(name: string, values: Record<string, unknown> = {}) {
	const { content } = await client.callTool({ name, arguments: values });
	const [{ text }] = content as [{ text: string }];
	received.push(text);
	return JSON.parse(text);
}

beforeAll(async () => {
	const { n8n } = environment();
	const credential = await n8n.createCredential('MCP token', 'httpBearerAuth', { token });
	await choose(credential, 'Portal.io MCP Server');
	await n8n.activate(workflow());
	client = await connect(token);
});
afterAll(async () => {
	const { n8n, simulator } = environment();
	await client?.close();
	await n8n.deactivate(workflow());
	const executions = await n8n.executions({ workflowId: workflow().id });
	expect(executions.length).toBeGreaterThan(5);
	const texts = [...received, ...executions.map(({ stored }) => stored)];
	expect(findSecrets(texts.join(), { ...collectSecrets(simulator), token })).toEqual([]);
});

it('rejects a client with a wrong token', async () => {
	const before = control().requests.length;
	await expect(connect(`${token.slice(1)}x`)).rejects.toMatchObject({ code: 403 });
	expect(control().requests).toHaveLength(before);
});

it('describes its purpose, tools, and their arguments', async () => {
	expect(client.getInstructions()).toMatch(/^These tools work with the proposals of a dealer/);
	const { tools } = await client.listTools();
	received.push(JSON.stringify(tools));
	const inputs = tools.map(({ name, inputSchema: { properties = {}, required = [] } }) => {
		const types = Object.entries(properties as Record<string, { type: string }>);
		const lines = types.map(
			([key, { type }]) => `${key}${required.includes(key) ? '' : '?'}: ${type}`,
		);
		return [name, lines.sort().join(', ')];
	});
	expect(Object.fromEntries(inputs)).toEqual({
		Find_Proposals: 'limit?: number, searchText?: string, statuses?: string',
		Read_Proposal: 'proposalId: string',
		List_Items:
			'area?: string, itemTypes?: string, limit?: number, proposalId: string, searchText?: string',
		List_Areas: 'limit?: number, proposalId: string',
		Find_Catalog_Items: 'brands?: string, limit?: number, searchText: string',
		Find_Users: 'limit?: number',
		Find_Contacts: 'limit?: number, partyTypes?: string, searchText?: string',
		Create_Proposal: 'name: string, salesPersonId: string',
		Create_Area: 'name: string, proposalId: string',
		Add_Items: 'area: string, items: string, proposalId: string',
		Update_Item: 'itemId: string, proposalId: string, quantity?: string, sellPrice?: string',
	});
});

it('finds proposals by number and status, and contacts by email', async () => {
	const { submitted, submittedToo, viewed } = seed.proposals;
	const { number, name } = control().proposal(submitted);
	const proposals = await call('Find_Proposals', { searchText: String(number) });
	expect(proposals).toMatchObject([{ proposalId: submitted, number, name }]);
	// Expect the text about a proposal to be short.
	expect(Object.keys(proposals[0])).toHaveLength(10);
	const open = await call('Find_Proposals', { statuses: 'Submitted, ViewedByClient' });
	const ids = open.map(({ proposalId }: { proposalId: number }) => proposalId);
	expect(ids.toSorted()).toEqual([submitted, submittedToo, viewed]);
	const contacts = await call('Find_Contacts', { searchText: 'maren.holt@clients.example' });
	expect(contacts).toMatchObject([{ contactId: seed.contacts.withPrimary, firstName: 'Maren' }]);
});

it('drafts a proposal, changes an item, and reads the total', async () => {
	const [user] = await call('Find_Users');
	const [television] = await call('Find_Catalog_Items', { searchText: 'LX65' });
	const draft = { salesPersonId: String(user.userId), name: 'Meeting room' };
	const [{ proposalId: id }] = await call('Create_Proposal', draft);
	const proposalId = String(id);
	await call('Create_Area', { proposalId, name: 'Hall' });
	const { itemType, catalogItemId } = television;
	// Make the same call twice at the same time, for an area that does not exist yet.
	const items = JSON.stringify([{ itemType, catalogItemId, quantity: 2 }]);
	const values = { proposalId, area: 'Room', items };
	const results = await Promise.all([call('Add_Items', values), call('Add_Items', values)]);
	expect(results.map(([{ reused }]) => reused).toSorted()).toEqual([false, true]);
	const [item] = await call('List_Items', { proposalId });
	expect(item).toMatchObject({ areaName: 'Room', quantity: 2, sellPrice: 1799 });
	const itemOfProposal = { proposalId, itemId: String(item.itemId) };
	await call('Update_Item', { ...itemOfProposal, sellPrice: '1650.50' });
	await call('Update_Item', { ...itemOfProposal, quantity: '3' });
	// No tax applies, because there is no client.
	expect(await call('Read_Proposal', { proposalId })).toMatchObject([
		{ name: 'Meeting room', proposalTotal: (3 * 165_050) / 100 },
	]);
	expect(control().items(id)).toHaveLength(1);
});

it('reports why a call failed and remains usable', async () => {
	const proposalId = String(seed.proposals.accepted);
	const itemId = String(control().items(seed.proposals.accepted)[0]!.id);
	const values = { proposalId, itemId, quantity: '2' };
	const [refused] = await call('Update_Item', values);
	expect(refused.error).toBe("The proposal's state prevents this change");
	expect(await call('Find_Users')).not.toHaveLength(0);
});
