/** The example with an MCP server, used by the official client of the protocol. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSecrets, secretsOf } from '../../../dev/testbed/secrets.mts';
import { seed } from '../../../dev/simulator/index.mts';
import { ownEnvironment } from '../environments.mts';

const NAME = 'Portal MCP server';
const token = randomBytes(24).toString('hex');
const environment = ownEnvironment({ examples: [NAME] });

/** All texts that the server has sent. */
const received: string[] = [];

/** Connects as an MCP client does that was given the address and a token. */
async function connect(bearer?: string): Promise<Client> {
	const headers: Record<string, string> = bearer ? { Authorization: `Bearer ${bearer}` } : {};
	const transport = new StreamableHTTPClientTransport(
		new URL(`${environment().n8n.url}/mcp/portal-io`),
		{
			requestInit: { headers },
		},
	);
	const client = new Client({ name: 'test', version: '1.0.0' });
	await client.connect(transport);
	return client;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as deep as the service's answers
type Answer = any;

/** Calls a tool and returns what a model reads of its answer. */
async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
	const { content } = await client.callTool({ name, arguments: given });
	const [{ text }] = content as [{ text: string }];
	received.push(text);
	return JSON.parse(text) as Answer;
}

describe('the example "Portal MCP server"', () => {
	let client: Client;

	beforeAll(async () => {
		const { n8n, workflows } = environment();
		const workflow = workflows[NAME]!;
		const { id, name } = await n8n.createCredential('MCP token', 'httpBearerAuth', { token });
		const { nodes } = structuredClone(workflow);
		const trigger = nodes.find(({ type }) => type.endsWith('.mcpTrigger'))!;
		trigger.credentials = { httpBearerAuth: { id, name } };
		await n8n.updateWorkflow(workflow, { nodes });
		await n8n.activate(workflow);
		client = await connect(token);
	});
	afterAll(async () => {
		await client?.close();
		await environment().n8n.deactivate(environment().workflows[NAME]!);
	});

	test.for([
		['no token', undefined],
		['a wrong token', `${token.slice(1)}x`],
	] as const)('refuses a client with %s', async ([, bearer]) => {
		const before = environment().simulator.control.requests.length;
		await expect(connect(bearer)).rejects.toMatchObject({ code: 403 });
		expect(environment().simulator.control.requests).toHaveLength(before);
	});

	test('says what it is for', () => {
		expect(client.getServerVersion()).toMatchObject({ name: 'Portal_io_MCP_Server' });
		expect(client.getInstructions()).toMatch(/^These tools work with the proposals of a dealer/);
	});

	test('lists its tools with what they do and what to give them', async () => {
		const { tools } = await client.listTools();
		received.push(JSON.stringify(tools));
		const inputs = tools.map(({ name, inputSchema: { properties = {}, required = [] } }) => [
			name,
			Object.fromEntries(
				Object.entries(properties as Record<string, { type: string }>).map(([key, { type }]) => [
					key,
					required.includes(key) ? type : `${type}?`,
				]),
			),
		]);
		const proposalId = 'string';
		expect(Object.fromEntries(inputs)).toEqual({
			Find_Proposals: { searchText: 'string?', statuses: 'string?' },
			Read_Proposal: { proposalId },
			List_Items: { proposalId },
			Find_Catalog_Items: { searchText: 'string' },
			Find_Users: {},
			Find_Contacts: { searchText: 'string' },
			Create_Proposal: { salesPersonId: 'string', name: 'string' },
			Create_Area: { proposalId, name: 'string' },
			Add_Items: {
				proposalId,
				areaOptionId: 'string',
				itemType: 'string',
				itemId: 'string',
				quantity: 'number',
			},
			Update_Item: { proposalId, itemId: 'string', quantity: 'number', sellPrice: 'number' },
		});
		const words = tools.map(({ name }) => name.replaceAll('_', ' ')).join('|');
		for (const { name, description, inputSchema } of tools) {
			const changes = /^(Create|Add|Update)/.test(name);
			const warning = /alling it again (makes a second|adds the same|does no harm)|no other area/;
			expect(description, name).toMatch(changes ? warning : /Changes nothing\.$/);
			const properties = inputSchema.properties as Record<string, { description?: string }>;
			for (const [key, { description: told = '' }] of Object.entries(properties ?? {})) {
				expect(told, `${name}: ${key}`).toMatch(RegExp(`such as|${words}`));
			}
		}
	});

	test('finds a proposal by its number, and others by their status', async () => {
		const { control } = environment().simulator;
		const { number, name } = control.proposal(seed.proposals.submitted);
		const found = await call(client, 'Find_Proposals', { searchText: String(number) });
		expect(found).toMatchObject([{ id: seed.proposals.submitted, number, name }]);
		// What a model reads of a proposal is short.
		expect(Object.keys(found[0])).toHaveLength(10);
		const open = await call(client, 'Find_Proposals', { statuses: 'Submitted, ViewedByClient' });
		const ids = open.map(({ id }: { id: number }) => id);
		const { submitted, submittedToo, viewed } = seed.proposals;
		expect(ids.toSorted()).toEqual([submitted, submittedToo, viewed]);
		expect(await call(client, 'Find_Proposals')).toHaveLength(17);
	});

	test('finds a contact by email', async () => {
		const found = await call(client, 'Find_Contacts', { searchText: 'maren.holt@clients.example' });
		expect(found).toMatchObject([{ id: seed.contacts.withPrimary, firstName: 'Maren' }]);
	});

	test('drafts a proposal, changes an item, and reads the total', async () => {
		const { control } = environment().simulator;
		const [user] = await call(client, 'Find_Users');
		const [television] = await call(client, 'Find_Catalog_Items', { searchText: 'LX65' });
		const [{ id }] = await call(client, 'Create_Proposal', {
			salesPersonId: String(user.id),
			name: 'Meeting room',
		});
		const proposalId = String(id);
		const [{ areaOptionId }] = await call(client, 'Create_Area', { proposalId, name: 'Room' });
		await call(client, 'Add_Items', {
			proposalId,
			areaOptionId: String(areaOptionId),
			itemType: television.itemType,
			itemId: String(television.id),
			quantity: 2,
		});
		// Without a customer there is no tax.
		const cents = 2 * 179_900;
		const read = await call(client, 'Read_Proposal', { proposalId });
		expect(read).toMatchObject([{ name: 'Meeting room', proposalTotal: cents / 100 }]);
		const [item] = await call(client, 'List_Items', { proposalId });
		expect(item).toMatchObject({ areaOptionId, quantity: 2, sellPrice: 1799 });
		const [updated] = await call(client, 'Update_Item', {
			proposalId,
			itemId: String(item.id),
			quantity: 3,
			sellPrice: 1650.5,
		});
		expect(updated).toMatchObject({ id: item.id, quantity: 3, sellPrice: 1650.5 });
		expect(await call(client, 'Read_Proposal', { proposalId })).toMatchObject([
			{ proposalTotal: (3 * 165_050) / 100 },
		]);
		expect(control.items(id)).toHaveLength(1);
	});

	test('says why a call failed, and goes on', async () => {
		const [failed] = await call(client, 'Read_Proposal', { proposalId: '999999' });
		expect(failed.error).toMatch(/No record found with this ID/);
		// A proposal that is not a draft cannot be changed.
		const [item] = environment().simulator.control.items(seed.proposals.accepted);
		const [refused] = await call(client, 'Update_Item', {
			proposalId: String(seed.proposals.accepted),
			itemId: String(item!.id),
			quantity: 2,
			sellPrice: 1,
		});
		expect(refused.error).toMatch(/state prevents this change/);
		expect(await call(client, 'Find_Users')).not.toHaveLength(0);
	});

	test('tells no secret: neither to the client nor in its executions', () => {
		const { n8n, simulator, workflows } = environment();
		const executions = n8n.executions({ workflowId: workflows[NAME]!.id });
		expect(executions.length).toBeGreaterThan(5);
		const secrets = { ...secretsOf(simulator), token };
		for (const text of [...received, ...executions.map(({ stored }) => stored)]) {
			expect(findSecrets(text, secrets)).toEqual([]);
		}
	});
});
