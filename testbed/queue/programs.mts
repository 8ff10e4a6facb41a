/** Finds the programs of PostgreSQL and Redis, as Debian's packages install them. */
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Where the programs are. */
export interface Programs {
	initdb: string;
	postgres: string;
	psql: string;
	redis: string;
}

/** Debian keeps the servers of PostgreSQL off the PATH, a folder for each version. */
const debianFolders = '/usr/lib/postgresql/*/bin';

/** Finds the programs, or throws an error that says which packages to install. */
export function findPrograms(): Programs {
	const searched = [
		...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
		...globSync(debianFolders).sort(newestFirst),
	];
	const find = (name: string) => searched.map((folder) => join(folder, name)).find(isProgram);
	const [initdb, postgres, psql, redis] = ['initdb', 'postgres', 'psql', 'redis-server'].map(find);
	const packages = [
		...(initdb && postgres && psql ? [] : ['postgresql']),
		...(redis ? [] : ['redis-server']),
	];
	if (initdb && postgres && psql && redis) return { initdb, postgres, psql, redis };
	throw new Error(
		`n8n's queue mode needs PostgreSQL and Redis. Missing here; on Debian and Ubuntu:\n` +
			`  apt-get install --no-install-recommends ${packages.join(' ')}`,
	);
}

function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

function newestFirst(one: string, other: string): number {
	const version = (folder: string) => Number(dirname(folder).split('/').at(-1));
	return version(other) - version(one);
}
