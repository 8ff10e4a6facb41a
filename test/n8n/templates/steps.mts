/**
 * Runs steps of an example in this process with n8n's engine and nodes, which takes only milliseconds. The output of
 * other steps is pinned, as in the editor. Steps that need n8n's database cannot run here.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	INodeType,
	IVersionedNodeType,
} from 'n8n-workflow';
import { installN8n } from '../../../dev/testbed/n8n/install.mts';
import { installationFolder, loadOfN8n } from '../../../dev/testbed/paths.mts';
import type { Workflow as Example } from '../../../dev/testbed/n8n/n8n.mts';
import { readExamples } from '../../../dev/testbed/workflows.mts';

/** Pinned output of a step. */
export type Pinned = {
	json: IDataObject;
	binary?: Record<string, IBinaryData>;
	pairedItem?: { item: number };
}[];

const examples = await readExamples();
await installN8n();
// Use a temporary user folder, because n8n-core writes its settings there when it is loaded.
const folder = mkdtempSync(join(tmpdir(), 'n8n-steps-'));
process.env.N8N_USER_FOLDER = folder;
// Silence the errors of steps, which n8n would print.
process.env.N8N_LOG_LEVEL ??= 'silent';
loadOfN8n('reflect-metadata');
const core = loadOfN8n('n8n-core') as typeof import('n8n-core');
const { Workflow } = loadOfN8n('n8n-workflow') as typeof import('n8n-workflow');
rmSync(folder, { recursive: true });

const nodesFolder = join(installationFolder, 'node_modules/n8n-nodes-base');
const knownNodes = JSON.parse(
	readFileSync(join(nodesFolder, 'dist/known/nodes.json'), 'utf8'),
) as Record<string, { className: string; sourcePath: string }>;

/** Stand-in for any node from another package. It outputs its input. */
const standIn = {
	description: { name: 'elsewhere', inputs: ['main'], outputs: ['main'], properties: [] },
	execute: async function (this: IExecuteFunctions) {
		return [this.getInputData()];
	},
} as unknown as INodeType;

function nodeType(type: string, version?: number): INodeType {
	const entry = knownNodes[type.replace(/^n8n-nodes-base\./, '')];
	if (!type.startsWith('n8n-nodes-base.') || !entry) return standIn;
	const Class = loadOfN8n(join(nodesFolder, entry.sourcePath))[entry.className];
	const instance: INodeType | IVersionedNodeType = new Class();
	return 'nodeVersions' in instance ? instance.getNodeType(version) : instance;
}

const url = 'http://127.0.0.1:5678';
const additionalData = {
	credentialsHelper: {},
	currentNodeExecutionIndex: 0,
	variables: {},
	webhookBaseUrl: url,
	webhookTestBaseUrl: url,
	webhookWaitingBaseUrl: url,
	formWaitingBaseUrl: url,
	instanceBaseUrl: url,
	restApiUrl: url,
};

/**
 * Runs an example.
 *
 * @param example the example or its name
 * @param pinned pinned output by step name. The run starts with the first one
 * @param to last step to run. By default, all steps run
 */
export async function runSteps(
	example: Example | string,
	pinned: Record<string, Pinned>,
	to?: string,
) {
	const { name, nodes, connections, settings } =
		typeof example === 'string' ? examples.find((one) => one.name === example)! : example;
	const workflow = new Workflow({
		id: 'example',
		name,
		nodes: nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote') as never,
		connections: connections as never,
		settings,
		active: false,
		nodeTypes: { getByName: nodeType, getByNameAndVersion: nodeType, getKnownTypes: () => ({}) },
	});
	const hooks = new core.ExecutionLifecycleHooks('manual', 'execution', {} as never);
	const { data } = await new core.WorkflowExecute(
		{ ...additionalData, hooks } as never,
		'manual',
	).run({
		workflow,
		startNode: workflow.getNode(Object.keys(pinned)[0]!)!,
		...(to !== undefined && { destinationNode: { nodeName: to, mode: 'inclusive' as const } }),
		pinData: pinned,
	});
	const { error, runData } = data.resultData;
	return {
		/** Error that stopped the run. */
		error,
		/** Names of the steps that ran. */
		steps: Object.keys(runData),
		/** Returns the records at one of a step's outputs. */
		output: (step: string, index = 0) =>
			(runData[step]?.[0]?.data?.main?.[index] ?? []).map(({ json }) => json),
	};
}
