/** The example with an AI agent, whose model is a program of a few lines that knows what to call. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { seed } from '../../dev/simulator/index.mts';
import { newRequests } from './handRuns.mts';
import { sharedEnvironment } from './environments.mts';

/** What an OpenAI-compatible model is asked, as far as it is looked at here. */
interface Question {
	stream?: boolean;
	messages: { role: string; content: unknown }[];
	tools: { function: { name: string; description: string; parameters: Parameters } }[];
}

interface Parameters {
	properties?: Record<string, { type?: string; description?: string }>;
}

/** A call of a tool, or the last words. */
type Move = { call: string; with: Record<string, unknown> } | { say: string };

/**
 * A model that makes one move after another. Each is told what all tools of the conversation have
 * answered since the question, in their order.
 */
async function startModel(moves: ((answers: unknown[]) => Move)[]) {
	const questions: Question[] = [];
	const server = createServer(async (request, response) => {
		const question = (await json(request)) as Question;
		questions.push(question);
		const asked = question.messages.findLastIndex(({ role }) => role === 'user');
		const answers = question.messages
			.slice(asked)
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => JSON.parse(String(content)));
		const move = moves[answers.length]!(answers);
		const message =
			'say' in move
				? { role: 'assistant', content: move.say }
				: {
						role: 'assistant',
						content: null,
						tool_calls: [
							{
								id: `call_${questions.length}`,
								type: 'function',
								function: { name: move.call, arguments: JSON.stringify(move.with) },
							},
						],
					};
		response.writeHead(200, { 'Content-Type': 'application/json' }).end(
			JSON.stringify({
				id: `chat_${questions.length}`,
				object: 'chat.completion',
				created: 0,
				model: 'scripted',
				choices: [{ index: 0, message, finish_reason: 'say' in move ? 'stop' : 'tool_calls' }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		questions,
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** The first record that a tool answered. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as deep as the service's answers
const first = (answer: unknown): any => (Array.isArray(answer) ? answer[0] : answer);

const environment = sharedEnvironment();

/**
 * Sends a message in the editor's chat to the assistant, with the given model behind it.
 *
 * @param settings what the tools have instead of what the example gives them
 */
async function chat(text: string, moves: ((answers: unknown[]) => Move)[], settings: object = {}) {
	const { n8n, workflows } = environment();
	const model = await startModel(moves);
	const workflow = workflows['Proposal assistant']!;
	const credential = await n8n.createCredential(`Model at ${model.url}`, 'openAiApi', {
		apiKey: 'none-is-needed-here',
		url: model.url,
	});
	const { nodes } = structuredClone(workflow);
	nodes.find(({ name }) => name === 'Chat Model')!.credentials = {
		openAiApi: { id: credential.id, name: credential.name },
	};
	for (const tool of nodes.filter(({ type }) => type.endsWith('.portalIoTool'))) {
		Object.assign(tool.parameters, settings);
	}
	await n8n.updateWorkflow(workflow, { nodes });
	const execution = await n8n.runManually(workflow, 'Chat', {
		action: 'sendMessage',
		sessionId: text,
		chatInput: text,
	});
	model.stop();
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	const [{ output } = { output: undefined }] = itemsOf<{ output: string }>(execution, 'Assistant');
	return { output, questions: model.questions };
}

describe('the example "Proposal assistant"', () => {
	test('answers from what its tools read, and changes nothing', async () => {
		const requests = newRequests(environment());
		const { output } = await chat('What is the Marchand network worth?', [
			() => ({ call: 'Find_Proposals', with: { searchText: 'Marchand' } }),
			([found]) => ({ call: 'Read_Proposal', with: { proposalId: String(first(found).id) } }),
			([, proposal]) => ({ call: 'List_Items', with: { proposalId: String(first(proposal).id) } }),
			(answers) => {
				// What the model reads is short, also of the proposal with all its items.
				for (const record of answers.flat()) expect(Object.keys(record as object)).toHaveLength(10);
				return { say: `${first(answers[1]).proposalTotal}` };
			},
		]);
		const { financialSummary } = environment().simulator.control.proposal(
			seed.proposals.freshNetwork,
		);
		expect(output).toBe(String(financialSummary.proposalTotal));
		expect(requests().map(({ method }) => method)).not.toContain('POST');
	});

	test('drafts a proposal: salesperson, area, two items of the catalog', async () => {
		const { control } = environment().simulator;
		const before = control.proposals().length;
		const proposalId = (answers: unknown[]) => String(first(answers[2]).id);
		const { output } = await chat('Draft a proposal for a meeting room with two televisions', [
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
		expect(made).toMatchObject({
			name: 'Meeting room',
			status: 'Draft',
			dealer: { salesperson: { id: seed.users.dealer } },
			areas: [
				{
					name: 'Meeting room',
					options: [{ items: [{ referencedItemId: seed.catalogItems.television, quantity: 2 }] }],
				},
			],
			// Two televisions, and no customer yet whose address would tell the tax.
			financialSummary: { proposalTotal: 2 * 1799 },
		});
		expect(output).toBe(`Proposal ${made.number}: 3598`);
	});

	test('tells the model why a call failed, and goes on', async () => {
		const { output } = await chat('What is in proposal 999999?', [
			() => ({ call: 'Read_Proposal', with: { proposalId: '999999' } }),
			([answer]) => ({ say: String(first(answer).error) }),
		]);
		expect(output).toMatch(/No record found with this ID/);
	});

	describe('tells the model', () => {
		const asked = async (settings?: object) => {
			const { questions } = await chat('Hello', [() => ({ say: 'Hello' })], settings);
			return questions[0]!.tools.map(({ function: tool }) => tool);
		};

		test('the names of the tools, what they do, and what to give them', async () => {
			const tools = await asked();
			const types = tools.map(({ name, parameters: { properties = {} } }) => [
				name,
				Object.fromEntries(Object.entries(properties).map(([key, { type }]) => [key, type])),
			]);
			expect(Object.fromEntries(types)).toEqual({
				Find_Proposals: { searchText: 'string' },
				Read_Proposal: { proposalId: 'string' },
				List_Items: { proposalId: 'string' },
				Find_Catalog_Items: { searchText: 'string' },
				Find_Users: {},
				Create_Proposal: { salesPersonId: 'string', name: 'string' },
				Create_Area: { proposalId: 'string', name: 'string' },
				Add_Items: {
					proposalId: 'string',
					areaOptionId: 'string',
					itemType: 'string',
					itemId: 'string',
					quantity: 'number',
				},
			});
			const words = tools.map(({ name }) => name.replaceAll('_', ' ')).join('|');
			for (const { name, description, parameters } of tools) {
				const changes = /^(Create|Add)/.test(name);
				expect(description, name).toMatch(changes ? /Call it once for each/ : /Changes nothing\.$/);
				for (const [key, { description: told = '' }] of Object.entries(parameters.properties!)) {
					// An example or an origin tells the format.
					expect(told, `${name}: ${key}`).toMatch(RegExp(`such as|${words}|empty for`));
					if (!key.endsWith('Id')) continue;
					expect(told, `${name}: ${key}`).toMatch(RegExp(`^The ID of .*number.* from (${words})`));
				}
			}
			const { quantity } = tools.find(({ name }) => name === 'Add_Items')!.parameters.properties!;
			expect(quantity!.description).toMatch(/units, or hours/);
		});

		test('what the operations are called, where the descriptions are set automatically', async () => {
			const tools = await asked({ descriptionType: 'auto' });
			expect(Object.fromEntries(tools.map(({ name, description }) => [name, description]))).toEqual(
				{
					Find_Proposals: 'Get many proposals in Portal.io',
					Read_Proposal: 'Get proposal in Portal.io',
					List_Items: 'Get many items in proposal in Portal.io',
					Find_Catalog_Items: 'Search catalog in Portal.io',
					Find_Users: 'Get many users in Portal.io',
					Create_Proposal: 'Create proposal in Portal.io',
					Create_Area: 'Create area in proposal in Portal.io',
					Add_Items: 'Add items to proposal in Portal.io',
				},
			);
		});
	});
});
