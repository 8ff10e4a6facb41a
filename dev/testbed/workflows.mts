/** Prepares the example workflows for the n8n that runs them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataTable, StoredCredential, Workflow, WorkflowNode } from './n8n/n8n.mts';
import type { OtherSystems } from './otherSystems/index.mts';
import { examplesFolder } from './paths.mts';

export interface Place {
	credential: StoredCredential;
	/** Number of seconds between runs, from 1 to 59, which replaces every schedule. If undefined, no schedule runs. */
	scheduleSeconds?: number | undefined;
	others: Pick<OtherSystems, 'credentials' | 'fields'>;
	otherCredentials: StoredCredential[];
}

export async function readExamples(): Promise<Workflow[]> {
	const files = (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => JSON.parse(await readFile(join(examplesFolder, file), 'utf8'))),
	);
}

/** Copies a workflow and fills in what a person would after importing it. */
export function adapt(workflow: Workflow, place: Place): Workflow {
	const adapted = structuredClone(workflow);
	for (const node of adapted.nodes) {
		if (node.type.startsWith('n8n-nodes-portal-io.')) {
			node.credentials = chooseCredential(place.credential);
		}
		const credential = credentialOfOther(node, place);
		if (credential) node.credentials = chooseCredential(credential);
		chooseParameters(node, place);
		completeUrl(node, place);
		if (node.name === 'Settings') fillIn(node, place.others.fields);
		if (node.type === 'n8n-nodes-base.scheduleTrigger') {
			node.parameters.rule = { interval: [parseInterval(place)] };
		}
	}
	return adapted;
}

function parseInterval({ scheduleSeconds }: Place) {
	// Run on leap days only, because the editor cannot turn off a schedule.
	if (scheduleSeconds === undefined) return { field: 'cronExpression', expression: '0 0 29 2 *' };
	// Reject a higher number, because n8n would treat it as every minute.
	if (scheduleSeconds > 59) throw new RangeError('scheduleSeconds must be 1 to 59');
	return { field: 'seconds', secondsInterval: scheduleSeconds };
}

const chooseCredential = ({ id, name, type }: StoredCredential) => ({ [type]: { id, name } });

function credentialOfOther({ type, parameters }: WorkflowNode, place: Place) {
	const { others, otherCredentials } = place;
	// Choose no credential for a public form.
	if (type === 'n8n-nodes-base.formTrigger' && !parameters.authentication) return undefined;
	const credentialType =
		others.credentials.find(({ node }) => node === type)?.type ?? parameters.nodeCredentialType;
	return otherCredentials.find((credential) => credential.type === credentialType);
}

/** Fills the empty fields of a simulated system's step with values that exist in the system. */
function chooseParameters({ type, parameters }: WorkflowNode, { others }: Place): void {
	const system = others.credentials.find(({ node }) => node === type);
	if (system?.parameters) fillEmpty(parameters, system.parameters);
}

/** Replaces the uppercase parts of a URL, such as the company ID, with a simulated system's values. */
function completeUrl({ parameters }: WorkflowNode, { others }: Place): void {
	if (typeof parameters.url !== 'string') return;
	let { url } = parameters as { url: string };
	for (const { parameters: values = {} } of others.credentials) {
		for (const [name, value] of Object.entries(values)) {
			if (/^[A-Z_]+$/.test(name)) url = url.replace(name, String(value));
		}
	}
	parameters.url = url;
}

function fillEmpty(parameters: Record<string, unknown>, values: Record<string, unknown>): void {
	for (const [name, present] of Object.entries(parameters)) {
		if (name in values && isEmpty(present)) parameters[name] = values[name];
		else if (isObject(present)) fillEmpty(present, values);
	}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether nothing was entered, chosen, or selected. */
const isEmpty = (value: unknown): boolean =>
	value === '' ||
	(Array.isArray(value) && value.length === 0) ||
	(isObject(value) && value.value === '');

/** Enters the simulated systems' values into the fields of a step that have the same names. */
function fillIn({ parameters }: WorkflowNode, values: OtherSystems['fields']): void {
	const { assignments } = parameters.assignments as {
		assignments: { name: string; value: unknown }[];
	};
	for (const field of assignments) field.value = values[field.name] ?? field.value;
}

export function findTables(workflow: Workflow): DataTable[] {
	return workflow.nodes
		.map(({ parameters }) => parameters)
		.filter(({ resource, operation }) => resource === 'table' && operation === 'create')
		.map(({ tableName, columns }) => ({
			name: tableName as string,
			columns: (columns as { column: DataTable['columns'] }).column,
		}));
}
