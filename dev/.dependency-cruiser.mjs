/**
 * Defines the allowed imports. `npm run lint` fails on a forbidden import, a cycle, or a module that n8n does
 * not allow in published code. docs/dev/architecture.md draws these arrows and explains them.
 */
const published = ['client', 'credentials', 'nodes'];

/** Folders that each folder is allowed to import besides itself, packages, and Node's own modules. */
const arrows = {
	client: [],
	credentials: ['client'],
	nodes: ['client'],
	// Import nothing, because the simulator tests all other folders. A signature verified by the code that created it
	// proves nothing.
	simulator: [],
	testbed: ['simulator', 'dist'],
	bench: ['simulator', 'testbed', 'dist'],
	demo: ['simulator', 'testbed', 'dist'],
	probe: ['simulator', 'testbed', 'dist'],
	mutation: ['settings'],
	scripts: ['simulator', 'testbed', 'dist', ...published],
	test: ['simulator', 'testbed', 'probe', 'scripts', 'dist', 'settings', ...published],
};

/** Folders in the resource node that each of them is allowed to import, besides client/ and nodes/shared/. */
const rooms = {
	fields: [],
	operation: ['fields'],
	resources: ['operation', 'fields'],
	lookup: ['resources', 'operation', 'fields'],
	run: ['lookup', 'resources', 'operation', 'fields'],
	editor: ['lookup', 'resources', 'operation', 'fields'],
};
const roomRules = Object.entries(rooms).map(([room, others]) => ({
	name: `arrows-of-${room}`,
	comment: `nodes/PortalIo/${room}/ may import of the other rooms ${others.join(', ') || 'none'}`,
	severity: 'error',
	from: { path: `^nodes/PortalIo/${room}/` },
	to: { path: '^nodes/PortalIo/', pathNot: `^nodes/PortalIo/(${[room, ...others].join('|')})/` },
}));

/** Folders that only a developer runs. */
const inDev = ['simulator', 'testbed', 'bench', 'demo', 'probe', 'mutation', 'scripts'];
const pathOf = (folder) => (inDev.includes(folder) ? `dev/${folder}` : folder);
const within = (folders) => `^(${folders.map(pathOf).join('|')})/`;
// Match anywhere in the path, because the first part can be a link, and the second might not be built yet.
const packages = '(^|/)node_modules/';
const build = '(^|/)dist/';
const special = { dist: build, settings: '^(dev/)?[^/]+[.]config[.]mts$' };

const folderRules = Object.entries(arrows).map(([folder, others]) => ({
	name: `arrows-of-${folder}`,
	comment: `${folder}/ may import packages and ${[folder, ...others].join(', ')}, and nothing else`,
	severity: 'error',
	from: { path: within([folder]) },
	to: {
		dependencyTypesNot: ['core'],
		pathNot: [
			within([folder, ...others]),
			packages,
			...others.flatMap((other) => special[other] ?? []),
		],
	},
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	forbidden: [
		...folderRules,
		...roomRules,
		{
			name: 'arrows-of-a-new-folder',
			comment:
				'Say in dev/.dependency-cruiser.mjs and docs/dev/architecture.md what this folder may import',
			severity: 'error',
			from: { path: '/', pathNot: [within(Object.keys(arrows)), packages, build, '^dev/[^/]+$'] },
			to: {},
		},
		{
			name: 'no-cycle',
			comment: 'Neither file can be read or tested without the other; imports of types count too',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'published-imports',
			comment: 'Published code may import n8n-workflow, node:crypto and itself, and nothing else',
			severity: 'error',
			from: { path: within(published) },
			to: { pathNot: [within(published), `${packages}n8n-workflow/`, '^(node:)?crypto$'] },
		},
		{
			name: 'separate-nodes',
			comment: 'What several nodes use belongs in nodes/shared/, which imports no node',
			severity: 'error',
			from: { path: '^nodes/([^/]+)/' },
			to: { path: '^nodes/', pathNot: '^nodes/($1|shared)/' },
		},
		{
			name: 'no-missing-file',
			comment: 'Nothing is there under this name',
			severity: 'error',
			from: {},
			to: { couldNotResolve: true, pathNot: build },
		},
	],
	options: {
		doNotFollow: { path: ['node_modules', build, '(^|/)(coverage|release)/'] },
		tsPreCompilationDeps: true,
		enhancedResolveOptions: {
			extensions: ['.ts', '.mts', '.mjs', '.js', '.json'],
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'default'],
		},
		// Names that these files use for the function returned by createRequire.
		exoticRequireStrings: ['load'],
	},
};
