/**
 * n8n's package scan, done to what is not published yet: the rules, the files and the ban on inline
 * exceptions are those of `@n8n/scan-community-package`, which itself reads only packages that stand
 * in the public registry with a provenance statement.
 */
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { ESLint } from 'eslint';
import { defineConfig } from 'eslint/config';
import { glob } from 'node:fs/promises';
import { createRequire } from 'node:module';
import tseslint from 'typescript-eslint';

const base = loadBase();

/** It has no types; and in a test it takes itself to be in its own, where every file is a node. */
function loadBase() {
	const { NODE_ENV } = process.env;
	process.env.NODE_ENV = 'production';
	const plugin = createRequire(import.meta.url)('eslint-plugin-n8n-nodes-base');
	if (NODE_ENV === undefined) delete process.env.NODE_ENV;
	else process.env.NODE_ENV = NODE_ENV;
	return plugin;
}

/** What the scan looks at in the source, and in the package as it is published. */
export const scannedFiles = {
	source: ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'],
	tarball: ['package.json', '**/*.js'],
};

const config = defineConfig(
	n8nCommunityNodesPlugin.configs.recommended as never,
	{ rules: { 'no-console': 'error' } },
	{ plugins: { 'n8n-nodes-base': base } },
	{ files: ['package.json'], rules: base.configs.community.rules },
	{
		files: ['**/credentials/**/*.ts'],
		rules: {
			...base.configs.credentials.rules,
			// Off in n8n's own scan: both are made for n8n's own nodes, or replaced by a newer rule.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['**/nodes/**/*.ts'],
		rules: {
			...base.configs.nodes.rules,
			// Off in n8n's own scan: they do not know connection types as constants, nor real maxima.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{ files: ['**/*.json', '**/*.ts'], languageOptions: { parser: tseslint.parser } },
);

/**
 * Scans the files of a folder.
 *
 * @returns what the scan finds, one line each, warnings included; empty when it finds nothing
 */
export async function scan(folder: string, patterns: string[]): Promise<string[]> {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: config,
	});
	const files: string[] = [];
	for (const pattern of patterns) {
		for await (const file of glob(pattern, { cwd: folder })) files.push(file);
	}
	const scanned = files.filter((file) => !/(^|\/)node_modules\//.test(file));
	if (scanned.length === 0) return [`nothing to scan in ${folder}`];
	const results = await eslint.lintFiles(scanned);
	return results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, message, ruleId }) =>
				`${filePath.slice(folder.length + 1)}:${line}: ${message} (${ruleId})`,
		),
	);
}
