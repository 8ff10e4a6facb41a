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

describe('the probe', () => {
	const text = readFileSync(join(root, '.github/workflows/probe.yml'), 'utf8');
	interface Step {
		if?: string;
		run?: string;
		uses?: string;
		env?: Record<string, string>;
	}
	const { on, jobs } = parse(text) as {
		on: object;
		jobs: Record<string, { permissions: object; steps: Step[] }>;
	};
	const keys = ['APP_KEY', 'SECRET_KEY', 'USERNAME', 'PASSWORD'].map((name) => `PORTAL_IO_${name}`);

	it('runs every night and on demand, never for a pull request', () => {
		expect(Object.keys(on)).toEqual(['schedule', 'workflow_dispatch']);
	});

	it('gives the keys to the two steps that need them, in their environment alone', () => {
		const uses = [...text.matchAll(/^\s*(\w+): \$\{\{ secrets\.(\w+) \}\}$/gm)];
		expect(uses).toHaveLength(text.match(/\bsecrets\.\w/g)!.length);
		expect(uses.map(([, name]) => name)).toEqual([...keys, ...keys]);
		expect(uses.map(([, , secret]) => secret)).toEqual([...keys, ...keys]);
		const [look, ...others] = jobs.probe!.steps;
		expect(Object.keys(look!.env!)).toEqual(keys);
		for (const step of others) expect(step.if).toBe("steps.keys.outputs.present == 'true'");
		const asking = others.filter(({ env = {} }) => keys[0]! in env);
		expect(asking.map(({ run }) => /npm run probe -- (?!.*PORTAL_IO)/.test(run!))).toEqual([true]);
	});

	it('writes issues in a job that runs nothing of the repository', () => {
		expect(jobs.issue!.permissions).toEqual({ issues: 'write' });
		expect(jobs.probe!.permissions).toEqual({ contents: 'read', actions: 'read' });
		for (const { run = '', uses = '' } of jobs.issue!.steps) {
			expect(uses).not.toContain('checkout');
			expect(run).not.toMatch(/\b(npm|npx|node)\b/);
			// What a report says must not become part of a script.
			expect(run).not.toContain('${{');
		}
	});
});

describe('the form for a report of the probe', () => {
	const form = parse(readFileSync(join(root, '.github/ISSUE_TEMPLATE/probe-report.yml'), 'utf8'));

	it('has what GitHub wants of a form', () => {
		expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
		const fields = form.body.filter(({ type }: { type: string }) => type !== 'markdown');
		const ids = fields.map(({ id }: { id: string }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		for (const { type, attributes } of fields) {
			expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
			expect(attributes.label.length).toBeGreaterThan(2);
		}
	});
});
