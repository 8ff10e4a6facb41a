/** What an n8n that is older than the example workflows needs changed in them. */
import type { N8n, NodeType, Workflow, WorkflowNode } from '../testbed/n8n/n8n.mts';

const dataTable = 'n8n-nodes-base.dataTable';

/**
 * Adapts a workflow to the nodes that an n8n has.
 *
 * @param tables the ids of the data tables by name
 */
export async function fitToOlder(
	workflow: Workflow,
	n8n: N8n,
	tables: Record<string, string>,
): Promise<Workflow> {
	const types = await n8n.nodeTypes();
	const fitted = workflow.nodes.map((node): WorkflowNode => {
		const known = types.filter(({ name }) => name === node.type);
		const older = Math.max(...known.flatMap(({ version }) => version));
		if (node.type === dataTable && node.parameters.resource === 'table' && !knowsTables(known)) {
			// The table is there: the environment has made it beforehand.
			const passing = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
			return { ...node, ...passing };
		}
		if (known.length === 0 || older >= node.typeVersion) return node;
		const parameters = node.type === dataTable ? withTableId(node, tables) : node.parameters;
		return { ...node, parameters, typeVersion: older };
	});
	return { ...workflow, nodes: fitted };
}

/** The first version of the node finds a table by its id only. */
function withTableId({ parameters }: WorkflowNode, tables: Record<string, string>) {
	const { value: name } = parameters.dataTableId as { value: string };
	return { ...parameters, dataTableId: { __rl: true, mode: 'id', value: tables[name] } };
}

function knowsTables(dataTableTypes: NodeType[]): boolean {
	const resources = dataTableTypes
		.flatMap(({ properties }) => properties)
		.filter(({ name }) => name === 'resource');
	return resources.some(({ options = [] }) => options.some(({ value }) => value === 'table'));
}
