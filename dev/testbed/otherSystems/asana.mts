/**
 * Simulates Asana's API (1.0) with one project, limited to what n8n's node uses to create tasks
 * (https://developers.asana.com/reference/tasks).
 */
import { addRecord, Refusal, webService } from './system.mts';

const WORKSPACE = '1200000000000001';
const PROJECT = '1200000000000002';

const invalid = (message: string) => new Refusal(400, { errors: [{ message }] });

export function createAsana() {
	const tasks: { gid: string; name: string; notes: string }[] = [];
	let lastId = 1_200_000_000_001_000;

	const service = webService('asana', {
		records: { Tasks: tasks },
		routes: {
			'POST /api/1.0/tasks': ({ body }) => {
				const { workspace, projects, name, notes = '' } = body.data;
				if (workspace !== WORKSPACE) throw invalid('workspace: Not a valid workspace');
				if (String(projects) !== PROJECT) throw invalid('projects: Not a recognized ID');
				lastId += 1;
				return { data: addRecord(tasks, { gid: String(lastId), name, notes }) };
			},
		},
	});
	return { ...service, tasks };
}
