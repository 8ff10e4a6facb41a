/**
 * `npm run docs`: writes what comes from the declarations into the README, `docs/portal-api.md` and
 * `docs/operations/`, so that nobody has to maintain it by hand. With `--check` it writes nothing and
 * fails when that was forgotten.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { endpointTable } from './endpointTable.mts';
import { operationPages, operationTable, type Registry } from './operationPages.mts';

const root = new URL('../', import.meta.url);
const load = createRequire(import.meta.url);
const { registry } = load('../dist/nodes/PortalIo/resources/index.js') as { registry: Registry };

/** What has to stand in which file, by its path in the clone. */
function written(): Map<string, string> {
	const pages = Object.entries(operationPages(registry));
	return new Map([
		['README.md', withBlock('README.md', 'operations', operationTable(registry))],
		['docs/portal-api.md', withBlock('docs/portal-api.md', 'endpoints', endpointTable(registry))],
		...pages.map(([file, page]) => [`docs/operations/${file}`, page] as const),
	]);
}

/** A page with a table between the two comments that name it. */
function withBlock(file: string, name: string, table: string): string {
	const block = new RegExp(`(<!-- ${name}:[^]*?-->\\n)[^]*?(<!-- ${name} end -->)`);
	return readFileSync(new URL(file, root), 'utf8').replace(
		block,
		(_all, start, end) => `${start}${table}\n${end}`,
	);
}

const folder = new URL('docs/operations/', root);
if (process.argv.includes('--check')) {
	const files = written();
	const there = readdirSync(folder).map((file) => `docs/operations/${file}`);
	const stale = [...files, ...there.filter((file) => !files.has(file)).map((file) => [file, ''])]
		.filter(
			([file, text]) =>
				!existsSync(new URL(file!, root)) || readFileSync(new URL(file!, root), 'utf8') !== text,
		)
		.map(([file]) => file);
	if (stale.length > 0) {
		console.error(`Run \`npm run docs\`: ${stale.join(', ')}`);
		process.exitCode = 1;
	}
} else {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	for (const [file, text] of written()) writeFileSync(new URL(file, root), text);
}
