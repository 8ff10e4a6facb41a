/**
 * `npm run docs`: writes what comes from the declarations into the README, `docs/reliability.md`,
 * `docs/operations/` and the output schemas of the nodes, so that nobody has to maintain it by hand.
 * With `--check` it writes nothing and fails when that was forgotten.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Declarations } from './declared.mts';
import { OWNED_FOLDERS, writtenFiles, type TriggerShapes } from './writtenFiles.mts';

const root = new URL('../..', import.meta.url).pathname;
const load = createRequire(import.meta.url);
const declarations = {
	...load('../../dist/nodes/PortalIo/resources/index.js'),
	...load('../../dist/nodes/PortalIo/shared/operation.js'),
	...load('../../dist/nodes/PortalIo/shared/output.js'),
	...load('../../dist/nodes/PortalIo/requestOptions.js'),
	...load('../../dist/nodes/PortalIoTrigger/output.js'),
	...load('../../dist/nodes/PortalIoPollingTrigger/items.js'),
} as Declarations & TriggerShapes;

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = await writtenFiles(declarations, read);

if (process.argv.includes('--check')) {
	const present = OWNED_FOLDERS.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.(md|json)$/.test(file))
			.map((file) => join(folder, file)),
	);
	const stale = [
		...[...files].filter(([file, text]) => !existsSync(join(root, file)) || read(file) !== text),
		...present.filter((file) => !files.has(file)).map((file) => [file]),
	].map(([file]) => file);
	if (stale.length > 0) {
		console.error(`Run \`npm run docs\`: ${stale.join(', ')}`);
		process.exitCode = 1;
	}
} else {
	for (const folder of OWNED_FOLDERS) rmSync(join(root, folder), { recursive: true, force: true });
	for (const [file, text] of files) {
		// The build that this was made from gets its schemas too.
		const isPublished = file.startsWith('nodes/');
		for (const target of isPublished ? [file, join('dist', file)] : [file]) {
			mkdirSync(dirname(join(root, target)), { recursive: true });
			writeFileSync(join(root, target), text);
		}
	}
}
