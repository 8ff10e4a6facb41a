/** Reads what n8n has noted in PostgreSQL. */
import { executionReader } from '../n8n/database.mts';
import type { ExecutionRow, ExecutionStore } from '../n8n/database.mts';
import type { Postgres } from './servers.mts';

/** The executions of an n8n that keeps them in PostgreSQL. */
export function postgresExecutions(postgres: Postgres): ExecutionStore {
	const read = executionReader();
	return {
		executions: ({ workflowId, after } = {}) =>
			postgres
				.rows<ExecutionRow>(
					`SELECT e.id, e."workflowId", w.name AS "workflowName", e.mode, e.status,
						e."startedAt", e."stoppedAt", d.data, d."workflowData"::text AS "workflowData"
					FROM execution_entity e
					JOIN workflow_entity w ON w.id = e."workflowId"
					LEFT JOIN execution_data d ON d."executionId" = e.id
					WHERE $1 IN ('', e."workflowId") AND e.id > $2
					ORDER BY e.id`,
					[workflowId ?? '', String(after ?? 0)],
				)
				.map(read),
		counts: (workflowId) =>
			Object.fromEntries(
				postgres
					.rows<{ status: string; count: number }>(
						`SELECT status, COUNT(*) AS count FROM execution_entity
						WHERE "workflowId" = $1 GROUP BY status`,
						[workflowId],
					)
					.map(({ status, count }) => [status, count]),
			),
	};
}
