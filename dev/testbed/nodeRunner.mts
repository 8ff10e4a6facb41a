/**
 * Runs the built nodes and the built credential the way n8n does: through n8n-core's own execution
 * contexts and request helpers, over a socket, without n8n's database. Only the credential store is
 * a stand-in; `test/n8n` has the real one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	IWorkflowExecuteAdditionalData,
	NodeParameterValueType,
} from 'n8n-workflow';
import { ResponseStandIn } from './response.mts';

// n8n-core writes its settings into the user folder as soon as it is loaded.
if (process.env.N8N_USER_FOLDER === undefined) {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-wire-'));
	process.env.N8N_USER_FOLDER = folder;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	// By which Vitest ends its processes.
	process.once('SIGTERM', () => process.exit(143));
}
process.env.N8N_ENCRYPTION_KEY ??= 'only for these tests';

// n8n loads nodes with `require`, and so does this, to share one copy of n8n-workflow with them.
const load = createRequire(import.meta.url);
load('reflect-metadata');
const core = load('n8n-core') as typeof import('n8n-core');
const { createEmptyRunExecutionData, Workflow } = load(
	'n8n-workflow',
) as typeof import('n8n-workflow');
const dist = new URL('../../dist/', import.meta.url).pathname;

/** The classes that n8n would load, with all that they remember of the service. */
function loadPackage() {
	const { PortalIoApi } = load(join(dist, 'credentials/PortalIoApi.credentials.js'));
	const { PortalIo } = load(join(dist, 'nodes/PortalIo/PortalIo.node.js'));
	const { PortalIoTrigger } = load(join(dist, 'nodes/PortalIoTrigger/PortalIoTrigger.node.js'));
	const { PortalIoPollingTrigger } = load(
		join(dist, 'nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.js'),
	);
	return { PortalIoApi, PortalIo, PortalIoTrigger, PortalIoPollingTrigger };
}
type Package = ReturnType<typeof loadPackage>;
let firstWorker = loadPackage();

/** The package loaded once more, as another worker has it: it shares no memory with the first. */
export function anotherWorker(): Package {
	for (const file of Object.keys(load.cache))
		if (file.startsWith(dist)) Reflect.deleteProperty(load.cache, file);
	return loadPackage();
}

/** Loads the package anew for whoever comes next: it remembers nothing of the service. */
export function restartWorker(): void {
	firstWorker = anotherWorker();
}

/** What n8n's database would hold of one credential. */
export class StoredCredential {
	readonly type: ICredentialType = new firstWorker.PortalIoApi();
	data: ICredentialDataDecryptedObject;

	/** Called before each request is signed. */
	onRequest: () => void = () => {};
	/** Called after each exchange. */
	onExchange: (key: string) => void = () => {};

	constructor(data: ICredentialDataDecryptedObject) {
		this.data = { userApiKey: '', ...data };
	}

	/** The user API key in what n8n stores, where a fingerprint stands before it. */
	get userApiKey(): string {
		const stored = String(this.data.userApiKey);
		return stored.slice(stored.indexOf('.') + 1);
	}

	/** The part of n8n's CredentialsHelper that requests go through (docs/n8n-internals.md#a-signed-request). */
	helper(type = this.type): IWorkflowExecuteAdditionalData['credentialsHelper'] {
		const helper = {
			getParentTypes: () => [],
			getDecrypted: async () => ({ ...this.data }),
			getCredentialsProperties: () => type.properties,
			isCredentialUsableByNode: () => true,
			authenticate: async (data: ICredentialDataDecryptedObject, _name: string, options: never) => {
				this.onRequest();
				return await (type.authenticate as Authenticate)(data, options);
			},
			preAuthentication: async (
				helpers: never,
				data: ICredentialDataDecryptedObject,
				_name: string,
				_node: INode,
				expired: boolean,
			) => {
				if (data.userApiKey !== '' && !expired) return undefined;
				const output = await type.preAuthentication!.call(helpers, data);
				if ((output as ICredentialDataDecryptedObject).userApiKey === undefined) return undefined;
				this.data = { ...this.data, ...(output as ICredentialDataDecryptedObject) };
				this.onExchange(this.userApiKey);
				return Object.assign(data, output);
			},
		};
		return helper as unknown as IWorkflowExecuteAdditionalData['credentialsHelper'];
	}
}

/** Signs a request as the credential would for n8n, after an exchange if there was none. */
export async function sign(credential: StoredCredential, request: object): Promise<SignedRequest> {
	if (credential.data.userApiKey === '') {
		await execute({
			credential,
			parameters: { resource: 'proposal', operation: 'getMany', limit: 1 },
		});
	}
	return await (credential.type.authenticate as Authenticate)(credential.data, request);
}

/** How the credential signs a request. */
type Authenticate = (
	data: ICredentialDataDecryptedObject,
	request: object,
) => Promise<SignedRequest>;

export interface SignedRequest {
	url: string;
	headers: Record<string, unknown>;
	body?: unknown;
}

export interface Run {
	credential: StoredCredential;
	parameters: Record<string, NodeParameterValueType>;
	items?: IDataObject[];
	/** The inputs with their files, in place of `items`. */
	inputs?: INodeExecutionData[];
	continueOnFail?: boolean;
	/** The worker that runs it; the first one when left out. */
	worker?: Package;
	/** Stops the execution. */
	signal?: AbortSignal;
}

