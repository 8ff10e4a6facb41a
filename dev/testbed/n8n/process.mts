/** Starts n8n as a process of its own, in a folder of its own, and ends it without a trace. */
import axios from 'axios';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { pathWithNode, startGroup, untilReady } from '../processGroup.mts';
import { compileCacheFolder, installationFolder } from '../paths.mts';
import { freePort } from '../ports.mts';

/** The role of a process of n8n: everything (with the editor), webhooks, or executions. */
export type N8nRole = 'start' | 'webhook' | 'worker';

export interface Installation {
	command: string;
	node: string;
}

export interface N8nProcessOptions {
	/** The n8n of the demo, under the Node that runs this file, when it is left out. */
	installation?: Installation;
	/** Where n8n keeps everything: its data, and the files that its workflows write. */
	folder: string;
	port?: number;
	signal?: AbortSignal;
	role?: N8nRole;
	/** Where n8n's workflows may read and write files; within the folder when it is left out. */
	filesFolder?: string;
	/** Settings beyond those that every n8n here has. */
	settings?: Record<string, string>;
}

export type N8nProcess = Awaited<ReturnType<typeof startN8nProcess>>;

export const commandIn = (folder: string) => join(folder, 'node_modules', 'n8n', 'bin', 'n8n');

/** Without the process that runs the code of Code steps, where no workflow has one. */
export const withoutCode = {
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: randomBytes(24).toString('hex'),
};

/**
 * Leaves out modules that no test uses, which take processor time at each start. n8n's default is to
 * compile what it evaluates expressions with for each execution, which takes as long as the execution
 * itself.
 */
export const lean = {
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_DISABLED_MODULES:
		'agents,chat-hub,dynamic-credentials,external-secrets,insights,instance-ai,instance-version-history,ldap,log-streaming,mcp,mcp-registry,n8n-packages,oauth-jwe,oauth-server,otel,provisioning,quick-connect,source-control,sso-oidc,sso-saml,token-exchange,workflow-builder,workflow-reviews',
};

/**
 * Without the editor, which takes 3 of the 8 seconds of processor that a start costs: n8n copies all
 * its files and writes the descriptions of all nodes.
 */
export const withoutEditor = { N8N_DISABLE_UI: 'true' };

/** The only folder in which n8n lets workflows write by default, within the home folder. */
export const defaultFilesFolder = '.n8n-files';

export async function startN8nProcess(options: N8nProcessOptions) {
	const { signal, role = 'start', installation } = options;
	const { command = commandIn(installationFolder), node = process.execPath } = installation ?? {};
	signal?.throwIfAborted();
	const port = options.port ?? (await freePort());
	const filesFolder = options.filesFolder ?? join(options.folder, 'files');
	await mkdir(filesFolder, { recursive: true });
	await linkFiles(options.folder, filesFolder);
	const url = `http://127.0.0.1:${port}`;
	const logFile = join(options.folder, 'n8n.log');
	const group = startGroup(node, [command, role], {
		cwd: options.folder,
		env: {
			...(await processEnvironment(options.folder, filesFolder, port)),
			PATH: pathWithNode(node),
			...options.settings,
		},
		logFile,
	});
	// /healthz answers before the database and the editor's interface are there.
	const hasEditor = role === 'start' && options.settings?.N8N_DISABLE_UI !== 'true';
	const signs = ['/healthz/readiness', ...(hasEditor ? ['/rest/settings'] : [])];
	const isReady = async () =>
		(await Promise.all(signs.map((path) => answers(url + path)))).every(Boolean);
	await untilReady(`n8n (${role})`, group, isReady, logFile, signal);
	return {
		pid: group.pid,
		url,
		filesFolder,
		logs: () => readFileSync(logFile, 'utf8'),
		ended: group.ended,
		isRunning: group.isRunning,
		stop: () => group.end(30_000),
		/** Ends it without a warning, as a power cut would. */
		kill: group.kill,
	};
}

/**
 * Puts the files where the examples expect them, as they are imported: in the folder of n8n's
 * default, seen from where n8n was started. The person who looks for them finds no hidden folder.
 */
async function linkFiles(folder: string, filesFolder: string): Promise<void> {
	const link = join(folder, defaultFilesFolder);
	if (!existsSync(link)) await symlink(await realpath(filesFolder), link);
}

const settings = parseEnv(readFileSync(new URL('n8n.env', import.meta.url), 'utf8'));

/** The environment of an n8n that keeps to itself: `n8n.env`, and what depends on the machine. */
async function processEnvironment(folder: string, filesFolder: string, port: number) {
	const inherited = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'USER'].filter((name) => process.env[name]);
	return {
		...settings,
		...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
		PATH: pathWithNode(),
		// Each n8n reuses what an earlier one has compiled.
		NODE_COMPILE_CACHE: compileCacheFolder,
		N8N_USER_FOLDER: folder,
		// For uploads on their way; it goes with the folder.
		TMPDIR: folder,
		N8N_PORT: String(port),
		QUEUE_HEALTH_CHECK_PORT: String(port),
		// Two n8n on one machine would fight over the broker's default port.
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
		// n8n compares with the real path, so a clone behind a symbolic link has to be resolved.
		N8N_RESTRICT_FILE_ACCESS_TO: await realpath(filesFolder),
		// n8n's own default is New York; the times in its editor should be those on the wall.
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
	};
}

async function answers(url: string): Promise<boolean> {
	try {
		const { status } = await axios.get(url, { timeout: 5_000, validateStatus: () => true });
		return status === 200;
	} catch {
		return false;
	}
}
