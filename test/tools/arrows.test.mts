/** What `npm run lint` says about imports: see docs/architecture.md. */
import { execa } from 'execa';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../testbed/paths.mts';

/** Files of a made-up project, each with its only line and the rules that it breaks. */
const files: [file: string, line: string, rules: string[]][] = [
	// Within the arrows.
	['nodes/A/shared/fields.ts', "import '../../../client/send';", []],
	['nodes/A/request.ts', "import 'n8n-workflow'; import '../shared/labels';", []],
	['credentials/hash.ts', "import 'node:crypto'; import '../client/send';", []],
	['simulator/disk.mts', "import 'node:fs'; import 'axios';", []],
	['testbed/n8n.mts', "import '../simulator/start.mts'; load('../dist/nodes/A/A.js');", []],
	['demo/ok.mts', "import '../testbed/start.mts'; import '../simulator/start.mts';", []],
	['bench/ok.mts', "import '../testbed/start.mts'; load('../dist/client/send.js');", []],
	['probe/ok.mts', "import '../testbed/start.mts';", []],
	['scripts/ok.mts', "import type { A } from '../nodes/A/types';", []],
	['scripts/pages.test.mts', "import '../nodes/A/types';", []],
	['test/unit/ok.mts', "import '../../client/send'; import '../../testbed/start.mts';", []],
	['test/probe/ok.mts', "import '../../probe/start.mts';", []],
	['test/unit/settings.mts', "import '../../vitest.config.mts';", []],
	['settings.mts', "import 'axios'; import 'node:fs';", []],

	// client/ knows nothing of what uses it.
	['client/toNode.ts', "import '../nodes/A/fields';", ['arrows-of-client']],
	['client/toType.ts', "import type { A } from '../nodes/A/types';", ['arrows-of-client']],
	['client/toCredential.ts', "import '../credentials/Api';", ['arrows-of-client']],
	['credentials/toNode.ts', "import '../nodes/A/fields';", ['arrows-of-credentials']],
	['nodes/A/toCredential.ts', "import '../../credentials/Api';", ['arrows-of-nodes']],
	['nodes/A/toOther.ts', "import '../B/fields';", ['separate-nodes']],
	['nodes/shared/toNode.ts', "export * from '../A/fields';", ['separate-nodes']],

	// The simulator shares nothing with what it checks.
	['simulator/toClient.mts', "import '../client/send.ts';", ['arrows-of-simulator']],
	[
		'simulator/toType.mts',
		"import type { A } from '../nodes/A/types.ts';",
		['arrows-of-simulator'],
	],
	['simulator/lazily.mts', "await import('../credentials/Api.ts');", ['arrows-of-simulator']],
	['simulator/toBuild.mts', "load('../dist/client/send.js');", ['arrows-of-simulator']],
	['simulator/toTestbed.mts', "import '../testbed/start.mts';", ['arrows-of-simulator']],
	['simulator/toTest.mts', "import '../test/unit/data.mts';", ['arrows-of-simulator']],

	// The programs stand side by side on testbed/ and simulator/.
	['testbed/toDemo.mts', "import '../demo/start.mts';", ['arrows-of-testbed']],
	['testbed/toClient.mts', "import '../client/send.ts';", ['arrows-of-testbed']],
	['demo/toProbe.mts', "import '../probe/start.mts';", ['arrows-of-demo']],
	['demo/toTest.mts', "import '../test/unit/data.mts';", ['arrows-of-demo']],
	['demo/toNode.mts', "import '../nodes/A/fields.ts';", ['arrows-of-demo']],
	['bench/toDemo.mts', "import '../demo/start.mts';", ['arrows-of-bench']],
	['probe/toBench.mts', "import '../bench/start.mts';", ['arrows-of-probe']],
	['scripts/toDemo.mts', "import '../demo/start.mts';", ['arrows-of-scripts']],
	['scripts/toNode.mts', "import '../nodes/A/fields.ts';", ['scripts-run-the-build']],
	['test/unit/toScripts.mts', "import '../../scripts/start.mts';", ['arrows-of-test']],
	['elsewhere/new.mts', "import '../client/send.ts';", ['arrows-of-a-new-folder']],
	['demo/toNothing.mts', "import './gone.mts';", ['arrows-of-demo', 'no-missing-file']],

	['demo/toSettings.mts', "import '../vitest.config.mts';", ['arrows-of-demo']],

	// What n8n does not allow in published code.
	['client/toNode.fs.ts', "import 'node:fs';", ['published-imports']],
	['nodes/A/toAxios.ts', "import 'axios';", ['published-imports']],
	['nodes/A/toAxiosType.ts', "import type { A } from 'axios';", ['published-imports']],
	['credentials/required.ts', "require('axios');", ['published-imports']],
	[
		'nodes/A/toTestbed.ts',
		"import '../../testbed/start.mts';",
		['arrows-of-nodes', 'published-imports'],
	],

	// Cycles; the second is one of types.
	['client/one.ts', "import './two';", ['no-cycle']],
	['client/two.ts', "import './one';", ['no-cycle']],
	['test/unit/three.mts', "import type { A } from './four.mts';", ['no-cycle']],
	['test/unit/four.mts', "import type { B } from './three.mts';", ['no-cycle']],
];
/** What the files above import. */
const imported = [
	...['client/send.ts', 'credentials/Api.ts', 'nodes/A/fields.ts', 'nodes/A/types.ts'],
	...['nodes/B/fields.ts', 'nodes/shared/labels.ts', 'simulator/start.mts', 'testbed/start.mts'],
	...[
		'vitest.config.mts',
		'demo/start.mts',
		'bench/start.mts',
		'probe/start.mts',
		'scripts/start.mts',
		'test/unit/data.mts',
	],
	...['node_modules/n8n-workflow/index.js', 'node_modules/axios/index.js'],
];

