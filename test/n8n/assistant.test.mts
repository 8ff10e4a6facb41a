/** Runs the example with an AI agent. A short program that knows which tools to call plays its model. */
import { parse } from 'flatted';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { until } from '../../dev/testbed/until.mts';
import { useExample } from './templates/example.mts';

/** First record in the response to each tool call so far, in order. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are deeply nested
type Results = any[];

/** Returns the next tool call or, at the end, the model's final text. */
type Move = (results: Results) => [tool: string, given: object] | string;

/**
 * Promise that resolves when n8n's chat has processed the last click. Before that, the chat would miss the next
 * question.
 */
let clickProcessed = Promise.resolve();

/** Starts an OpenAI-compatible model that makes the moves in order. */
async function startModel(moves: Move[]) {
	const server = createServer(async (request, response) => {
		const { messages } = (await json(request)) as { messages: { role: string; content: string }[] };
		const results = messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => [JSON.parse(content)].flat()[0]);
		await clickProcessed;
		const move = moves[results.length]!(results);
		const [name, given] = typeof move === 'string' ? [] : move;
		const call = { name, arguments: JSON.stringify(given) };
		const calls = [{ id: `call_${results.length}`, type: 'function', function: call }];
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

const { environment, choose, control, workflow } = useExample('Proposal assistant');

/** Message with buttons in n8n's chat. */
interface Question {
	text: string;
	buttons: { text: string; link: string }[];
}

/**
 * Sends a message to n8n's chat and clicks the buttons in order.
 *
 * @returns the questions and the final response
 */
async function chat(chatInput: string, buttons: string[]): Promise<string[]> {
	const { n8n } = environment();
	const sessionId = 'session';
	const json = { action: 'sendMessage', sessionId, chatInput };
	const data = {
		startTime: Date.now(),
		executionTime: 0,
		executionIndex: 0,
		source: [null],
		executionStatus: 'success',
		data: { main: [[{ json }]] },
	};
	const path = `/workflows/${workflow().id}/run`;
	const started = { triggerToStartFrom: { name: 'Chat', data } };
	const { executionId } = await n8n.rest<{ executionId: string }>('POST', path, started);
	const id = Number(executionId);
	const token = await until('the waiting execution', async () => {
		const [execution] = await n8n.executions({ workflowId: workflow().id, after: id - 1 });
		if (execution?.status === 'error') throw new Error(execution.error?.message);
		return execution?.status === 'waiting'
			? String(parse(execution.stored.split('\n')[0]!).resumeToken)
			: undefined;
	});
	const query = new URLSearchParams({ sessionId, executionId, token });
	const socket = new WebSocket(`${n8n.url.replace('http', 'ws')}/chat?${query}`);
	const texts: string[] = [];
	const remaining = [...buttons];
	let resolveClick = () => {};
	const ended = new Promise<void>((resolve, reject) => {
		socket.addEventListener('close', () => resolve());
		socket.addEventListener('error', () => reject(new Error('n8n closed the chat')));
	});
	socket.addEventListener('message', async ({ data }) => {
		const message = String(data);
		if (message === 'n8n|heartbeat') return socket.send('n8n|heartbeat-ack');
		if (message === 'n8n|continue') return resolveClick();
		if (!message.startsWith('{')) {
			texts.push(message);
			return;
		}
		const question = JSON.parse(message) as Question;
		texts.push(question.text);
		const label = remaining.shift();
		const button = question.buttons.find(({ text }) => text === label)!;
		clickProcessed = new Promise((resolve) => (resolveClick = resolve));
		// Pretend to be a browser, because n8n ignores requests for link previews.
		await fetch(button.link, { headers: { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } });
	});
	await ended;
	return texts;
}

it('asks a person before each change while the assistant drafts a proposal', async () => {
	const name = 'Meeting room';
	const before = control().proposals().length;
	const proposal = ([, , created]: Results) => ({ proposalId: String(created.proposalId) });
	const add: Move = (results) => {
		const [, { itemType, name: model }] = results;
		const items = `\`\`\`json\n${JSON.stringify([{ itemType, model, quantity: 2 }])}\n\`\`\``;
		const proposalNumber = String(results[2].number);
		return ['Add_Items', { toolParameters: { proposalNumber, area: name, items } }];
	};
	const url = await startModel([
		() => ['Find_Users', {}],
		() => ['Find_Catalog_Items', { searchText: 'LX65' }],
		([user]) => ['Create_Proposal', { toolParameters: { salesPersonEmail: user.email, name } }],
		add,
		(results) => {
			// Nothing was added, because the user declined.
			expect(results[3].output).toMatch(/rejected the tool call/);
			expect(control().items(Number(proposal(results).proposalId))).toEqual([]);
			return add(results);
		},
		(results) => ['Read_Proposal', proposal(results)],
		(results) => `Proposal ${results[5].number}: ${results[5].proposalTotal}`,
	]);
	const login = { apiKey: 'none', url };
	await choose(await environment().n8n.createCredential(url, 'openAiApi', login), 'Chat Model');
	const texts = await chat('Draft a proposal', ['Approve', 'Decline', 'Approve']);

	expect(control().proposals()).toHaveLength(before + 1);
	const createdProposal = control().proposal(Number(control().proposals().at(-1)!.id));
	const items = [{ referencedItemId: seed.catalogItems.television, quantity: 2 }];
	expect(createdProposal).toMatchObject({
		name,
		status: 'Draft',
		dealer: { salesperson: { id: seed.users.dealer } },
		areas: [{ name, options: [{ items }] }],
		// Expect the price of two televisions without tax, because a proposal without a client has no address.
		financialSummary: { proposalTotal: 2 * 1799 },
	});
	const question = `Add to the area "Meeting room" of proposal ${createdProposal.number}: itemType:Part,model:Lumenfold LX65,quantity:2?`;
	expect(texts).toEqual([
		`Create the proposal "Meeting room" for ${seed.dealer.username}?`,
		question,
		question,
		`Proposal ${createdProposal.number}: 3598`,
	]);
});
