/** What holds for every example: imported twice, run without a setting, run without its chat. */
import { afterAll, describe, expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import type { StoredWorkflow, WorkflowNode } from '../../../dev/testbed/n8n/n8n.mts';
import { until } from '../../../dev/testbed/until.mts';
import { readExamples } from '../../../dev/testbed/workflows.mts';
import { ownEnvironment } from '../environments.mts';
import { newRequests } from '../handRuns.mts';
import { useExample } from './example.mts';

const examples = await readExamples();
const { submitted, submittedToo } = seed.proposals;

interface Setting {
	name: string;
	value: unknown;
}

/** The values in the step *Settings*. */
const settingsOf = ({ nodes }: Pick<StoredWorkflow, 'nodes'>): Setting[] =>
	(
		nodes.find(({ name }) => name === 'Settings')?.parameters.assignments as
			{ assignments: Setting[] } | undefined
	)?.assignments ?? [];

/** Enters a value in *Settings*, as a person does. */
async function enter({ environment, workflow }: ReturnType<typeof useExample>, setting: Setting) {
	const { nodes } = structuredClone(workflow());
	settingsOf({ nodes }).find(({ name }) => name === setting.name)!.value = setting.value;
	await environment().n8n.updateWorkflow(workflow(), { nodes });
}

describe('an example that is imported twice', () => {
	const environment = ownEnvironment({ examples: examples.map(({ name }) => name) });
	const published: StoredWorkflow[] = [];
	afterAll(async () => {
		for (const workflow of published) await environment().n8n.deactivate(workflow);
	});
	/** Chooses a credential for the nodes of which nothing is played here. */
	async function choose(nodes: WorkflowNode[]): Promise<void> {
		const { n8n } = environment();
		const types = {
			'n8n-nodes-base.n8n': ['n8nApi', { apiKey: 'none', baseUrl: `${n8n.url}/api/v1` }],
			'@n8n/n8n-nodes-langchain.mcpTrigger': ['httpBearerAuth', { token: 'none' }],
			'@n8n/n8n-nodes-langchain.lmChatOpenAi': ['openAiApi', { apiKey: 'none' }],
		} as const;
		for (const node of nodes) {
			const [type, data] = types[node.type as keyof typeof types] ?? [];
			if (type === undefined) continue;
			const { id, name } = await n8n.createCredential('None', type, data);
			node.credentials = { [type]: { id, name } };
		}
	}
	const started = examples.filter(({ name }) => name !== 'First proposal');

	test.each(started.map(({ name }) => name))(
		'publishes two copies of an example beside each other: %s',
		async (name) => {
			const { n8n, workflows } = environment();
			const { nodes, connections, settings } = workflows[name]!;
			await choose(nodes);
			await n8n.updateWorkflow(workflows[name]!, { nodes });
			const imported = nodes.map(({ webhookId: _, ...node }) => node);
			const again = await n8n.createWorkflow({ name, nodes: imported, connections, settings });
			for (const one of [workflows[name]!, again]) {
				await n8n.activate(one);
				published.push(one);
			}
			const names = (await n8n.activeWorkflows()).filter((one) => one.name === name);
			expect(names).toHaveLength(2);
		},
	);
});

/** What may stay empty: a status without a stage leaves the deal where it is. */
const OPTIONAL =
	/^(Settings Complete|Submitted|ViewedByClient|Delayed|EmailFailed|Expired|Accepted|Completed|Declined)$/;
const withSettings = examples.filter((example) => settingsOf(example).length > 0);

describe.each(withSettings.map((example) => [example.name, example] as const))(
	'%s without a setting',
	(name, { nodes }) => {
		const example = useExample(name);
		const { environment, workflow } = example;
		const trigger = nodes.find(({ type }) => /trigger$/i.test(type))!.name;
		const required = settingsOf({ nodes }).filter((setting) => !OPTIONAL.test(setting.name));

		test.each(required.map((setting) => setting.name))(
			'does nothing and asks for %s',
			async (missing) => {
				const { value } = settingsOf(workflow()).find((setting) => setting.name === missing)!;
				await enter(example, { name: missing, value: '' });
				const requests = newRequests(environment());
				const input = { proposalId: submitted };
				const { status, error } = await environment().n8n.runManually(workflow(), trigger, input);
				expect([status, error!.message]).toEqual([
					'error',
					expect.stringContaining(`enter ${missing} in this step`),
				]);
				expect(requests().filter(({ method }) => method !== 'GET')).toEqual([]);
				const systems = Object.values(example.systems());
				const written = systems.flatMap<object>((one) =>
					'writes' in one ? one.writes : one.messages,
				);
				expect(written).toEqual([]);
				await enter(example, { name: missing, value });
			},
		);
	},
);

describe('an example whose chat does not accept its last message', () => {
	/** Lets Slack refuse, and runs it; returns what the message would have been. */
	async function runUnheard(
		example: ReturnType<typeof useExample>,
		trigger: string,
		json?: object,
	): Promise<string> {
		const { environment, workflow } = example;
		await enter(example, { name: 'Slack Channel ID', value: 'C0WRONG' });
		const { status, error } = await environment().n8n.runManually(workflow(), trigger, json);
		expect([status, example.messages()]).toEqual(['error', []]);
		const [, text] =
			/^Slack did not accept the message \(.*channel_not_found.*?\)\. Send it by hand: (.*)$/s.exec(
				error!.message,
			) ?? [];
		return text!;
	}

	/** The same for one that starts with an accepted proposal. */
	async function runUnheardAfterAcceptance(example: ReturnType<typeof useExample>) {
		example.control().accept(submitted);
		const input = { proposalId: submitted };
		return await runUnheard(example, 'Accepted, Reopened or Declined', input);
	}

	describe('Accepted proposal to Slack and purchase list', () => {
		const example = useExample('Accepted proposal to Slack and purchase list');
		test('has written the list', async () => {
			const text = await runUnheardAfterAcceptance(example);
			expect(text).toContain('is accepted: ');
			expect(example.systems().googleSheets.rows()).toHaveLength(4);
		});
	});

	describe('Accepted proposal to recurring invoices', () => {
		const example = useExample('Accepted proposal to recurring invoices');
		test('has written the repeating invoice', async () => {
			const text = await runUnheardAfterAcceptance(example);
			expect(text).toContain('Xero writes a draft of an invoice every month');
			expect(example.systems().xero.repeating).toHaveLength(1);
		});
	});

	describe('Project handover', () => {
		const example = useExample('Project handover');
		test('has created the tasks', async () => {
			const text = await runUnheardAfterAcceptance(example);
			expect(text).toContain('New: Main bedroom');
			expect(example.systems().asana.tasks).toHaveLength(2);
		});
	});

	describe('Draft check', () => {
		const example = useExample('Draft check');
		test('says in its error what a person has to do', async () => {
			const lastModifiedDate = new Date().toISOString();
			// It has a television that is not in stock.
			example.control().updateProposal(seed.proposals.staleWholeHome, { lastModifiedDate });
			const text = await runUnheard(example, 'Proposal Is Updated');
			expect(text).toContain('LX85-P: not in stock');
		});
	});

	describe('Won HubSpot deal to proposal', () => {
		const example = useExample('Won HubSpot deal to proposal');
		test('has created the proposals of the other deals', async () => {
			const { hubSpot } = example.systems();
			const before = example.control().proposals().length;
			const nobody = { dealname: 'Nobody', dealstage: 'closedwon' };
			hubSpot.deals.unshift(hubSpot.addDeal(nobody));
			hubSpot.deals.pop();
			expect(await runUnheard(example, 'Every Five Minutes')).toContain('"Nobody"');
			expect(example.control().proposals()).toHaveLength(before + 1);
		});
	});

	describe('Nightly cost refresh', () => {
		const example = useExample('Nightly cost refresh');
		test('has refreshed the drafts and saved the report', async () => {
			expect(await runUnheard(example, 'Every Night at 02:00')).toContain(
				'has a margin of 33.11 % (before: 35.43 %)',
			);
			const rows = await example.environment().n8n.dataTableRows('portal_margin_changes');
			expect(rows.length).toBeGreaterThan(0);
		});
	});

	describe('Accepted proposal to QuickBooks', () => {
		const example = useExample('Accepted proposal to QuickBooks');
		test('says in its error what a person has to do', async () => {
			example.control().accept(submitted);
			const { quickBooks } = example.systems();
			quickBooks.items.length = 0;
			const text = await runUnheard(example, 'Accepted or Declined', { proposalId: submitted });
			expect(text).toContain('It has no product for ');
		});
	});

	describe('Proposal status to HubSpot', () => {
		const example = useExample('Proposal status to HubSpot');
		test('says in its error what a person has to do', async () => {
			const { number } = example.control().proposal(submittedToo);
			const deal = { dealname: `${number} one`, dealstage: 'contractsent' };
			const { hubSpot } = example.systems();
			hubSpot.addDeal(deal);
			hubSpot.addDeal(deal);
			const input = { proposalId: submittedToo };
			expect(await runUnheard(example, 'Proposal Status Changed', input)).toContain(
				'Several HubSpot',
			);
		});
	});

	describe('Payment to Xero', () => {
		const example = useExample('Payment to Xero');
		test('says in its error what a person has to do', async () => {
			const { xero } = example.systems();
			const EmailAddress = 'maren.holt@clients.example';
			for (const Name of ['Holt, Maren', 'M. Holt']) xero.addContact({ Name, EmailAddress });
			expect(await runUnheard(example, 'Payment Is Paid')).toContain('several contacts match');
		});
	});
});

describe('an execution that Settings has stopped', () => {
	const example = useExample('Accepted proposal to Slack and purchase list');
	test('retries with what was entered since', async () => {
		const { environment, workflow, control, messages } = example;
		const { n8n } = environment();
		control().accept(submitted);
		const [channel] = settingsOf(workflow()).filter(({ name }) => name === 'Slack Channel ID');
		await enter(example, { ...channel!, value: '' });
		const input = { proposalId: submitted };
		const stopped = await n8n.runManually(workflow(), 'Accepted, Reopened or Declined', input);
		expect(stopped.status).toBe('error');
		await enter(example, channel!);
		// The button *Retry*, *With currently saved workflow*.
		await n8n.rest('POST', `/executions/${stopped.id}/retry`, { loadWorkflow: true });
		await until('the message', () => messages()[0]);
		expect(example.systems().googleSheets.rows()).toHaveLength(4);
	});
});
