/** A real n8n with this package installed, driven by the interface that its editor uses. */
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { Agent } from 'node:http';
import { isAbsolute, join, relative } from 'node:path';
import { until } from '../until.mts';
import { executionsBy, sqliteQuery, type Execution, type Query } from './database.mts';
import { defaultFilesFolder, startN8nProcess } from './process.mts';
import type { N8nProcess, N8nProcessOptions } from './process.mts';

/** A workflow as n8n exports and imports it. */
export interface Workflow {
	/** Of a shared example, for imports by command; the editor creates a new one. */
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
	/** With the name of the package in front. */
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

/** The person to whom the n8n belongs. Made up; the n8n listens on the loopback only. */
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
	const running = await startN8nProcess(options);
	return await withOwner(options, running, sqliteQuery(options.folder));
}

/** Makes the owner of an n8n that was just started; ends it if that fails. */
export async function withOwner(
	options: N8nProcessOptions,
	running: OneN8n,
	query: Query,
): Promise<N8n> {
	try {
		const n8n = new N8n(options, running, query);
		await n8n.createOwner();
		return n8n;
	} catch (error) {
		await running.stop();
		throw error;
	}
}

export class N8n {
	readonly folder: string;
	readonly url: string;
	readonly filesFolder: string;
	readonly store: ReturnType<typeof executionsBy>;
	private process: OneN8n;
	private readonly options: N8nProcessOptions;
	private hasMore = false;
	private readonly http: AxiosInstance;
	private projectId = '';

	constructor(options: N8nProcessOptions, running: OneN8n, query: Query) {
		this.folder = options.folder;
		this.options = options;
		this.store = executionsBy(query);
		this.url = running.url;
		this.filesFolder = running.filesFolder;
		this.process = running;
		this.http = axios.create({
			baseURL: `${running.url}/rest`,
			validateStatus: () => true,
			timeout: answerTimeoutMs,
			// n8n closes what is idle for five seconds: who takes it up in that moment gets a hang-up.
			httpAgent: new Agent({ keepAlive: false }),
		});
	}

