/**
 * Runs the built nodes and credential as n8n does, with n8n-core's execution contexts and request helpers, over a
 * socket, but without n8n's database. Only the credential store is simulated. `test/n8n` uses the real one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
	EngineResponse,
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { ResponseStandIn } from './response.mts';

// Use a temporary user folder, because n8n-core writes its settings there when it is loaded.
if (process.env.N8N_USER_FOLDER === undefined) {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-wire-'));
	process.env.N8N_USER_FOLDER = folder;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	// Exit normally on this signal, with which Vitest ends its processes, so the folder is removed.
	process.once('SIGTERM', () => process.exit(143));
}
process.env.N8N_ENCRYPTION_KEY ??= 'only for these tests';
// Silence the failures of nodes, which n8n would print.
process.env.N8N_LOG_LEVEL ??= 'silent';

// Load nodes with `require`, as n8n does, to share one copy of n8n-workflow with them.
const load = createRequire(import.meta.url);
load('reflect-metadata');
const core = load('n8n-core') as typeof import('n8n-core');
const { NodeHelpers, Workflow } = load('n8n-workflow') as typeof import('n8n-workflow');
const dist = new URL('../../dist/', import.meta.url).pathname;

type NodeName = 'PortalIo' | 'PortalIoTrigger' | 'PortalIoPollingTrigger';
type Package = Record<NodeName, new () => INodeType> & { PortalIoApi: new () => ICredentialType };

/** Loads the classes that n8n would load, with everything that they remember about the service. */
function loadPackage(): Package {
	const node = (name: NodeName) => load(join(dist, `nodes/${name}/${name}.node.js`));
	return {
		...load(join(dist, 'credentials/PortalIoApi.credentials.js')),
		...node('PortalIo'),
		...node('PortalIoTrigger'),
		...node('PortalIoPollingTrigger'),
	};
}
let firstWorker = loadPackage();

/** Loads the package again, as another worker would, so the worker shares no memory with the first one. */
export function loadWorker(): Package {
	for (const file of Object.keys(load.cache))
		if (file.startsWith(dist)) Reflect.deleteProperty(load.cache, file);
	return loadPackage();
}

/** Reloads the package for later runs, so it remembers nothing about the service. */
export function restartWorker(): void {
	firstWorker = loadWorker();
}

const nodeOf = (name: string, type: string, parameters: INode['parameters'] = {}): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters,
});

const nodeTypesOf = (find: (name: string) => INodeType): INodeTypes => ({
	getByName: find,
	getByNameAndVersion: find,
	getKnownTypes: () => ({}),
});

/** Workflow in which n8n resolves the expressions of a credential for triggers and lists. */
const withoutRun = new Workflow({
	nodes: [nodeOf('mock', 'mock')],
	connections: {},
	active: false,
	nodeTypes: nodeTypesOf(() => ({ description: { properties: [] } }) as never),
});

type Data = ICredentialDataDecryptedObject;
type CredentialsHelper = IWorkflowExecuteAdditionalData['credentialsHelper'];
type GetDecrypted = CredentialsHelper['getDecrypted'];
type Authenticate = (data: Data, request: object) => Promise<SignedRequest>;

export class StoredCredential {
	readonly type: ICredentialType = new firstWorker.PortalIoApi();
	data: Data;
	onExchange: (key: string) => void = () => {};

	constructor(data: Data) {
		this.data = { userApiKey: '', ...data };
	}

	/** Returns the user API key from n8n's stored value, which starts with a fingerprint. */
	get userApiKey(): string {
		const stored = String(this.data.userApiKey);
		return stored.slice(stored.indexOf('.') + 1);
	}

	/** Stands in for part of n8n's CredentialsHelper (docs/dev/n8n-internals.md#a-signed-request). */
	helper(type = this.type): CredentialsHelper {
		const helper = {
			getParentTypes: () => [],
			getDecrypted: async (...args: Parameters<GetDecrypted>) => this.resolve(type, args),
			getCredentialsProperties: () => type.properties,
			isCredentialUsableByNode: () => true,
			authenticate: async (data: Data, _name: string, options: object) =>
				await (type.authenticate as Authenticate)(data, options),
			preAuthentication: async (...args: [never, Data, string, INode, boolean]) => {
				const [helpers, data, , , expired] = args;
				if (data.userApiKey !== '' && !expired) return undefined;
				const output = (await type.preAuthentication!.call(helpers, data)) as Data;
				if (output.userApiKey === undefined) return undefined;
				this.data = { ...this.data, ...output };
				this.onExchange(this.userApiKey);
				return Object.assign(data, output);
			},
		};
		return helper as unknown as CredentialsHelper;
	}

