/** Calls a shared workflow as the examples do: by a step in a loop, with one item at a time. */
import type { Execution } from './n8n/database.mts';
import { itemsOf } from './n8n/database.mts';
import type { StoredWorkflow, WorkflowNode } from './n8n/n8n.mts';
import type { Stage } from './stage.mts';
import { chain, manualStart, noOp, type Part } from './workflowBuilder.mts';

/** What a workflow that is called takes, as its trigger defines it. */
interface Input {
	name: string;
	type?: string;
}

/** A step that calls a shared workflow with the fields of its item. */
export function callPart({ workflows }: Pick<Stage, 'workflows'>, name: string): Part {
	const called = workflows[name]!;
	const { parameters } = called.nodes.find(isTrigger)!;
	const inputs = (parameters.workflowInputs as { values: Input[] }).values;
	return {
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.3,
		parameters: {
			workflowId: { __rl: true, mode: 'list', value: called.id, cachedResultName: name },
			workflowInputs: {
				mappingMode: 'defineBelow',
				value: Object.fromEntries(inputs.map((one) => [one.name, `={{ $json.${one.name} }}`])),
				matchingColumns: [],
				schema: inputs.map(schemaOf),
				attemptToConvertTypes: false,
				convertFieldsToString: true,
			},
			options: {},
		},
	};
}

const isTrigger = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.executeWorkflowTrigger';

const schemaOf = ({ name, type = 'string' }: Input) => ({
	id: name,
	displayName: name,
	required: false,
	defaultMatch: false,
	display: true,
	canBeUsedToMatch: true,
	type,
});

/** Puts out what a shared workflow is to be called with, one item for each call. */
const inputParts = (inputs: object[]): Part[] => [
	{
		name: 'Inputs',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ inputs }), options: {} },
	},
	{
		name: 'Each Input',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'inputs', include: 'noOtherFields', options: {} },
	},
];

const loop: Part = {
	name: 'Loop',
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	parameters: { options: {} },
};

/** Creates a workflow that calls a shared one with each input. */
export async function createCaller(
	stage: Stage,
	name: string,
	inputs: object[],
	start: Part = manualStart,
): Promise<StoredWorkflow> {
	const parts = [start, ...inputParts(inputs), loop, callPart(stage, name), noOp];
	const caller = chain(`Calls ${name}`, parts, stage.credential);
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	caller.connections[loop.name] = { main: [to(noOp.name), to('Call')] };
	caller.connections.Call = { main: [to(loop.name)] };
	return await stage.n8n.createWorkflow(caller);
}

/** Calls a shared workflow with each input in one execution; what it returns, in the same order. */
export async function callShared<T>(stage: Stage, name: string, inputs: object[]): Promise<T[]> {
	const caller = await createCaller(stage, name, inputs);
	return returned(await stage.n8n.runManually(caller, manualStart.name));
}

/** What a shared workflow returned to the execution that called it. */
export function returned<T>(execution: Execution): T[] {
	const { error, status } = execution;
	if (status !== 'success') throw new Error(`The execution ended as ${status}: ${error?.message}`);
	return itemsOf<T>(execution, noOp.name);
}
