/** Finds a Redis, which n8n's queue mode needs. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { installationFolder, programsFolder } from '../paths.mts';
import { unpackDebianPackage } from './debian.mts';
import { MissingProgram, asItIs, firstThatRuns, installed, makeOnce } from './find.mts';
import type { Program } from './find.mts';

const debianFolder = join(programsFolder, 'redis');

/**
 * The machine's Redis; otherwise npm's, which exists for Linux on x64; otherwise that of Debian or
 * Ubuntu.
 */
export async function findRedis(): Promise<Program> {
	const candidates = [...installed(['redis-server']), ...packaged(), ...unpacked()];
	const found = firstThatRuns(candidates) ?? (await fetched());
	if (found) return found;
	throw missing();
}

/** The package that npm has installed for this system, if any (dev/testbed/installation/package.json). */
function packaged(): Program[] {
	return globSync(join(installationFolder, 'node_modules/@falkordblite/*/bin/redis-server')).map(
		asItIs,
	);
}

/** What has been unpacked of Debian's packages, with the libraries that came along. */
function unpacked(): Program[] {
	const libraries = globSync(join(debianFolder, '{usr/,}lib/*-linux-gnu*'));
	return globSync(join(debianFolder, 'usr/bin/redis-server')).map((file) => ({
		file,
		env: { LD_LIBRARY_PATH: libraries.join(':') },
	}));
}

async function fetched(): Promise<Program | undefined> {
	if (!existsSync('/etc/debian_version')) return undefined;
	try {
		await makeOnce(debianFolder, (folder) => unpackDebianPackage('redis-server', folder));
	} catch (error) {
		throw missing(error);
	}
	return firstThatRuns(unpacked());
}

const missing = (cause?: unknown) =>
	new MissingProgram(
		'Redis',
		'Install it: `apt-get install redis-server`, `dnf install redis` or `brew install redis`.',
		cause,
	);
