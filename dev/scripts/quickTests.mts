/**
 * Implements `npm run test:quick`, which runs the unit tests and, if published code has uncommitted changes,
 * the tests of the built nodes. The slowest tests run only after a change to the code that they test.
 */
import { globSync } from 'node:fs';
import { execa } from 'execa';

/** Slowest tests, with the beginnings of the paths that they test. */
const SLOW_TESTS: Record<string, string[]> = {
	'test/properties/deliveries.test.mts': ['nodes/PortalIoTrigger/'],
	'test/properties/forgeries.test.mts': ['nodes/PortalIoTrigger/'],
	'test/properties/polling.test.mts': ['nodes/PortalIoPollingTrigger/'],
	'test/properties/userApiKeys.test.mts': ['client/account', 'client/session.ts', 'credentials/'],
	'test/wire/largeLists.test.mts': [
		'client/lists.ts',
		'nodes/PortalIo/lookup/',
		'nodes/PortalIo/resources/catalog.ts',
		'nodes/PortalIoPollingTrigger/listModified.ts',
	],
	'test/wire/largestUpload.test.mts': ['client/upload.ts'],
	'test/wire/responses.test.mts': [
		'client/responseShape.ts',
		'client/proposal.ts',
		'client/response.ts',
		'nodes/PortalIo/editor/',
		'nodes/PortalIo/operation/',
		'nodes/PortalIo/resources/',
	],
	'test/wire/sparseResponses.test.mts': [
		'client/proposal.ts',
		'nodes/PortalIo/operation/',
		'nodes/PortalIo/resources/',
	],
	'test/wire/upload.test.mts': [
		'client/upload.ts',
		'nodes/PortalIo/resources/aiContent/',
		'nodes/PortalIo/run/inputFile.ts',
	],
};

/** Paths of the built nodes and the test environment that runs them. */
const TESTED = /^(client|credentials|nodes|dev\/simulator|dev\/testbed|test\/wire)\//;

const git = async (...args: string[]) => (await execa('git', args)).stdout.split('\n');
const changed = [
	...(await git('diff', '--name-only', 'HEAD')),
	...(await git('ls-files', '--others', '--exclude-standard')),
];
const isAffected = (test: string) =>
	[test, ...(SLOW_TESTS[test] ?? [])].some((path) => changed.some((file) => file.startsWith(path)));

const wireTests = globSync('test/wire/*.test.mts');
const quick = wireTests.filter((test) => !(test in SLOW_TESTS));
const files = [
	...(changed.some((file) => TESTED.test(file)) ? quick : []),
	...Object.keys(SLOW_TESTS).filter(isAffected),
];
const projects = ['unit', 'wire', 'properties'].flatMap((name) => ['--project', name]);
const unitTests = ['test/unit/', 'test/simulator/', 'dev/scripts/'];
const { exitCode } = await execa('vitest', ['run', ...projects, ...unitTests, ...files], {
	preferLocal: true,
	stdio: 'inherit',
	reject: false,
});
process.exitCode = exitCode;
