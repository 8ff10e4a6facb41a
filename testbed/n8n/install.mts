/**
 * Installs the real n8n that the demo and the end-to-end tests run, in `testbed/installation/node_modules`, when it
 * is missing or when its lock file has changed.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, pathWithNode, run } from '../commands.mts';
import { installationFolder } from '../paths.mts';
import { startProgress } from '../progress.mts';

/** How to install n8n. */
export interface InstallOptions {
	signal?: AbortSignal;
	/** Is told what the installation is busy with. */
	note?: (text: string) => void;
}

// Written last, so that an installation that was cut short is done again.
const stampFile = join(installationFolder, 'node_modules', '.installed-from-lock');

/** Installs n8n unless the lock file's very n8n is there; answers whether it had to. */
export async function installN8n({ signal, note }: InstallOptions = {}): Promise<boolean> {
	const stamp = await lockHash();
	if ((await readStamp()) === stamp) return false;
	note?.('2.2 GB, once; takes some minutes');
	// No install scripts: of all of them n8n needs only the one that compiles SQLite, and one that
	// it does not need (the Kafka client's) does not build everywhere.
	await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
		cwd: installationFolder,
		signal,
	});
	note?.('compiling SQLite, about a minute');
	await compileSqlite(installationFolder, { signal });
	await writeFile(stampFile, stamp);
	note?.('');
	return true;
}

/** Compiles n8n's driver for SQLite among the packages of a folder, for a Node if one is given. */
export async function compileSqlite(
	cwd: string,
	{ node, signal }: { node?: string; signal?: AbortSignal } = {},
): Promise<void> {
	try {
		await run('npm', ['rebuild', 'sqlite3'], { cwd, env: { PATH: pathWithNode(node) }, signal });
	} catch (error) {
		if (!(error instanceof CommandError)) throw error;
		throw new Error(
			`SQLite could not be compiled for n8n. It needs Python and a C++ compiler; on Debian and Ubuntu:\n  apt-get install python3 make g++\n\n${error.message}`,
			{ cause: error },
		);
	}
}

async function lockHash(): Promise<string> {
	const lock = await readFile(join(installationFolder, 'package-lock.json'));
	return createHash('sha256').update(lock).digest('hex');
}

async function readStamp(): Promise<string | undefined> {
	return await readFile(stampFile, 'utf8').catch(() => undefined);
}

// Run by itself it only installs: `npm test` does so before anything waits for it.
if (import.meta.main) {
	await startProgress()("Install n8n's own packages", (note) => installN8n({ note }));
}
