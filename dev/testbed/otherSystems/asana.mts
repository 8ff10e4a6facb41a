/**
 * Asana's API (1.0) with one project, as far as n8n's node asks it for tasks
 * (https://developers.asana.com/reference/tasks). Lists have only the fields that are asked for.
 */
import { notFound, Refusal, webService, type Asked, type Fields } from './system.mts';

const TOKEN = '2/simulated/asana';
const WORKSPACE = '1200000000000001';
const PROJECT = '1200000000000002';

/** Something to do. */
interface Task extends Fields {
	gid: string;
	name: string;
	notes: string;
}

const invalid = (message: string) => new Refusal(400, { errors: [{ message }] });

/** A workspace with one project. */
export function createAsana() {
	const tasks: Task[] = [];
	let lastId = 1_200_000_000_001_000;

	const list = ({ query }: Asked) => {
		if (query.get('project') !== PROJECT) throw notFound;
		const fields = ['gid', ...(query.get('opt_fields') ?? 'name').split(',')];
		const shown = (task: Task) =>
			Object.fromEntries(Object.entries(task).filter(([name]) => fields.includes(name)));
		return { data: tasks.map(shown), next_page: null };
	};

	const add = ({ body }: Asked) => {
		const { workspace, projects, name, notes = '' } = body.data as Fields;
		if (workspace !== WORKSPACE) throw invalid('workspace: Not a valid workspace');
		if (String(projects) !== PROJECT) throw invalid('projects: Not a recognized ID');
		lastId += 1;
		tasks.push({ gid: String(lastId), name: String(name), notes: String(notes) });
		return { data: tasks.at(-1)! };
	};

	const change = (gid: string, { body }: Asked) => {
		const task = tasks.find((one) => one.gid === gid);
		if (!task) throw notFound;
		return { data: Object.assign(task, body.data) };
	};

	const service = webService({
		name: 'Asana',
		hosts: ['app.asana.com'],
		token: TOKEN,
		credential: {
			type: 'asanaApi',
			node: 'n8n-nodes-base.asana',
			data: { accessToken: TOKEN },
		},
		settings: { 'Asana Project ID': PROJECT },
		records: { Tasks: tasks },
		routes: {
			'GET /api/1.0/projects/:id': (_asked, { id }) => {
				if (id !== PROJECT) throw notFound;
				return { data: { gid: PROJECT, name: 'Installations', workspace: { gid: WORKSPACE } } };
			},
			'GET /api/1.0/tasks': list,
			'POST /api/1.0/tasks': add,
			'PUT /api/1.0/tasks/:id': (asked, { id }) => change(id!, asked),
		},
	});
	return { ...service, tasks };
}