	/**
	 * Returns the fields with their defaults and resolved expressions. Outside a run, the expressions have no input.
	 */
	private resolve(
		{ properties }: ICredentialType,
		[, , , mode, executeData, , run]: Parameters<GetDecrypted>,
	) {
		const stored = this.data as INodeParameters;
		const data = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null)!;
		const self = data as Data;
		const resolved =
			run === undefined
				? withoutRun.expression.getComplexParameterValue(
						withoutRun.nodes.mock!,
						...([data, mode, {}, undefined, undefined, self] as const),
					)
				: run.workflow.expression.getParameterValue(
						...([data, run.runExecutionData, run.runIndex, run.itemIndex, run.node.name] as const),
						...([run.connectionInputData, mode, {}, executeData, false, self] as const),
					);
		return resolved as Data;
	}
}

/** Signs a request as the credential would for n8n. Logs in first if no key is stored. */
export async function sign(credential: StoredCredential, request: object): Promise<SignedRequest> {
	if (credential.data.userApiKey === '') {
		await execute({ credential, operation: 'proposal.getMany', parameters: { limit: 1 } });
	}
	return await (credential.type.authenticate as Authenticate)(credential.data, request);
}

interface SignedRequest {
	url: string;
	headers: Record<string, unknown>;
	body?: unknown;
}

export interface Run {
	credential: StoredCredential;
	/** Resource and operation, such as `item.add`; absent for triggers. */
	operation?: string;
	parameters?: object;
	items?: IDataObject[];
	inputs?: INodeExecutionData[];
	continueOnFail?: boolean;
	settings?: Partial<INode>;
	/** Number of runs in the execution, as in a loop. Defaults to 1. */
	rounds?: number;
	/** Whether a step between the input and the node outputs new items, without the input's files. */
	losesFiles?: boolean;
	worker?: Package;
	signal?: AbortSignal;
}

/** Creates a step that outputs its input. One precedes the node, and others follow its outputs. */
const passOn = (group: 'transform' | 'trigger') => ({
	description: { group: [group], inputs: ['main'], outputs: ['main'], properties: [] },
	execute: async function (this: IExecuteFunctions) {
		return [this.getInputData()];
	},
});
const losingFiles = {
	...passOn('transform'),
	execute: async function (this: IExecuteFunctions) {
		return [this.getInputData().map((_, item) => ({ json: {}, pairedItem: { item } }))];
	},
};
const neighbors: object = {
	trigger: passOn('trigger'),
	transform: passOn('transform'),
	losingFiles,
};

function prepare(nodeType: INodeType, { credential, settings, ...run }: Run) {
	const type = `n8n-nodes-portal-io.${nodeType.description.name}`;
	const [resource, operation] = run.operation?.split('.') ?? [];
	const parameters = { ...(resource && { resource, operation }), ...run.parameters };
	const node: INode = {
		...nodeOf('Portal.io', type, parameters),
		credentials: { portalIoApi: { id: '1', name: 'Portal.io account' } },
		webhookId: 'a-webhook-id',
		...(run.continueOnFail ? { onError: 'continueRegularOutput' } : {}),
		...settings,
	};
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const types: Record<string, INodeType> = { [type]: nodeType, ...neighbors };
	const workflow = new Workflow({
		id: 'workflow',
		name: 'A workflow',
		nodes: [
			nodeOf('Before', 'trigger'),
			nodeOf('Between', 'losingFiles'),
			node,
			nodeOf('After', 'transform'),
			nodeOf('Errors', 'transform'),
		],
		connections: {
			Before: {
				main: [
					Array.from({ length: run.rounds ?? 1 }, () =>
						to(run.losesFiles ? 'Between' : node.name),
					).flat(),
				],
			},
			Between: { main: [to(node.name)] },
			[node.name]: { main: [to('After'), to('Errors')] },
		},
		active: false,
		nodeTypes: nodeTypesOf((name) => types[name]!),
		settings: { timezone: 'America/New_York', executionOrder: 'v1' },
	});
	const helper = credential.helper(run.worker && new run.worker.PortalIoApi());
	const additionalData = additionalDataOf(helper);
	return { node: workflow.getNode(node.name)!, workflow, additionalData };
}

const additionalDataOf = (credentialsHelper: CredentialsHelper) =>
	({
		credentialsHelper,
		currentNodeExecutionIndex: 0,
		webhookBaseUrl: 'http://127.0.0.1:5678/webhook',
		webhookWaitingBaseUrl: 'http://127.0.0.1:5678/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1:5678/form-waiting',
		variables: {},
	}) as unknown as IWorkflowExecuteAdditionalData;

