/** Starts n8n in its own process and folder, and ends it without leaving a trace. */
import axios from 'axios';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { pathWithNode, startGroup, untilReady } from '../processGroup.mts';
import { compileCacheFolder, installationFolder } from '../paths.mts';
import { freePort } from '../ports.mts';

/** Role of an n8n process: everything (with the editor), webhooks, or executions. */
export type N8nRole = 'start' | 'webhook' | 'worker';

export interface Installation {
	command: string;
	node: string;
}

export interface N8nProcessOptions {
	/** Program of n8n. Defaults to the demo's n8n with the Node that runs this file. */
	installation?: Installation;
	/** Folder for all of n8n's data and the files that its workflows write. */
	folder: string;
	port?: number;
	signal?: AbortSignal;
	role?: N8nRole;
	/** Folder in which workflows can read and write files. Defaults to a folder in `folder`. */
	filesFolder?: string;
	/** Settings in addition to those that every n8n gets here. */
	settings?: Record<string, string>;
}

export type N8nProcess = Awaited<ReturnType<typeof startN8nProcess>>;

export const commandIn = (folder: string) => join(folder, 'node_modules', 'n8n', 'bin', 'n8n');

/** Settings that keep n8n from starting the process that runs Code steps, for workflows without such steps. */
export const withoutCode = {
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: randomBytes(24).toString('hex'),
};

/**
 * Settings that omit modules that no test uses. Otherwise, these modules would take processor time at each start. By
 * default, n8n also compiles its expression sandbox for each execution, which takes as long as the execution itself.
 */
export const lean = {
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_DISABLED_MODULES:
		'agents,chat-hub,dynamic-credentials,external-secrets,insights,instance-ai,instance-version-history,ldap,log-streaming,mcp,mcp-registry,n8n-packages,oauth-jwe,oauth-server,otel,provisioning,quick-connect,source-control,sso-oidc,sso-saml,token-exchange,workflow-builder,workflow-reviews',
};

/**
 * Settings that omit the editor. When n8n starts, the editor takes 3 of the 8 seconds of processor time, because n8n
 * copies all of its files and writes the descriptions of all nodes.
 */
export const withoutEditor = { N8N_DISABLE_UI: 'true' };

/** Only folder in the home folder in which n8n lets workflows write by default. */
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
	// Don't use /healthz, because it responds before the database and the editor's API are available.
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
		/** Ends n8n without warning, as a power cut would. */
		kill: group.kill,
	};
}

/**
 * Links n8n's default folder, where the examples expect the files, to the folder for files. The default folder is
 * relative to the folder in which n8n was started, and is hidden, so people would not find files there.
 */
async function linkFiles(folder: string, filesFolder: string): Promise<void> {
	const link = join(folder, defaultFilesFolder);
	if (!existsSync(link)) await symlink(await realpath(filesFolder), link);
}

const settings = parseEnv(readFileSync(new URL('n8n.env', import.meta.url), 'utf8'));

/** Returns the environment of an isolated n8n: `n8n.env`, and values that depend on the machine. */
async function processEnvironment(folder: string, filesFolder: string, port: number) {
	const inherited = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'USER'].filter((name) => process.env[name]);
	return {
		...settings,
		...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
		PATH: pathWithNode(),
		// Reuse code that an earlier n8n process compiled.
		NODE_COMPILE_CACHE: compileCacheFolder,
		N8N_USER_FOLDER: folder,
		// Store uploads in progress in n8n's folder, so they are removed with the folder.
		TMPDIR: folder,
		N8N_PORT: String(port),
		QUEUE_HEALTH_CHECK_PORT: String(port),
		// Use another port, because several n8n instances on one machine would compete for the broker's default port.
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
		// Resolve symbolic links, because n8n compares real paths.
		N8N_RESTRICT_FILE_ACCESS_TO: await realpath(filesFolder),
		// Use the local time zone in the editor. n8n's default is New York.
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
