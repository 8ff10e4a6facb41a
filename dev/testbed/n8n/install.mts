/** Installs n8n with npm: the lock file's version, or any other version in its own folder. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathWithNode, run } from '../processGroup.mts';
import { installationFolder, root } from '../paths.mts';
import { reportStep, type Step } from '../progress.mts';
import { isRunning } from '../tempFolder.mts';
import { commandIn, type Installation } from './process.mts';

interface InstallOptions {
	signal?: AbortSignal;
	note?: (text: string) => void;
}

// Stamp of a complete installation. It is written last, so that an interrupted installation is repeated.
const stampFile = join(installationFolder, 'node_modules', '.installed-from-lock');
// Lock of the installation, which contains the ID of the installing process.
const installerFile = join(installationFolder, 'installer.log');

/**
 * Installs the n8n version in the lock file unless it is already installed. If another process is installing it, waits
 * for that process.
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
	note?.('2.2 GB, only once, about a minute');
	// Remove the file instead of overwriting it, because a copy of this folder can contain a hard link to it.
	await rm(stampFile, { force: true });
	// Run no install scripts here. n8n needs only the script that compiles SQLite, which is run below. The Kafka
	// client's script, which n8n does not need, fails on some machines.
	await run('node', [join(root, 'dev/scripts/packages.mjs'), '--ignore-scripts'], {
		cwd: installationFolder,
		signal,
	});
	note?.('compiling SQLite, half a minute');
	await compileSqlite(installationFolder, { signal });
	await writeFile(stampFile, stamp);
	note?.('');
}

async function compileSqlite(
	cwd: string,
	{ node, signal }: { node?: string; signal?: AbortSignal } = {},
): Promise<void> {
	// Compile without full optimization, because these databases are small and full optimization would take three times
	// as long.
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

/** Version of linkedom that works. Newer releases need a package that the registry might lack. */
const linkedom = '0.18.12';

/** Installs a version of n8n, or the newest in a range, and a Node for it. Takes minutes and 2 GB. */
export async function installVersion(
	wanted: string,
	{ folder, step, node: nodeVersion }: { folder: string; step: Step; node?: string },
): Promise<Installation> {
	const view = async (name: string, what: string) =>
		JSON.parse(await run('npm', ['view', name, what, '--json'], { cwd: folder }));
	const n8n: string = [await view(`n8n@${wanted}`, 'version')].flat().at(-1);
	const before = dayAfterRelease(await view('n8n', 'time'), n8n);
	const node = nodeVersion ? await installNode(nodeVersion, folder, step) : process.execPath;
	await step(`Install n8n ${n8n}`, async () => {
		const options = [`--before=${before}`, '--ignore-scripts'];
		await npmInstall(folder, { dependencies: { n8n }, overrides: { linkedom } }, options);
	});
	await step('Compile SQLite', () => compileSqlite(folder, { node }));
	return { command: commandIn(folder), node };
}

/**
 * Returns the time 24 hours after a version's release, because later versions of its dependencies might not match.
 * Throws if the version is unknown.
 */
export function dayAfterRelease(times: Record<string, string>, version: string): string {
	const published = times[version];
	if (published === undefined) throw new Error(`npm has no n8n ${version}`);
	return new Date(Date.parse(published) + 24 * 3600_000).toISOString();
}

/** Installs a Node from npm's package `node`. Returns its path. */
async function installNode(version: string, folder: string, step: Step): Promise<string> {
	const place = join(folder, 'node');
	await mkdir(place, { recursive: true });
	await step(`Install Node ${version}`, () =>
		npmInstall(place, { dependencies: { node: version } }),
	);
	return join(place, 'node_modules', 'node', 'bin', 'node');
}

async function npmInstall(cwd: string, manifest: object, options: string[] = []): Promise<void> {
	await writeFile(join(cwd, 'package.json'), JSON.stringify({ private: true, ...manifest }));
	// Ignore peer dependencies, because npm would try all versions for ten minutes.
	const common = ['install', '--omit=dev', '--legacy-peer-deps', '--no-audit', '--no-fund'];
	await run('npm', [...common, ...options], { cwd });
}

// When run directly, only install. `npm test` does so while lint and the tests without n8n run.
if (import.meta.main) {
	await reportStep("Install n8n's own packages", (note) => installN8n({ note }));
}