let folder: string;
let broken: Map<string, string[]>;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'arrows-'));
	const packages = { 'n8n-workflow': '*', axios: '*' };
	for (const [file, text] of [
		...files,
		...imported.map((file) => [file, 'export {};'] as const),
		['package.json', JSON.stringify({ devDependencies: packages })] as const,
	]) {
		await mkdir(join(folder, dirname(file)), { recursive: true });
		await writeFile(join(folder, file), `${text}\n`);
	}
	broken = await rulesBroken();
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command of `npm run lint` in the made-up project. */
const cruise = (...options: string[]) =>
	execa(
		process.execPath,
		[
			join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
			...['--config', join(root, '.dependency-cruiser.mjs'), '.', ...options],
		],
		{ cwd: folder, reject: false },
	);

interface Violation {
	from: string;
	rule: { name: string; severity: string };
	cycle?: { name: string }[];
}

/** The rules that each file breaks. */
async function rulesBroken() {
	const { stdout } = await cruise('--output-type', 'json');
	const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
	expect(summary.violations.every(({ rule }) => rule.severity === 'error')).toBe(true);
	const rules = new Map<string, string[]>();
	for (const { from, rule, cycle } of summary.violations) {
		// A cycle is reported once, for one of its files.
		for (const file of cycle?.map(({ name }) => name) ?? [from]) {
			rules.set(file, [...(rules.get(file) ?? []), rule.name].sort());
		}
	}
	return rules;
}

it.each(files)('%s: %s', (file, _line, rules) => expect(broken.get(file) ?? []).toEqual(rules));

it('complains about nothing else', () => {
	const known = files.map(([file]) => file);
	expect([...broken.keys()].filter((file) => !known.includes(file))).toEqual([]);
});

it('makes npm run lint fail', async () => {
	const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	expect(scripts.lint.split(' && ')).toContain('depcruise --config .dependency-cruiser.mjs .');
	const { exitCode, stdout } = await cruise();
	expect(exitCode).toBeGreaterThan(0);
	expect(stdout).toContain('error arrows-of-simulator: simulator/toClient.mts → client/send.ts');
});
