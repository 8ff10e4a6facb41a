/** Packages of Debian and Ubuntu, used without installing them. */
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './processGroup.mts';

/**
 * Unpacks a package into a folder, with everything that it depends on and the machine lacks. Needs no
 * rights, changes nothing on the machine, and starts no service, which an installation would do.
 */
export async function unpackDebianPackage(name: string, folder: string): Promise<void> {
	const cwd = await mkdtemp(join(tmpdir(), 'n8n-portal-io-apt-'));
	const settings = {
		'Dir::State::Lists': join(cwd, 'lists'),
		'Dir::Cache': join(cwd, 'cache'),
		// Locks belong to root; nothing that they protect is written here.
		'Debug::NoLocking': 'true',
		// Otherwise root hands the download to a user that may not enter the folder.
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
