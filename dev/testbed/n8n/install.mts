/**
 * Installs the real n8n that the demo and the end-to-end tests run, in `dev/testbed/installation/node_modules`, when it
 * is missing or when its lock file has changed.
 */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathWithNode, run } from '../processGroup.mts';
import { installationFolder, root } from '../paths.mts';
import { startProgress } from '../progress.mts';
import { isRunning } from '../tempFolder.mts';

/** How to install n8n. */
export interface InstallOptions {
	signal?: AbortSignal;
	/** Is told what the installation is busy with. */
	note?: (text: string) => void;
}

// Written last, so that an installation that was cut short is done again.
const stampFile = join(installationFolder, 'node_modules', '.installed-from-lock');
// Holds the ID of the process that installs.
const installerFile = join(installationFolder, 'installer.log');

/**
 * Installs n8n unless the very n8n of the lock file is there. Waits for another process that installs
 * it already.
 */
export async function installN8n(options: InstallOptions = {}): Promise<void> {
	const lock = await readFile(join(installationFolder, 'package-lock.json'));
	const stamp = createHash('sha256').update(lock).digest('hex');
	while ((await readFile(stampFile, 'utf8').catch(() => '')) !== stamp) {
		const isFirst = await writeFile(installerFile, String(process.pid), { flag: 'wx' }).then(
			() => true,
			() => false,
		);
		if (isFirst) {
			await install(stamp, options).finally(() => rm(installerFile, { force: true }));
			return;
		}
		options.note?.('another command is installing it');
		await sleep(500, undefined, { signal: options.signal });
		const installer = Number(await readFile(installerFile, 'utf8').catch(() => ''));
		if (installer > 0 && !isRunning(installer)) await rm(installerFile, { force: true });
	}
}

async function install(stamp: string, { signal, note }: InstallOptions): Promise<void> {
	note?.('2.2 GB, once; about a minute');
	// No install scripts: of all of them n8n needs only the one that compiles SQLite, and one that
	// it does not need (the Kafka client's) does not build everywhere.
	await run('node', [join(root, 'dev/scripts/packages.mjs'), '--ignore-scripts'], {
		cwd: installationFolder,
		signal,
	});
	note?.('compiling SQLite, half a minute');
	await compileSqlite(installationFolder, { signal });
	await writeFile(stampFile, stamp);
	note?.('');
}

/** Compiles n8n's driver for SQLite among the packages of a folder, for a Node if one is given. */
export async function compileSqlite(
	cwd: string,
	{ node, signal }: { node?: string; signal?: AbortSignal } = {},
): Promise<void> {
	// To compile it fully optimized takes three times as long, and the databases here are small.
	const env = { PATH: pathWithNode(node), CFLAGS: '-O1', CXXFLAGS: '-O1' };
	try {
		await run('npm', ['rebuild', 'sqlite3'], { cwd, env, signal });
	} catch (error) {
		signal?.throwIfAborted();
		throw new Error(
			'SQLite could not be compiled for n8n. It needs Python and a C++ compiler; on Debian and Ubuntu:\n' +
				`  apt-get install python3 make g++\n\n${(error as Error).message}`,
			{ cause: error },
		);
	}
}

// Run by itself it only installs: `npm test` does so beside lint and the tests without n8n.
if (import.meta.main) {
	await startProgress()("Install n8n's own packages", (note) => installN8n({ note }));
}
