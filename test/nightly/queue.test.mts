/**
 * Runs the package in n8n's queue mode with real PostgreSQL, real Redis, a main process, a webhook processor,
 * and two workers.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { installN8n } from '../../dev/testbed/n8n/install.mts';
import { lean, withoutCode, withoutEditor } from '../../dev/testbed/n8n/process.mts';
import { checkQueue } from '../../dev/testbed/queue/check.mts';
import { makeRunFolder } from '../../dev/testbed/tempFolder.mts';
import { buildEnvironment, type Environment } from '../../dev/testbed/environment.mts';
import { expectNoSecretsStored } from '../n8n/noSecrets.mts';

const LIMIT_MS = 900_000;
const EXAMPLE = 'Portal MCP server';

let folder: Awaited<ReturnType<typeof makeRunFolder>>;
let environment: Environment;

beforeAll(async () => {
	await installN8n();
	folder = await makeRunFolder();
	environment = await buildEnvironment({
		folder: folder.path,
		step: (_title, work) => work(() => {}),
		queue: true,
		examples: [EXAMPLE],
		settings: {
			...lean,
			...withoutCode,
			...withoutEditor,
			// Fail a dead worker's jobs within seconds (values in milliseconds). By default, n8n takes at least a
			// minute.
			QUEUE_WORKER_LOCK_DURATION: '15000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
			QUEUE_WORKER_STALLED_INTERVAL: '2000',
		},
	});
}, LIMIT_MS);
afterAll(async () => {
	await environment?.stop();
	await folder?.discard();
});

it(
	"runs an MCP client's tool calls on the workers",
	async () => {
		const { n8n, cluster, simulator, workflows } = environment;
		const { control } = simulator;
		const { id, nodes } = structuredClone(workflows[EXAMPLE]!);
		const token = 'a token of the test';
		const credential = await n8n.createCredential('MCP token', 'httpBearerAuth', { token });
		const trigger = nodes.find(({ name }) => name === 'Portal.io MCP Server')!;
		trigger.credentials = { httpBearerAuth: { id: credential.id, name: credential.name } };
		await n8n.updateWorkflow({ id }, { nodes });
		await n8n.activate({ id });
		const path = `/mcp/portal-io-${id}`;
		expect((await fetch(n8n.url + path, { method: 'POST' })).status).toBe(404);

		const client = new Client({ name: 'test', version: '1.0.0' });
		const headers = { Authorization: `Bearer ${token}` };
		const url = new URL(new URL(cluster!.webhookUrl).origin + path);
		await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
		const call = async (name: string, given: Record<string, unknown>) => {
			const { content } = await client.callTool({ name, arguments: given });
			return JSON.parse((content as [{ text: string }])[0].text);
		};
		const { staleTheater, viewed, submitted, accepted, empty } = seed.proposals;
		const { number } = control.proposal(viewed);
		expect(await call('Find_Proposals', { searchText: String(number) })).toMatchObject([
			{ proposalId: viewed },
		]);
		const before = control.proposals().length;
		const salesPersonId = String(seed.users.dealer);
		expect(await call('Create_Proposal', { salesPersonId, name: 'Loft' })).toMatchObject([
			{ name: 'Loft', status: 'Draft' },
		]);
		expect(control.proposals()).toHaveLength(before + 1);
		expect(await call('Read_Proposal', { proposalId: 'Loft' })).toMatchObject([
			{ error: expect.stringContaining("'Proposal' must be a numeric ID") },
		]);
		const ids = [staleTheater, viewed, submitted, accepted, empty];
		const read = ids.map(async (proposalId) =>
			call('Read_Proposal', { proposalId: String(proposalId) }),
		);
		expect(await Promise.all(read)).toMatchObject(ids.map((proposalId) => [{ proposalId }]));
		await client.close();
		await n8n.deactivate({ id });
		const started = cluster!.workers.map(
			(worker) => worker.logs().split('Worker started').length - 1,
		);
		expect(started.reduce((first, second) => first + second)).toBeGreaterThanOrEqual(8);
	},
	LIMIT_MS,
);

it(
	'processes each event at most once even if a worker dies and keys expire',
	async () => {
		const sentences: string[] = [];
		await checkQueue(environment, 30, (sentence) => sentences.push(sentence));
		expect(sentences).toHaveLength(2);
		expect(environment.simulator.control.contractViolations).toEqual([]);
		await expectNoSecretsStored(environment);
	},
	LIMIT_MS,
);
