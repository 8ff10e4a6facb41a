/**
 * The lint of what only a developer runs (simulator, demo, tests, benchmarks, scripts), and of the
 * regular expressions of what is published.
 *
 * It is apart from `eslint.config.mjs` because n8n's strict mode wants that file unchanged and
 * would refuse here what only published code has to do without: Node's own modules and globals.
 */
import js from '@eslint/js';
import { globalIgnores } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	globalIgnores(['dist', '**/node_modules', 'coverage']),
	{
		// They meet text from strangers' forms and mailboxes: none may take more than linear time.
		files: ['{client,credentials,nodes}/**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
		},
	},
	{
		files: ['**/*.mts', '**/*.mjs', 'gulpfile.js'],
		extends: [js.configs.recommended, tseslint.configs.strict],
		rules: {
			// The compiler knows better what is defined.
			'no-undef': 'off',
			// In a test, a missing value shall fail where it is used.
			'@typescript-eslint/no-non-null-assertion': 'off',
			// It throws a TypeError of its own on the overloads of some files (8.35 and 8.71).
			'@typescript-eslint/unified-signatures': 'off',
			// Vitest wants it of a fixture that uses no other one.
			'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
		},
	},
	{
		files: ['gulpfile.js'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
);