	/** Calls n8n's own interface and returns the `data` of its answer, which the caller knows. */
	async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		const { status, data } = await this.http.request({
			method,
			url: path,
			data: body,
			timeoutErrorMessage: `n8n did not answer ${method} ${path} in ${answerTimeoutMs / 1000} s`,
		});
		if (status < 300) return data?.data ?? data;
		const reason = typeof data === 'object' ? data.message : data;
		throw new Error(`n8n answered ${status} to ${method} ${path}: ${reason}`);
	}

	async createOwner(): Promise<void> {
		const { headers, status, data } = await this.http.post('/owner/setup', owner);
		const cookies = headers['set-cookie']?.map((cookie) => cookie.split(';')[0]);
		if (status !== 200 || !cookies) {
			throw new Error(`n8n answered ${status} to the owner's set-up: ${data?.message}`);
		}
		this.http.defaults.headers.common.Cookie = cookies.join('; ');
		this.projectId = (await this.rest<{ id: string }>('GET', '/projects/personal')).id;
	}

	async createCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<StoredCredential> {
		return await this.rest('POST', '/credentials', { name, type, data });
	}

	/** Tests a credential as the editor does: with what it shows of it, secrets blanked out. */
	async testCredential({ id }: { id: string }): Promise<{ status: string; message: string }> {
		const credential = await this.rest<object>('GET', `/credentials/${id}?includeData=true`);
		return await this.rest('POST', '/credentials/test', { credentials: credential });
	}

	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		return await this.rest('POST', '/workflows', workflow);
	}

	async updateWorkflow({ id }: { id: string }, changes: Partial<Workflow>): Promise<void> {
		await this.rest('PATCH', `/workflows/${id}`, changes);
	}

	/** Activates the newest version of a workflow and waits until n8n has registered its triggers. */
	async activate({ id }: { id: string }): Promise<void> {
		const { versionId } = await this.rest<StoredWorkflow>('GET', `/workflows/${id}`);
		await this.rest('POST', `/workflows/${id}/activate`, { versionId });
		const { status, triggers } = await this.settledPublication(id);
		if (status === 'published') return;
		const reasons = triggers.map((trigger) => trigger.errorMessage).filter(Boolean);
		throw new Error(`n8n could not activate the workflow (${status}): ${reasons.join('; ')}`);
	}

	/** Deactivates a workflow and waits until n8n has taken its triggers away. */
	async deactivate({ id }: { id: string }): Promise<void> {
		await this.rest('POST', `/workflows/${id}/deactivate`, {});
		await this.settledPublication(id);
	}

	/** n8n answers before the triggers are registered; this is how its editor follows them. */
	private async settledPublication(id: string): Promise<Publication> {
		await until(
			`the end of the publication of workflow ${id}`,
			async () => (await this.publication(id)).status !== 'in_progress' || undefined,
		);
		// n8n reads status and result at the same time, so the first result may still be the old one.
		return await this.publication(id);
	}

	private async publication(id: string): Promise<Publication> {
		const { status, data } = await this.http.get(`/workflows/${id}/publication-status`);
		// n8n 2.37 publishes before it answers, and has nothing to say of it afterwards.
		return status === 404 ? { status: 'published', triggers: [] } : data.data;
	}

	/**
	 * Runs a workflow from one of its triggers, as the editor's button does, to its end.
	 *
	 * @param output the trigger's records, as for a message in the editor's chat; else it is run itself
	 */
	async runManually(
		{ id }: { id: string },
		trigger: string,
		output?: object | object[],
	): Promise<Execution> {
		const data = output && {
			startTime: Date.now(),
			executionTime: 0,
			executionIndex: 0,
			executionStatus: 'success',
			source: [null],
			data: { main: [[output].flat().map((json) => ({ json }))] },
		};
		const started = { triggerToStartFrom: { name: trigger, data } };
		const path = `/workflows/${id}/run`;
		const { executionId } = await this.rest<{ executionId: string }>('POST', path, started);
		const wanted = { workflowId: id, after: Number(executionId) - 1 };
		return await until(`execution ${executionId}`, async () => {
			const [first] = await this.executions(wanted);
			return first?.id === Number(executionId) && first.stoppedAt !== null ? first : undefined;
		});
	}

	async executions(filter: { workflowId?: string; after?: number } = {}): Promise<Execution[]> {
		return await this.store.executions(filter);
	}

	async nodeTypes(): Promise<NodeType[]> {
		const { data } = await this.http.get<NodeType[]>(`${this.url}/types/nodes.json`);
		return data;
	}

	async createDataTable(table: DataTable): Promise<{ id: string }> {
		return await this.rest('POST', `${this.dataTables}`, table);
	}

	/** The rows of a data table, the oldest first, without the columns that n8n adds to them. */
	async dataTableRows(name: string): Promise<TableRow[]> {
		const read = async (path: string) =>
			(await this.rest<{ data: TableRow[] }>('GET', this.dataTables + path)).data;
		const { id } = (await read('?take=250')).find((table) => table.name === name)!;
		const rows: TableRow[] = [];
		let page: TableRow[];
		do {
			page = await read(`/${id}/rows?take=250&skip=${rows.length}&sortBy=id:asc`);
			rows.push(...page);
		} while (page.length > 0);
		return rows.map((row) =>
			Object.fromEntries(Object.entries(row).filter(([column]) => !systemColumns.includes(column))),
		);
	}

	private get dataTables(): string {
		return `/projects/${this.projectId}/data-tables`;
	}

	dataTableUrl(id: string): string {
		return `${this.url}/projects/${this.projectId}/datatables/${id}`;
	}

	workflowUrl({ id }: { id: string }): string {
		return `${this.url}/workflow/${id}`;
	}

	writtenFile(name: string): string {
		return isAbsolute(name) ? name : join(this.filesFolder, relative(defaultFilesFolder, name));
	}

	get pid(): number {
		return this.process.pid!;
	}

	logs(): string {
		return this.process.logs();
	}

	async activeWorkflows(): Promise<Pick<StoredWorkflow, 'id' | 'name'>[]> {
		const filter = encodeURIComponent(JSON.stringify({ active: true }));
		return await this.rest('GET', `/workflows?filter=${filter}`);
	}

	get ended(): Promise<void> {
		return this.process.ended;
	}

	/** Ends n8n and starts it again with the same data at the same address, and perhaps more settings. */
	async restart(more: Record<string, string> = {}): Promise<void> {
		await this.stop();
		const port = Number(new URL(this.url).port);
		const settings = { ...this.options.settings, ...more };
		this.process = await startN8nProcess({ ...this.options, port, settings });
		this.hasMore = Object.keys(more).length > 0;
	}

	/** Starts it again where it has ended, or runs with more settings than at first. */
	async restore(): Promise<void> {
		if (this.hasMore || !this.process.isRunning()) await this.restart();
	}

	/** Ends it and all that it started as a power failure would, without a chance to tidy up. */
	async kill(): Promise<void> {
		process.kill(-this.pid, 'SIGKILL');
		await this.ended;
	}

	async stop(): Promise<void> {
		await this.process.stop();
	}
}
