/**
 * Asana's API (1.0) with one project, as far as n8n's node uses it for tasks
 * (https://developers.asana.com/reference/tasks). Lists have only the fields that are asked for.
 */
import { added, notFound, Refusal, webService } from './system.mts';

const WORKSPACE = '1200000000000001';
const PROJECT = '1200000000000002';

const invalid = (message: string) => new Refusal(400, { errors: [{ message }] });

export function createAsana() {
	const tasks: { gid: string; name: string; notes: string }[] = [];
	let lastId = 1_200_000_000_001_000;

	const service = webService('asana', {
		records: { Tasks: tasks },
		routes: {
			'GET /api/1.0/projects/:id': (_asked, { id }) => {
				if (id !== PROJECT) throw notFound;
				return { data: { gid: PROJECT, name: 'Installations', workspace: { gid: WORKSPACE } } };
			},
			'GET /api/1.0/tasks': ({ query }) => {
				if (query.get('project') !== PROJECT) throw notFound;
				const fields = ['gid', ...(query.get('opt_fields') ?? 'name').split(',')];
				const shown = (task: object) =>
					Object.fromEntries(Object.entries(task).filter(([name]) => fields.includes(name)));
				return { data: tasks.map(shown), next_page: null };
			},
			'POST /api/1.0/tasks': ({ body }) => {
				const { workspace, projects, name, notes = '' } = body.data;
				if (workspace !== WORKSPACE) throw invalid('workspace: Not a valid workspace');
				if (String(projects) !== PROJECT) throw invalid('projects: Not a recognized ID');
				lastId += 1;
				return { data: added(tasks, { gid: String(lastId), name, notes }) };
			},
			'PUT /api/1.0/tasks/:id': ({ body }, { id }) => {
				const task = tasks.find(({ gid }) => gid === id);
				if (!task) throw notFound;
				return { data: Object.assign(task, body.data) };
			},
		},
	});
	return { ...service, tasks };
}
