/** Changes rows of n8n's data tables as a person does, by small workflows that are run by hand. */
import type { Stage } from './stage.mts';
import { chain, manualStart, type Part } from './workflowBuilder.mts';

type Values = Record<string, string | number>;

/** Adds a row. */
export async function addRow(stage: Stage, table: string, row: Values): Promise<void> {
	await run(stage, { operation: 'insert', ...on(table), columns: columns(row) });
}

/** Changes the rows of which the given columns have the given values. */
export async function changeRows(
	stage: Stage,
	table: string,
	where: Values,
	changes: Values,
): Promise<void> {
	const conditions = Object.entries(where).map(([keyName, keyValue]) => ({
		keyName,
		condition: 'eq',
		keyValue,
	}));
	const filters = { matchType: 'allConditions', filters: { conditions } };
	await run(stage, { operation: 'update', ...on(table), ...filters, columns: columns(changes) });
}

const on = (value: string) => ({ dataTableId: { __rl: true, mode: 'name', value } });

const columns = (value: Values) => ({ mappingMode: 'defineBelow', value, schema: [] });

async function run({ n8n, credential }: Stage, parameters: Part['parameters']) {
	const step: Part = {
		name: 'Rows',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: { ...parameters, options: {} },
	};
	const workflow = await n8n.createWorkflow(chain('Changes rows', [manualStart, step], credential));
	const { status, error } = await n8n.runManually(workflow, manualStart.name);
	if (status !== 'success') throw new Error(`The rows were not changed: ${error?.message}`);
}
