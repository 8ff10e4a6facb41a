/** Builds this package and installs it in an n8n as n8n itself installs community packages. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../processGroup.mts';
import { root } from '../paths.mts';

/** Builds the package from its sources. */
export async function buildPackage(signal?: AbortSignal): Promise<void> {
	await run('npm', ['run', '--silent', 'build'], { cwd: root, signal });
}

/**
 * Installs the built package in `<user folder>/.n8n/nodes`, where n8n finds it when it starts.
 *
 * It follows n8n's own CommunityPackagesService.downloadPackage step by step (pack, unpack, strip,
 * install, note in the ledger), only that the package is packed from here rather than fetched from
 * a registry: what n8n strips or leaves out in production is missing here too.
 */
export async function installPackage(userFolder: string, signal?: AbortSignal): Promise<string> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const { name, version } = await readJson(join(root, 'package.json'));
	const packageFolder = join(nodesFolder, 'node_modules', name);
	await mkdir(packageFolder, { recursive: true });

	const packed = await run(
		'npm',
		// No scripts: `prepublishOnly` and its like run the tests, which run this.
		['pack', root, '--quiet', '--ignore-scripts', '--pack-destination', nodesFolder],
		{ cwd: nodesFolder, signal },
	);
	const tarball = join(nodesFolder, packed.trim());
	await run('tar', ['-xzf', tarball, '-C', packageFolder, '--strip-components=1'], {
		cwd: nodesFolder,
		signal,
	});
	await rm(tarball);

	const manifestFile = join(packageFolder, 'package.json');
	const manifest = await readJson(manifestFile);
	delete manifest.devDependencies;
	delete manifest.peerDependencies;
	delete manifest.optionalDependencies;
	await writeJson(manifestFile, manifest);
	await run(
		'npm',
		[
			'install',
			'--audit=false',
			'--fund=false',
			'--bin-links=false',
			'--install-strategy=shallow',
			'--ignore-scripts=true',
			'--package-lock=false',
			// The package has no dependencies at run time; should one slip in, this fails.
			'--offline',
		],
		{ cwd: packageFolder, signal },
	);
	await writeJson(join(nodesFolder, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [name]: version },
	});
	return `${name} ${version}`;
}

async function readJson(file: string) {
	return JSON.parse(await readFile(file, 'utf8'));
}

async function writeJson(file: string, content: unknown) {
	await writeFile(file, JSON.stringify(content, null, 2));
}
