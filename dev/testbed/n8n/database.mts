/** Reads n8n's own database, which proves what n8n did. */
import { parse } from 'flatted';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Execution {
	id: number;
	workflowId: string;
	workflowName: string;
	/** What started the execution: a webhook, a schedule, a person, … */
	mode: string;
	status: string;
	startedAt: string;
	stoppedAt: string | null;
	/** Everything that the database contains about the execution, to search it for secrets. */
	stored: string;
	runs: Record<string, NodeRun[]>;
	error?: ExecutionError;
}

interface NodeRun {
	executionStatus: string;
	error?: ExecutionError;
	data?: { main?: ({ json: Record<string, unknown> }[] | null)[] };
}

interface ExecutionError {
	message: string;
	description?: string | null;
	httpCode?: string | null;
}

/** Runs a statement. `$1` is the first value. */
export type Query = (statement: string, values: string[]) => Promise<Record<string, unknown>[]>;

/** Opens the SQLite database in the user folder of an n8n instance, which might be writing at the same time. */
export function openSqlite(userFolder: string, readOnly = false): DatabaseSync {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	return new DatabaseSync(file, { readOnly, timeout: 30_000 });
}

export const sqliteQuery =
	(userFolder: string): Query =>
	async (statement, values) => {
		const database = openSqlite(userFolder, true);
		try {
			const namedValues = values.map((value, index) => [`$${index + 1}`, value]);
			return database.prepare(statement).all(Object.fromEntries(namedValues));
		} finally {
			database.close();
		}
	};

/** Reads executions in n8n's database. The statements work with SQLite and PostgreSQL. */
export function executionsBy(query: Query) {
	return {
		/**
		 * Returns executions, oldest first: all, those of a workflow, or those after the execution with the ID `after`.
		 */
		async executions({ workflowId = '', after = 0 } = {}): Promise<Execution[]> {
			const rows = await query(
				`SELECT e.id, e."workflowId", w.name AS "workflowName", e.mode, e.status,
					e."startedAt", e."stoppedAt", d.data, CAST(d."workflowData" AS TEXT) AS "workflowData"
				FROM execution_entity e
				JOIN workflow_entity w ON w.id = e."workflowId"
				LEFT JOIN execution_data d ON d."executionId" = e.id
				WHERE $1 IN ('', e."workflowId") AND e.id > CAST($2 AS INTEGER)
				ORDER BY e.id`,
				[workflowId, String(after)],
			);
			return rows.map(parseExecution);
		},
		async counts(workflowId: string): Promise<Record<string, number>> {
			const rows = await query(
				`SELECT status, COUNT(*) AS count FROM execution_entity
				WHERE "workflowId" = $1 GROUP BY status`,
				[workflowId],
			);
			return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
		},
	};
}

/** Returns the first output of a node's last run, in the shape that the caller expects. */
export function itemsOf<T = Record<string, unknown>>(execution: Execution, node: string): T[] {
	const output = execution.runs[node]?.at(-1)?.data?.main?.[0] ?? [];
	return output.map((item) => item.json as T);
}

function parseExecution({ data, workflowData, ...row }: Record<string, unknown>): Execution {
	// Parse lazily, because a waiting test reads the same executions repeatedly.
	const result = () => {
		// Return nothing for a running execution, whose row has no data or an empty list.
		const hasData = typeof data === 'string' && data.length > 2;
		return (hasData ? parse(data)?.resultData : undefined) ?? {};
	};
	return {
		...(row as unknown as Omit<Execution, 'stored' | 'runs'>),
		stored: `${data}\n${workflowData}`,
		get runs() {
			return result().runData ?? {};
		},
		get error() {
			return result().error;
		},
	};
}
