/** The changelog and the workflows that publish the package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { changelogProblems } from './manifest.mts';

const root = new URL('../../../', import.meta.url).pathname;
const read = async (file: string) => await readFile(join(root, file), 'utf8');

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
