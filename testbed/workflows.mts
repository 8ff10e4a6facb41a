/** The example workflows, made ready for the n8n in which they are to run. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataTable, StoredCredential, Workflow } from './n8n/n8n.mts';
import { examplesFolder } from './paths.mts';

/** What differs from one n8n to another. */
export interface Place {
	credential: StoredCredential;
	/** Stands in for the nightly schedule: nobody watches a demo until two in the morning. */
	scheduleSeconds: number;
}

const packageName = 'n8n-nodes-portal-io';

/** Reads all example workflows as they stand in the clone. */
export async function readExamples(): Promise<Workflow[]> {
	const files = (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => JSON.parse(await readFile(join(examplesFolder, file), 'utf8'))),
	);
}

/** A copy of a workflow with what a person would fill in after importing it. */
export function adapt(workflow: Workflow, place: Place): Workflow {
	const adapted = structuredClone(workflow);
	for (const node of adapted.nodes) {
		if (node.type.startsWith(`${packageName}.`)) {
			const { id, name, type } = place.credential;
			node.credentials = { [type]: { id, name } };
		}
		if (node.type === 'n8n-nodes-base.scheduleTrigger') {
			node.parameters.rule = {
				interval: [{ field: 'seconds', secondsInterval: place.scheduleSeconds }],
			};
		}
	}
	return adapted;
}

/**
 * The data tables that a workflow makes for itself when they are missing. Made beforehand, a person
 * can look at them before the first execution.
 */
export function tablesOf(workflow: Workflow): DataTable[] {
	return workflow.nodes
		.map(({ parameters }) => parameters)
		.filter(({ resource, operation }) => resource === 'table' && operation === 'create')
		.map(({ tableName, columns }) => ({
			name: tableName as string,
			columns: (columns as { column: DataTable['columns'] }).column,
		}));
}
