/** Controls a real n8n with this package through the API that its editor uses. */
import axios from 'axios';
import { Agent } from 'node:http';
import { isAbsolute, join, relative } from 'node:path';
import { until } from '../until.mts';
import { executionsBy, sqliteQuery, type Query } from './database.mts';
import {
	defaultFilesFolder,
	startN8nProcess,
	type N8nProcess,
	type N8nProcessOptions,
} from './process.mts';

/** Workflow as n8n exports and imports it. */
export interface Workflow {
	/** ID of a shared example, for imports by command. The editor creates a new ID. */
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
}

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	webhookId?: string;
	[setting: string]: unknown;
}

export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
}

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

interface Publication {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: { errorMessage: string | null }[];
}

interface NodeType {
	/** Type with the package's name as its prefix. */
	name: string;
	version: number | number[];
	credentials?: { name: string }[];
	properties: { name: string; options?: { value?: unknown }[] }[];
}

export interface DataTable {
	name: string;
	columns: { name: string; type: 'string' | 'number' | 'boolean' | 'date' }[];
}

type TableRow = Record<string, string | number | boolean | null>;

/** Fictional owner of the n8n instance, which only listens on the loopback interface. */
export const owner = {
	email: 'dealer@example.com',
	password: 'Proposals-2-Orders',
	firstName: 'Demo',
	lastName: 'Dealer',
};

const systemColumns = ['id', 'createdAt', 'updatedAt'];

type OneN8n = Omit<N8nProcess, 'kill'>;

const answerTimeoutMs = 120_000;

export async function startN8n(options: N8nProcessOptions): Promise<N8n> {
	const n8nProcess = await startN8nProcess(options);
	return await createOwner(options, n8nProcess, sqliteQuery(options.folder));
}

/** Creates the owner of a newly started n8n instance. Stops the instance if this fails. */
export async function createOwner(
	options: N8nProcessOptions,
	n8nProcess: OneN8n,
	query: Query,
): Promise<N8n> {
	try {
		return await setUp(options, n8nProcess, query);
	} catch (error) {
		await n8nProcess.stop();
		throw error;
	}
}

export type N8n = Awaited<ReturnType<typeof setUp>>;

