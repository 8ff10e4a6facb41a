/** The example with an AI agent, whose model is a program of a few lines that knows what to call. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { seed } from '../../dev/simulator/index.mts';
import { useExample } from './templates/example.mts';

/** The first record that each tool answered so far, in the order of the calls. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as deep as the service's answers
type Answers = any[];

/** Calls a tool, or says the last words. */
type Move = (answers: Answers) => [tool: string, given: object] | string;

/** An OpenAI-compatible model that makes one move after another. */
async function startModel(moves: Move[]) {
	const server = createServer(async (request, response) => {
		const { messages } = (await json(request)) as { messages: { role: string; content: string }[] };
		const answers = messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => [JSON.parse(content)].flat()[0]);
		const move = moves[answers.length]!(answers);
		const [name, given] = typeof move === 'string' ? [] : move;
		const call = { name, arguments: JSON.stringify(given) };
		const calls = [{ id: `call_${answers.length}`, type: 'function', function: call }];
		const [finish_reason, message] =
			typeof move === 'string'
				? ['stop', { content: move }]
				: ['tool_calls', { content: null, tool_calls: calls }];
		const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason };
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const completion = { id: 'chat', object: 'chat.completion', created: 0, model: 'scripted' };
		response
			.writeHead(200, { 'Content-Type': 'application/json' })
			.end(JSON.stringify({ ...completion, choices: [choice], usage }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const { environment, choose, control, run } = useExample('Proposal assistant');

test('lets the assistant draft a proposal: salesperson, area, two items of the catalog', async () => {
	const name = 'Meeting room';
	const proposal = ([, , created]: Answers) => ({ proposalId: String(created.proposalId) });
	const url = await startModel([
		() => ['Find_Users', {}],
		() => ['Find_Catalog_Items', { searchText: 'LX65' }],
		([user]) => ['Create_Proposal', { salesPersonId: String(user.id), name }],
		(answers) => ['Create_Area', { ...proposal(answers), name }],
		(answers) => {
			const [, { itemType, catalogItemId }, , { areaOptionId }] = answers;
			const item = { itemType, itemId: String(catalogItemId), quantity: 2 };
			return ['Add_Items', { ...proposal(answers), areaOptionId: String(areaOptionId), ...item }];
		},
		(answers) => ['Read_Proposal', proposal(answers)],
		(answers) => `Proposal ${answers[5].number}: ${answers[5].proposalTotal}`,
	]);
	const login = { apiKey: 'none', url };
	await choose(await environment().n8n.createCredential(url, 'openAiApi', login), 'Chat Model');
	const message = { action: 'sendMessage', sessionId: 'one', chatInput: 'Draft a proposal' };
	const execution = await run('Chat', message);

	const made = control().proposal(Number(control().proposals().at(-1)!.id));
	const items = [{ referencedItemId: seed.catalogItems.television, quantity: 2 }];
	expect(made).toMatchObject({
		name,
		status: 'Draft',
		dealer: { salesperson: { id: seed.users.dealer } },
		areas: [{ name, options: [{ items }] }],
		// Two televisions, and no client yet whose address would tell the tax.
		financialSummary: { proposalTotal: 2 * 1799 },
	});
	expect(itemsOf(execution, 'Assistant')).toMatchObject([
		{ output: `Proposal ${made.number}: 3598` },
	]);
});
