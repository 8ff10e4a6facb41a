/** Builds this package and installs it in an n8n, as n8n installs community packages. */
import { cp, glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../processGroup.mts';
import { root } from '../paths.mts';

export async function buildPackage(signal?: AbortSignal): Promise<void> {
	await run('npm', ['run', '--silent', 'build'], { cwd: root, signal });
}

/**
 * Installs the built package in `<user folder>/.n8n/nodes`, where n8n finds it when it starts. Writes the files that
 * package.json publishes and an entry in the ledger, as n8n's CommunityPackagesService.downloadPackage does. The
 * package has no run-time dependencies.
 */
export async function installPackage(userFolder: string): Promise<void> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const description = await readFile(join(root, 'package.json'), 'utf8');
	const { name, version, files } = JSON.parse(description);
	// Don't use `npm pack`, which takes a second of processor time.
	for await (const file of glob(['package.json', ...files], { cwd: root })) {
		await cp(join(root, file), join(nodesFolder, 'node_modules', name, file));
	}
	const ledger = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	await writeFile(join(nodesFolder, 'package.json'), JSON.stringify(ledger));
}
