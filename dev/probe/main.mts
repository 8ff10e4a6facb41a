/**
 * Implements `npm run probe`, which asks a Portal.io service for the names of its fields (docs/dev/probe.md).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { password } from '@inquirer/prompts';
import { questions, readMetadata, removeParameterNames } from './ask.mts';
import { chooseExitCode, writeReport } from './report.mts';
import { endpoints } from '../simulator/contract.mts';

const SANDBOX = 'https://sandbox.api.portal.io';
const PRODUCTION = 'https://api.portal.io';

const KEYS = {
	appKey: 'PORTAL_IO_APP_KEY',
	secretKey: 'PORTAL_IO_SECRET_KEY',
	username: 'PORTAL_IO_USERNAME',
	password: 'PORTAL_IO_PASSWORD',
};

const usage = `Usage: npm run probe [-- options]

Asks a Portal.io service for the names of its fields, without changing anything, and prints a report.

  --base-url URL   URL of the service (${SANDBOX})
  --try            also run this package's operations on a new proposal; not in production
  --describe       only read how sandbox and production describe themselves; needs no keys
  --report FILE    write the report to a file
  --help           show this text

The keys are read from ${Object.values(KEYS).join(', ')}.
In a terminal, the probe asks for missing keys.

Exit code: 0 if the service matches this package, 1 if it does not, 2 if the probe could not run.
`;

/** Error that prevents the probe from running. Its message never repeats a value that might be a key. */
class UsageError extends Error {}

function readOptions() {
	try {
		return parseArgs({
			options: {
				'base-url': { type: 'string', default: SANDBOX },
				try: { type: 'boolean', default: false },
				describe: { type: 'boolean', default: false },
				report: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch {
		// Hide Node's message, because it can contain an argument that might be a key.
		throw new UsageError(`Unknown option. See --help. Keys are not accepted as arguments.`);
	}
}

async function readKeys(): Promise<Record<string, string>> {
	const keys: Record<string, string> = {};
	for (const [name, variable] of Object.entries(KEYS)) {
		keys[name] = process.env[variable] ?? '';
		if (keys[name] === '' && process.stdin.isTTY)
			keys[name] = await password({ message: variable });
		if (keys[name] === '') throw new UsageError(`Set ${variable}.`);
	}
	return keys;
}

/** Prints the service's description of itself: its pages, and the fields of the relevant endpoints. */
async function describe(baseUrl: string): Promise<void> {
	const { types, pages } = await readMetadata(baseUrl);
	console.log(`${baseUrl}: ${pages.join(', ')}`);
	for (const { id, method, path } of endpoints.filter((endpoint) => endpoint.id in questions)) {
		const members = types.get(removeParameterNames(method, path));
		if (members) console.log(`- ${id}: ${members.join(', ')}`);
	}
}

async function probe(baseUrl: string, options: ReturnType<typeof readOptions>): Promise<number> {
	if (options.try && /(?:^|\.)portal\.io$/.test(new URL(baseUrl).hostname) && baseUrl !== SANDBOX) {
		throw new UsageError('This is production. Omit --try, because it makes changes.');
	}
	const keys = await readKeys();
	// Import this only now, because it loads n8n, which takes a moment.
	const { runProbe } = await import('./run.mts');
	const result = await runProbe({ baseUrl, keys, isTrying: options.try });
	const report = writeReport(result);
	console.log(report);
	if (options.report !== undefined) writeFileSync(options.report, `${report}\n`);
	return chooseExitCode(result);
}

async function main(): Promise<number> {
	const options = readOptions();
	const baseUrl = options['base-url'].replace(/\/+$/, '');
	if (options.help) console.log(usage);
	else if (options.describe) {
		const urls = baseUrl === SANDBOX ? [SANDBOX, PRODUCTION] : [baseUrl];
		for (const url of urls) await describe(url);
	} else return await probe(baseUrl, options);
	return 0;
}

process.exitCode = await main().catch((error: Error) => {
	console.error(error instanceof UsageError ? error.message : `The probe failed: ${error.message}`);
	return 2;
});
