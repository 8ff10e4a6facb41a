/**
 * `npm run test:mutation:tables`: makes small changes in the tables that hold behavior (the fields of outputs
 * and their types, statuses, types of files, the values of items), and expects a unit test to fail for each.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
import functions from './stryker.config.mjs';

export default {
	...functions,
	mutate: [
		'client/{contact,proposal,webhook}.ts',
		'credentials/*.ts',
		'nodes/PortalIo/resources/{shapes,contact,location,payment,recurringService,user}.ts',
		'nodes/PortalIo/resources/aiContent/{fields,formats}.ts',
		'nodes/PortalIo/resources/item/values.ts',
		'nodes/PortalIo/resources/proposal/copyPlan.ts',
		'nodes/shared/{shapes,statuses,triggerFields}.ts',
	],
	mutator: { excludedMutations: [] },
	// They are evaluated when a module is loaded, so each change needs all of these tests.
	ignoreStatic: false,
	ignorers: ['functionsAndLabels'],
	plugins: ['@stryker-mutator/vitest-runner', './dev/mutation/functionsAndLabels.mts'],
	vitest: { configFile: 'dev/mutation/vitest.unit.config.mts', related: false },
	coverageAnalysis: 'all',
	htmlReporter: { fileName: 'coverage/mutation/tables.html' },
	thresholds: { high: 95, low: 90, break: null },
};
