/** The workflow files of GitHub. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../testbed/paths.mts';

const files = globSync('.github/workflows/*.yml', { cwd: root });

it('there are workflows', () => expect(files.length).toBeGreaterThan(1));

describe.each(files)('%s', (file) => {
	const text = readFileSync(join(root, file), 'utf8');

	it('pins each action by its commit, and says which version that is', () => {
		const actions = text.match(/uses:.*/g) ?? [];
		expect(actions.length).toBeGreaterThan(0);
		for (const action of actions) {
			expect(action).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
		}
	});

	it('gives its jobs no more than reading the repository, unless they ask for it', () => {
		expect(parse(text).permissions).toEqual({ contents: 'read' });
	});
});
