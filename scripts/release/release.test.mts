/** What `npm run release:check` looks at, and that it sees what is wrong. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { changelogProblems } from './manifest.mts';
import { scan, scannedFiles } from './scan.mts';
import { contentProblems } from './tarball.mts';

const root = new URL('../../', import.meta.url).pathname;
const read = async (file: string) => await readFile(join(root, file), 'utf8');

describe('the content of the package', () => {
	const files = [
		'CHANGELOG.md',
		'LICENSE',
		'README.md',
		'dist/credentials/PortalIoApi.credentials.js',
		'dist/icons/portalIo.dark.svg',
		'dist/nodes/PortalIo/PortalIo.node.js',
		'dist/nodes/PortalIo/PortalIo.node.json',
		'dist/nodes/PortalIo/resources/area/create.js',
		'dist/client/http/request.js',
		'package.json',
	];

	it('is what n8n loads and what people read', () =>
		expect(contentProblems({ files, size: 80_000 })).toEqual([]));

	it.each([
		'dist/nodes/PortalIo/PortalIo.node.d.ts',
		'dist/client/http/request.js.map',
		'dist/test/unit/signature.test.js',
		'dist/tsconfig.tsbuildinfo',
		'.env',
		'examples/proposal-accepted.json',
		'nodes/PortalIo/PortalIo.node.ts',
	])('is not %s', (file) =>
		expect(contentProblems({ files: [...files, file], size: 1 })).toEqual([
			expect.stringContaining(file),
		]),
	);

	it('holds README, LICENSE and CHANGELOG, and is small', () => {
		expect(contentProblems({ files: files.slice(3), size: 1 })).toHaveLength(3);
		expect(contentProblems({ files, size: 1_000_000 })).toHaveLength(1);
	});
});

describe('the changelog', () => {
	const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-21\n\n### Added\n';
	const released = changelog.replace('## [Unreleased]\n\n', '');

	it('may collect changes until a release, and has to begin with the release then', () => {
		expect(changelogProblems(changelog, '1.2.0')).toEqual([]);
		expect(changelogProblems(changelog, '1.2.0', '1.2.0')).toHaveLength(1);
		expect(changelogProblems(released, '1.2.0', '1.2.0')).toEqual([]);
		expect(changelogProblems(released, '1.2.0', '1.2.1')).toHaveLength(1);
		expect(changelogProblems(released, '1.3.0')).toHaveLength(1);
	});

	it.each([
		['## 1.2.0', 2],
		['## [1.2.0] - 21 November 2026', 1],
		['## [Unreleased]\n\n### Improvements', 1],
	])('has the form of Keep a Changelog: not %j', (text, count) =>
		expect(changelogProblems(text, '1.2.0')).toHaveLength(count),
	);

	it('of this package has it', async () => {
		const { version } = JSON.parse(await read('package.json')) as { version: string };
		expect(changelogProblems(await read('CHANGELOG.md'), version)).toEqual([]);
	});
});

describe("n8n's package scan", () => {
	let folder: string;
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'scan-'));
		for (const part of ['package.json', 'credentials', 'nodes', 'icons', 'client']) {
			await cp(join(root, part), join(folder, part), { recursive: true });
		}
	});
	afterEach(() => rm(folder, { recursive: true }));

	it('finds nothing in the source', async () =>
		expect(await scan(folder, scannedFiles.source)).toEqual([]));

	it('sees what n8n forbids, whatever a comment says', async () => {
		const node = join(folder, 'nodes/PortalIo/PortalIo.node.ts');
		const forbidden = [
			"import { readFileSync } from 'node:fs';",
			"console.log(readFileSync('x'));",
			'// eslint-disable-next-line',
			'setTimeout(() => {}, 1);',
		];
		await writeFile(node, forbidden.join('\n') + (await readFile(node, 'utf8')));
		const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
		manifest.dependencies = { axios: '^1.0.0' };
		await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
		const found = (await scan(folder, scannedFiles.source)).join('\n');
		for (const word of [/node:fs/, /console/, /setTimeout/, /dependenc/]) {
			expect(found).toMatch(word);
		}
	});
});

describe('the workflows of GitHub Actions', () => {
	interface Workflow {
		on: { push: { tags?: string[] } };
		permissions: Record<string, string>;
		jobs: Record<
			string,
			{ permissions?: Record<string, string>; steps: { uses?: string; run?: string }[] }
		>;
	}
	const workflow = async (name: string) =>
		parse(await read(`.github/workflows/${name}.yml`)) as Workflow;

	it('pin actions, and may write only what they have to', async () => {
		for (const name of ['ci', 'publish']) {
			const { jobs, permissions } = await workflow(name);
			expect(permissions).toEqual({ contents: 'read' });
			for (const { uses } of Object.values(jobs).flatMap(({ steps }) => steps)) {
				if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
			}
		}
	});

	it('publish with provenance what was tested and checked', async () => {
		const { on, jobs } = await workflow('publish');
		expect(on.push.tags).toContain('[0-9]+.[0-9]+.[0-9]+');
		expect(jobs.publish!.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
		const commands = jobs.publish!.steps.map(({ run = '' }) => run).join('\n');
		const order = ['.ci/run', 'release:check -- --tag', 'npm publish ./release/*.tgz --provenance'];
		const places = order.map((one) => commands.indexOf(one));
		expect(places.every((place) => place >= 0)).toBe(true);
		expect(places).toEqual(places.toSorted((one, other) => one - other));
	});
});
