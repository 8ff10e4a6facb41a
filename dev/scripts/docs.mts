/**
 * `npm run docs`: writes what comes from the declarations into the README, `docs/dev/faults.md`,
 * `docs/operations/` and the output schemas of the nodes, so that nobody has to maintain it by hand.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Declarations } from './declared.mts';
import { OWNED_FOLDERS, writtenFiles } from './writtenFiles.mts';

const root = new URL('../..', import.meta.url).pathname;
const load = createRequire(import.meta.url);
const declarations = {
	...load('../../dist/nodes/PortalIo/resources/index.js'),
	...load('../../dist/nodes/PortalIo/operation/operation.js'),
	...load('../../dist/nodes/PortalIo/operation/output.js'),
	...load('../../dist/nodes/PortalIo/run/run.js'),
	...load('../../dist/nodes/PortalIoTrigger/events.js'),
	...load('../../dist/nodes/PortalIoPollingTrigger/events.js'),
} as Declarations;

const files = await writtenFiles(declarations, (file) => readFileSync(join(root, file), 'utf8'));
for (const folder of OWNED_FOLDERS) rmSync(join(root, folder), { recursive: true, force: true });
for (const [file, text] of files) {
	// The build that this was made from gets its schemas too.
	const isPublished = file.startsWith('nodes/');
	for (const target of isPublished ? [file, join('dist', file)] : [file]) {
		mkdirSync(dirname(join(root, target)), { recursive: true });
		writeFileSync(join(root, target), text);
	}
}
