/** Builds this package and installs it in an n8n as n8n itself installs community packages. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../processGroup.mts';
import { root } from '../paths.mts';

export async function buildPackage(signal?: AbortSignal): Promise<void> {
	await run('npm', ['run', '--silent', 'build'], { cwd: root, signal });
}

/**
 * Installs the built package in `<user folder>/.n8n/nodes`, where n8n finds it when it starts: packed,
 * unpacked and noted in the ledger, as n8n's own CommunityPackagesService.downloadPackage does it with
 * what it fetches from a registry. It has no dependencies at run time, so there is no more to install.
 */
export async function installPackage(userFolder: string, signal?: AbortSignal): Promise<void> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	const packageFolder = join(nodesFolder, 'node_modules', name);
	await mkdir(packageFolder, { recursive: true });
	const options = { cwd: nodesFolder, signal };
	// No scripts: `prepublishOnly` and its like run the tests, which run this.
	const packed = await run('npm', ['pack', root, '--quiet', '--ignore-scripts'], options);
	const tarball = packed.trim();
	await run('tar', ['-xzf', tarball, '-C', packageFolder, '--strip-components=1'], options);
	await rm(join(nodesFolder, tarball));
	const ledger = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	await writeFile(join(nodesFolder, 'package.json'), JSON.stringify(ledger));
}