export async function executeWorkflow(run: Run) {
	const nodeType = new (run.worker ?? firstWorker).PortalIo();
	const { node, workflow, additionalData } = prepare(nodeType, run);
	const items = run.inputs ?? (run.items ?? [{}]).map((json) => ({ json }));
	additionalData.hooks = new core.ExecutionLifecycleHooks('manual', 'execution', {} as never);
	const execution = new core.WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode('Before')!,
		pinData: { Before: items },
	});
	run.signal?.addEventListener('abort', () => execution.cancel());
	const { status, data } = await execution;
	const { runData } = data.resultData;
	const gotBy = (name: string) => runData[name]?.[0]?.data?.main?.[0] ?? [];
	const { data: output, error, hints = [] } = runData[node.name]?.[0] ?? {};
	return {
		status,
		outputs: (output?.main ?? []).map((list) => list ?? []),
		after: gotBy('After'),
		errors: gotBy('Errors'),
		/** Error from the node's last try. */
		error,
		hints: hints.map(({ message }) => message),
	};
}

export async function execute(run: Run): Promise<INodeExecutionData[]> {
	const { outputs, error } = await executeWorkflow(run);
	// Throw an error with these properties, because n8n keeps an error's properties but not its class.
	if (error !== undefined) throw Object.assign(new Error(error.message), error);
	return outputs[0] ?? [];
}

/** Call of a tool, by the name of its step. */
export type ToolCall = [step: string, input: object];

type Agent = (this: IExecuteFunctions, response?: EngineResponse) => Promise<unknown>;

/** Members of a LangChain tool that n8n uses. */
interface Tool {
	metadata: { sourceNodeName: string };
	invoke(input: object): Promise<string>;
}

/** Ways in which n8n runs tools. The agent outputs the text that the model reads. */
const callers = {
	/** Runs all calls in the agent at the same time, as the MCP server and AI Agent below version 3 do. */
	inAgent: (calls: ToolCall[]): Agent =>
		async function (this) {
			const tools = (await this.getInputConnectionData('ai_tool', 0)) as Tool[];
			const call = async ([step, input]: ToolCall) =>
				await tools.find(({ metadata }) => metadata.sourceNodeName === step)!.invoke(input);
			const texts = await Promise.all(
				calls.map(async (one) => await call(one).catch((error: Error) => error.message)),
			);
			return [texts.map((text) => ({ json: { text } }))];
		},
	/** Runs the calls as steps of the execution, one after the other, as AI Agent from version 3 does. */
	inEngine: (calls: ToolCall[]): Agent =>
		async function (this, response) {
			const actions = calls.map(([nodeName, input], id) => ({
				actionType: 'ExecutionNodeAction',
				nodeName,
				input,
				type: 'ai_tool',
				id: `call_${id}`,
				metadata: { itemIndex: 0 },
			}));
			if (response === undefined || response.actionResponses.length === 0) {
				return { actions, metadata: {} };
			}
			const texts = response.actionResponses.map(({ data }) =>
				JSON.stringify(data.data?.ai_tool?.[0]?.map((item) => item.json) ?? data.error?.message),
			);
			return [texts.map((text) => ({ json: { text } }))];
		},
};

/** Runs tools that an agent's model calls in one message. Returns the text of each result, as the model reads it. */
export async function callTools(
	credential: StoredCredential,
	steps: INode[],
	how: keyof typeof callers,
	calls: ToolCall[],
): Promise<string[]> {
	const tool = new firstWorker.PortalIo();
	const { description } = tool;
	Object.assign(tool, {
		description: { ...description, name: 'portalIoTool', inputs: [], outputs: ['ai_tool'] },
	});
	const inputs = ['main', { type: 'ai_tool' }];
	const agent = {
		description: { group: ['transform'], inputs, outputs: ['main'], properties: [] },
		execute: callers[how](calls),
	};
	const types: Record<string, object> = {
		'n8n-nodes-portal-io.portalIoTool': tool,
		agent,
		...neighbors,
	};
	const tools = steps
		.filter(({ type }) => type in types)
		.map((node) => ({
			...structuredClone(node),
			credentials: { portalIoApi: { id: '1', name: 'Portal.io account' } },
		}));
	const toAgent = { node: 'Agent', index: 0 };
	const connections: IConnections = { Before: { main: [[{ ...toAgent, type: 'main' }]] } };
	for (const { name } of tools)
		connections[name] = { ai_tool: [[{ ...toAgent, type: 'ai_tool' }]] };
	const workflow = new Workflow({
		id: 'workflow',
		name: 'A workflow with an agent',
		nodes: [nodeOf('Before', 'trigger'), nodeOf('Agent', 'agent'), ...tools],
		connections,
		active: false,
		nodeTypes: nodeTypesOf((name) => types[name] as INodeType),
		settings: { timezone: 'America/New_York', executionOrder: 'v1' },
	});
	const additionalData = additionalDataOf(credential.helper());
	additionalData.hooks = new core.ExecutionLifecycleHooks('manual', 'execution', {} as never);
	const { data } = await new core.WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode('Before')!,
		pinData: { Before: [{ json: {} }] },
	});
	const { error, runData } = data.resultData;
	if (error !== undefined) throw error;
	const output = runData.Agent?.at(-1)?.data?.main?.[0] ?? [];
	return output.map(({ json }) => String(json.text));
}