/** Creates n8n's owner and logs in. Returns functions that do what a person does in n8n. */
async function setUp(options: N8nProcessOptions, n8nProcess: OneN8n, query: Query) {
	const { folder } = options;
	const { url, filesFolder } = n8nProcess;
	let current = n8nProcess;
	let { settings } = options;
	const store = executionsBy(query);
	const http = axios.create({
		baseURL: `${url}/rest`,
		validateStatus: () => true,
		timeout: answerTimeoutMs,
		// Open a connection for each request, because n8n closes connections that are idle for five seconds, so a
		// request on a reused connection could fail.
		httpAgent: new Agent({ keepAlive: false }),
	});

	/** Calls n8n's own API and returns the response's `data`, whose type the caller knows. */
	const rest = async <T,>(method: string, path: string, body?: unknown): Promise<T> => {
		const { status, data } = await http.request({
			method,
			url: path,
			data: body,
			timeoutErrorMessage: `n8n did not respond to ${method} ${path} in ${answerTimeoutMs / 1e3} s`,
		});
		if (status < 300) return data?.data ?? data;
		const reason = typeof data === 'object' ? data.message : data;
		throw new Error(`n8n responded with ${status} to ${method} ${path}: ${reason}`);
	};

	const { headers, status, data } = await http.post('/owner/setup', owner);
	const cookies = headers['set-cookie']?.map((cookie) => cookie.split(';')[0]);
	if (status !== 200 || !cookies) {
		throw new Error(`n8n responded with ${status} to the owner's setup: ${data?.message}`);
	}
	http.defaults.headers.common.Cookie = cookies.join('; ');
	const { id: projectId } = await rest<{ id: string }>('GET', '/projects/personal');
	const dataTables = `/projects/${projectId}/data-tables`;

	const publication = async (id: string): Promise<Publication> => {
		const { status, data } = await http.get(`/workflows/${id}/publication-status`);
		// Treat a 404 as published, because n8n 2.37 publishes before it responds, and provides no status afterward.
		return status === 404 ? { status: 'published', triggers: [] } : data.data;
	};
	/** Waits as the editor does, because n8n responds before the triggers are registered. */
	const settledPublication = async (id: string): Promise<Publication> => {
		const isSettled = async () => (await publication(id)).status !== 'in_progress' || undefined;
		await until(`the end of the publication of workflow ${id}`, isSettled);
		// Read again, because n8n reads status and result at the same time, so the first result can still be the
		// previous one.
		return await publication(id);
	};

	/** Restarts n8n with the same data and URL, and optionally more settings. */
	const restart = async (more: Record<string, string> = {}) => {
		await current.stop();
		settings = { ...options.settings, ...more };
		current = await startN8nProcess({ ...options, port: Number(new URL(url).port), settings });
	};

	const finished = async (workflowId: string, executionId: number) =>
		await until(`execution ${executionId}`, async () => {
			const [first] = await store.executions({ workflowId, after: executionId - 1 });
			return first?.id === executionId && first.stoppedAt !== null ? first : undefined;
		});

	return {
		folder,
		url,
		filesFolder,
		store,
		rest,
		restart,
		executions: store.executions,
		createCredential: (name: string, type: string, data: Record<string, unknown>) =>
			rest<StoredCredential>('POST', '/credentials', {
				name,
				type,
				data,
			}),
		async testCredential({ id }: { id: string }) {
			const credentials = await rest<object>('GET', `/credentials/${id}?includeData=true`);
			const path = '/credentials/test';
			return await rest<{
				status: string;
				message: string;
			}>('POST', path, { credentials });
		},
		createWorkflow: (workflow: Workflow) => rest<StoredWorkflow>('POST', '/workflows', workflow),
		updateWorkflow: (
			{
				id,
			}: {
				id: string;
			},
			changes: Partial<Workflow>,
		) => rest<StoredWorkflow>('PATCH', `/workflows/${id}`, changes),
		async activate({ id }: { id: string }) {
			const { versionId } = await rest<StoredWorkflow>('GET', `/workflows/${id}`);
			await rest('POST', `/workflows/${id}/activate`, { versionId });
			const { status, triggers } = await settledPublication(id);
			if (status === 'published') return;
			const reasons = triggers.map((trigger) => trigger.errorMessage).filter(Boolean);
			throw new Error(`n8n could not activate the workflow (${status}): ${reasons.join('; ')}`);
		},
		async deactivate({ id }: { id: string }) {
			await rest('POST', `/workflows/${id}/deactivate`, {});
			await settledPublication(id);
		},
		activeWorkflows: () => {
			const filter = encodeURIComponent(JSON.stringify({ active: true }));
			return rest<Pick<StoredWorkflow, 'id' | 'name'>[]>('GET', `/workflows?filter=${filter}`);
		},
		async runManually(
			{
				id,
			}: {
				id: string;
			},
			trigger: string,
			output?: object | object[],
		) {
			const data = output && {
				startTime: Date.now(),
				executionTime: 0,
				executionIndex: 0,
				source: [null],
				executionStatus: 'success',
				data: { main: [[output].flat().map((json) => ({ json }))] },
			};
			const started = {
				triggerToStartFrom: {
					name: trigger,
					data,
				},
			};
			const path = `/workflows/${id}/run`;
			const { executionId } = await rest<{
				executionId: string;
			}>('POST', path, started);
			return await finished(id, Number(executionId));
		},
		async retry(
			workflow: {
				id: string;
			},
			execution: {
				id: number;
			},
		) {
			const path = `/executions/${execution.id}/retry`;
			const { id } = await rest<{
				id: string;
			}>('POST', path, { loadWorkflow: true });
			return await finished(workflow.id, Number(id));
		},
		nodeTypes: async () => (await http.get<NodeType[]>(`${url}/types/nodes.json`)).data,
		createDataTable: (table: DataTable) =>
			rest<{
				id: string;
			}>('POST', dataTables, table),
		async addDataTableRows(name: string, rows: TableRow[]) {
			const tables = await rest<{
				data: {
					id: string;
					name: string;
				}[];
			}>('GET', `${dataTables}?take=250`);
			const { id } = tables.data.find((table) => table.name === name)!;
			await rest('POST', `${dataTables}/${id}/insert`, {
				data: rows,
				returnType: 'count',
			});
		},
		async dataTableRows(name: string): Promise<TableRow[]> {
			const read = async (path: string) =>
				(
					await rest<{
						data: TableRow[];
					}>('GET', dataTables + path)
				).data;
			const { id } = (await read('?take=250')).find((table) => table.name === name)!;
			const rows: TableRow[] = [];
			let page: TableRow[];
			do {
				page = await read(`/${id}/rows?take=250&skip=${rows.length}&sortBy=id:asc`);
				rows.push(...page);
			} while (page.length > 0);
			const isOwn = ([column]: [string, unknown]) => !systemColumns.includes(column);
			return rows.map((row) => Object.fromEntries(Object.entries(row).filter(isOwn)));
		},
		dataTableUrl: (id: string) => `${url}/projects/${projectId}/datatables/${id}`,
		workflowUrl: ({ id }: { id: string }) => `${url}/workflow/${id}`,
		writtenFile: (name: string) =>
			isAbsolute(name) ? name : join(filesFolder, relative(defaultFilesFolder, name)),
		get pid() {
			return current.pid!;
		},
		get ended() {
			return current.ended;
		},
		logs: () => current.logs(),
		settings: () => settings,
		async kill() {
			process.kill(-current.pid!, 'SIGKILL');
			await current.ended;
		},
		stop: () => current.stop(),
	};
}