function prepare(nodeType: INodeType, { credential, parameters, ...run }: Run) {
	const node: INode = {
		id: '1',
		name: 'Portal.io',
		type: `n8n-nodes-portal-io.${nodeType.description.name}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
		credentials: { portalIoApi: { id: '1', name: 'Portal.io account' } },
		webhookId: 'a-webhook-id',
		...(run.continueOnFail ? { onError: 'continueRegularOutput' } : {}),
	};
	const types = { getByName: () => nodeType, getByNameAndVersion: () => nodeType };
	const workflow = new Workflow({
		id: 'workflow',
		name: 'A workflow',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { ...types, getKnownTypes: () => ({}) },
		settings: { timezone: 'America/New_York' },
	});
	const additionalData = {
		credentialsHelper: credential.helper(run.worker && new run.worker.PortalIoApi()),
		webhookBaseUrl: 'http://127.0.0.1:5678/webhook',
		webhookTestBaseUrl: 'http://127.0.0.1:5678/webhook-test',
		formWaitingBaseUrl: '',
		instanceBaseUrl: '',
		restApiUrl: '',
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
	return { node: workflow.getNode(node.name)!, workflow, additionalData };
}

/** Runs the resource node once over its inputs, as a workflow would. */
export async function execute(run: Run): Promise<INodeExecutionData[]> {
	const nodeType: INodeType = new (run.worker ?? firstWorker).PortalIo();
	const [output] = (await nodeType.execute!.call(
		executeContext(nodeType, run),
	)) as INodeExecutionData[][];
	return output!;
}

/** n8n's request helper, as a step has it, for requests that are signed already. */
export function requestHelper(): (options: IHttpRequestOptions) => Promise<unknown> {
	const nodeType: INodeType = new firstWorker.PortalIo();
	const context = executeContext(nodeType, {
		credential: new StoredCredential({}),
		parameters: {},
	});
	return async (options) => await context.helpers.httpRequest(options);
}

function executeContext(nodeType: INodeType, run: Run) {
	const { node, workflow, additionalData } = prepare(nodeType, run);
	const items = run.inputs ?? (run.items ?? [{}]).map((json) => ({ json }));
	return new core.ExecuteContext(
		workflow,
		node,
		additionalData,
		'manual',
		createEmptyRunExecutionData(),
		0,
		items,
		{ main: [items] },
		{ node, data: { main: [items] }, source: null },
		[],
		run.signal,
	);
}

/** The choices that a resource locator shows. */
export async function listChoices(
	run: Run,
	method: string,
	{ filter, paginationToken, path = '' }: ListRequest = {},
) {
	const { methods, context } = loadOptionsContext(run, path);
	return await methods!.listSearch![method]!.call(context, filter, paginationToken);
}

export interface ListRequest {
	filter?: string;
	paginationToken?: string;
	/** The path of the parameter, as the editor sends it: `parameters.items.item[0].itemId`. */
	path?: string;
}

/** The choices that a multi-select shows. */
export async function loadOptions(run: Run, method: string) {
	const { methods, context } = loadOptionsContext(run, '');
	return await methods!.loadOptions![method]!.call(context);
}

function loadOptionsContext(run: Run, path: string) {
	const nodeType: INodeType = new firstWorker.PortalIo();
	const { node, workflow, additionalData } = prepare(nodeType, run);
	additionalData.currentNodeParameters = node.parameters;
	const context = new core.LoadOptionsContext(workflow, node, additionalData, path);
	return { methods: nodeType.methods, context };
}

let triggerNodes = 0;

/** A trigger node in a workflow that stays, so that its static data does. */
export function triggerNode(run: Run) {
	const nodeType = new firstWorker.PortalIoTrigger() as INodeType;
	const { node, workflow, additionalData } = prepare(nodeType, run);
	node.id = `trigger ${++triggerNodes}`;
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
		staticData: () => workflow.getStaticData('node', node),
		/** Lets n8n be reached at another address. */
		moveTo: (webhookBaseUrl: string) => void (additionalData.webhookBaseUrl = webhookBaseUrl),
		checkExists: async () => await methods.checkExists.call(hooks()),
		create: async () => await methods.create.call(hooks()),
		delete: async () => await methods.delete.call(hooks()),
		/** Hands a delivery to the node and does with it what n8n does: start the execution and answer. */
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

/** A polling trigger in a workflow that stays, so that its static data does. */
export function pollingTriggerNode(run: Run) {
	const nodeType: INodeType = new firstWorker.PortalIoPollingTrigger();
	const { node, workflow, additionalData } = prepare(nodeType, run);
	node.id = `trigger ${++triggerNodes}`;
	const poll = async (mode: 'manual' | 'trigger') => {
		const context = new core.PollContext(workflow, node, additionalData, mode, 'activate');
		const output = await nodeType.poll!.call(context);
		return output === null ? null : output[0]!.map(({ json }) => json);
	};
	return {
		node,
		staticData: () => workflow.getStaticData('node', node),
		poll: async () => await poll('trigger'),
		test: async () => await poll('manual'),
	};
}