export async function listChoices(
	run: Run,
	method: string,
	{ filter, paginationToken, ...place }: ListRequest = {},
) {
	const { methods, context } = loadOptionsContext(run, place);
	return await methods!.listSearch![method]!.call(context, filter, paginationToken);
}

export interface ListRequest {
	filter?: string;
	paginationToken?: string;
	/** Path of the parameter as the editor sends it, such as `parameters.items.item[0].catalogItemId`. */
	path?: string;
	/** Whether n8n passes the step's parameters, as in the editor. Defaults to true. */
	hasParameters?: boolean;
}

export async function loadOptions(run: Run, method: string, request: ListRequest = {}) {
	const { methods, context } = loadOptionsContext(run, request);
	return await methods!.loadOptions![method]!.call(context);
}

function loadOptionsContext(run: Run, { path = '', hasParameters = true }: ListRequest) {
	const nodeType = new firstWorker.PortalIo();
	const { node, workflow, additionalData } = prepare(nodeType, run);
	additionalData.currentNodeParameters = hasParameters ? node.parameters : undefined;
	const context = new core.LoadOptionsContext(workflow, node, additionalData, path);
	return { methods: nodeType.methods, context };
}

let triggerNodes = 0;

/** Creates a trigger in a workflow that is kept, so the trigger's static data persists. */
function prepareTrigger(name: NodeName, run: Run) {
	const nodeType = new firstWorker[name]();
	const { node, workflow, additionalData } = prepare(nodeType, run);
	node.id = `trigger ${++triggerNodes}`;
	const staticData = () => workflow.getStaticData('node', node);
	return { nodeType, node, workflow, additionalData, staticData };
}

export function triggerNode(run: Run) {
	const trigger = prepareTrigger('PortalIoTrigger', run);
	const { nodeType, node, workflow, additionalData, staticData } = trigger;
	const [webhookDescription] = nodeType.description.webhooks!;
	const webhookData = {
		webhookDescription,
		httpMethod: 'POST',
		node: node.name,
		path: 'a-webhook-id/webhook',
		webhookId: 'a-webhook-id',
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additionalData,
	} as never;
	const hooks = () =>
		new core.HookContext(workflow, node, additionalData, 'trigger', 'activate', webhookData);
	const methods = nodeType.webhookMethods!.default!;
	return {
		node,
		staticData,
		moveTo: (webhookBaseUrl: string) => void (additionalData.webhookBaseUrl = webhookBaseUrl),
		checkExists: async () => await methods.checkExists.call(hooks()),
		create: async () => await methods.create.call(hooks()),
		delete: async () => await methods.delete.call(hooks()),
		/**
		 * Passes a delivery to the node and does what n8n does with the result: starts the execution and
		 * responds.
		 */
		receive: async (headers: Record<string, string>, rawBody: Buffer) => {
			const httpResponse = new ResponseStandIn();
			const httpRequest = { headers, rawBody, body: {}, params: {}, query: {} };
			const context = new core.WebhookContext(
				workflow,
				node,
				{ ...additionalData, httpRequest, httpResponse } as never,
				'webhook',
				webhookData,
				[],
				null,
			);
			const { noWebhookResponse, workflowData } = await nodeType.webhook!.call(context);
			if (!noWebhookResponse) httpResponse.status(200).end();
			const { statusCode: status, writableEnded: ended } = httpResponse;
			return {
				...(noWebhookResponse && { noWebhookResponse }),
				...(workflowData && { workflowData }),
				answer: { status, ended },
			};
		},
	};
}

export function pollingTriggerNode(run: Run) {
	const trigger = prepareTrigger('PortalIoPollingTrigger', run);
	const { nodeType, node, workflow, additionalData, staticData } = trigger;
	const contextFor = (mode: 'manual' | 'trigger') =>
		new core.PollContext(workflow, node, additionalData, mode, 'activate');
	// Use one context for every poll, as n8n does after it has published the workflow.
	const published = contextFor('trigger');
	const poll = async (context = published) => {
		const output = await nodeType.poll!.call(context);
		return output === null ? null : output[0]!.map(({ json }) => json);
	};
	return {
		node,
		staticData,
		poll: async () => await poll(),
		test: async () => await poll(contextFor('manual')),
	};
}
