/**
 * n8n's scan of a package, done to what is not published yet: the rules that `@n8n/scan-community-package`
 * applies to the JavaScript of a package. That itself reads only packages in the public registry.
 */
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { ESLint } from 'eslint';
import { defineConfig } from 'eslint/config';

/** Scans an unpacked package; what it finds, one line each, warnings included. */
export async function scan(folder: string): Promise<string[]> {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: defineConfig(n8nCommunityNodesPlugin.configs.recommended as never, {
			rules: { 'no-console': 'error' },
		}),
	});
	const results = await eslint.lintFiles(['**/*.js']);
	return results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, message, ruleId }) =>
				`${filePath.slice(folder.length + 1)}:${line}: ${message} (${ruleId})`,
		),
	);
}
