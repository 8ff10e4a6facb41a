/** The example with an AI agent, whose model is a program of a few lines that knows what to call. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { seed } from '../../dev/simulator/index.mts';
import { sharedEnvironment } from './environments.mts';

/** A call of a tool, or the last words. */
type Move = { call: string; with: Record<string, unknown> } | { say: string };

/** Decides on the next move by what all tools have answered since the question, in their order. */
type Moves = ((answers: unknown[]) => Move)[];

const called = (index: number, move: { call: string; with: object }) => ({
	id: `call_${index}`,
	type: 'function',
	function: { name: move.call, arguments: JSON.stringify(move.with) },
});

/** An OpenAI-compatible model that makes one move after another. */
async function startModel(moves: Moves) {
	const server = createServer(async (request, response) => {
		const { messages } = (await json(request)) as { messages: { role: string; content: string }[] };
		const answers = messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => JSON.parse(content));
		const move = moves[answers.length]!(answers);
		const message =
			'say' in move
				? { role: 'assistant', content: move.say }
				: { role: 'assistant', content: null, tool_calls: [called(answers.length, move)] };
		response.writeHead(200, { 'Content-Type': 'application/json' }).end(
			JSON.stringify({
				id: `chat_${answers.length}`,
				object: 'chat.completion',
				created: 0,
				model: 'scripted',
				choices: [{ index: 0, message, finish_reason: 'say' in move ? 'stop' : 'tool_calls' }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** The first record that a tool answered. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as deep as the service's answers
const first = (answer: unknown): any => (Array.isArray(answer) ? answer[0] : answer);

const environment = sharedEnvironment();

/** Sends a message in the editor's chat to the assistant, with the given model; returns its answer. */
async function chat(text: string, moves: Moves): Promise<string> {
	const { n8n, workflows } = environment();
	const workflow = workflows['Proposal assistant']!;
	const url = await startModel(moves);
	const { id, name } = await n8n.createCredential(url, 'openAiApi', { apiKey: 'none', url });
	const { nodes } = structuredClone(workflow);
	nodes.find((node) => node.name === 'Chat Model')!.credentials = { openAiApi: { id, name } };
	await n8n.updateWorkflow(workflow, { nodes });
	const message = { action: 'sendMessage', sessionId: text, chatInput: text };
	const execution = await n8n.runManually(workflow, 'Chat', message);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	const [answer] = itemsOf<{ output: string }>(execution, 'Assistant');
	return answer!.output;
}

test('lets the assistant draft a proposal: salesperson, area, two items of the catalog', async () => {
	const { control } = environment().simulator;
	const before = control.proposals().length;
	const proposalId = (answers: unknown[]) => String(first(answers[2]).proposalId);
	const answer = await chat('Draft a proposal for a meeting room with two televisions', [
		() => ({ call: 'Find_Users', with: {} }),
		() => ({ call: 'Find_Catalog_Items', with: { searchText: 'LX65' } }),
		([users]) => ({
			call: 'Create_Proposal',
			with: { salesPersonId: String(first(users).id), name: 'Meeting room' },
		}),
		(answers) => ({
			call: 'Create_Area',
			with: { proposalId: proposalId(answers), name: 'Meeting room' },
		}),
		(answers) => ({
			call: 'Add_Items',
			with: {
				proposalId: proposalId(answers),
				areaOptionId: String(first(answers[3]).areaOptionId),
				itemType: first(answers[1]).itemType,
				itemId: String(first(answers[1]).id),
				quantity: 2,
			},
		}),
		(answers) => ({ call: 'Read_Proposal', with: { proposalId: proposalId(answers) } }),
		(answers) => ({
			say: `Proposal ${first(answers[5]).number}: ${first(answers[5]).proposalTotal}`,
		}),
	]);
	expect(control.proposals()).toHaveLength(before + 1);
	const { id } = control.proposals().at(-1)!;
	const made = control.proposal(Number(id));
	const items = [{ referencedItemId: seed.catalogItems.television, quantity: 2 }];
	expect(made).toMatchObject({
		name: 'Meeting room',
		status: 'Draft',
		dealer: { salesperson: { id: seed.users.dealer } },
		areas: [{ name: 'Meeting room', options: [{ items }] }],
		// Two televisions, and no client yet whose address would tell the tax.
		financialSummary: { proposalTotal: 2 * 1799 },
	});
	expect(answer).toBe(`Proposal ${made.number}: 3598`);
});
