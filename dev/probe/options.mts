/** The options of the command. */
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

const { readAccount } = createRequire(import.meta.url)('../../dist/client/account.js');

const SANDBOX = 'https://sandbox.api.portal.io';

/** The variables with the keys, and what they hold. */
export const KEYS = {
	PORTAL_IO_APP_KEY: 'Application key',
	PORTAL_IO_SECRET_KEY: 'Secret key',
	PORTAL_IO_USERNAME: 'Email',
	PORTAL_IO_PASSWORD: 'Password',
};
const KEY_NAMES = Object.keys(KEYS).join(', ');

export const usage = `Usage: npm run probe [-- options]

Asks a Portal.io service how it takes every request of this package, and reports what differs.

  --base-url URL   the service (${SANDBOX})
  --read-only      change nothing; the only way to ask production
  --ai             also upload a text, and build a proposal from it
  --json FILE      write the report as JSON
  --markdown FILE  write the report as a page
  --confirm FILE   ask nothing: mark what a report in JSON confirms, in dev/simulator/openapi.yaml
  --help           show this text

The keys come from the environment, and are asked for where they are not in it:
  ${KEY_NAMES}

Exit code: 0 no request deviates, 1 a request differs or has no effect, 2 it could not run to its end.
docs/probe.md says what it does and what it leaves behind.
`;

export type Options = ReturnType<typeof readOptions>;

/** The probe cannot start; the message repeats nothing that may be a key. */
export class UsageError extends Error {}

const OPTIONS = {
	'base-url': { type: 'string', default: SANDBOX },
	'read-only': { type: 'boolean', default: false },
	ai: { type: 'boolean', default: false },
	json: { type: 'string' },
	markdown: { type: 'string' },
	confirm: { type: 'string' },
	help: { type: 'boolean', default: false },
} as const;

const NO_KEYS = `Keys are not taken from arguments, which other users of this machine can read. Set ${KEY_NAMES}, or leave them out and be asked.`;
const PRODUCTION =
	'This is production, where the probe changes nothing: add --read-only, or leave out --base-url to ask the sandbox.';

/** @throws UsageError */
export function readOptions(args: string[]) {
	const { 'base-url': given, 'read-only': readOnly, ...rest } = parse(args);
	const baseUrl = checkedUrl(given);
	const { help, ai, json, markdown, confirm } = rest;
	const refusals: [boolean, string][] = [
		[confirm !== undefined && args.length > 2, '--confirm takes no other option.'],
		[readOnly && ai, '--ai changes something: leave it out, or --read-only.'],
		[isProduction(baseUrl) && !readOnly, PRODUCTION],
		[json !== undefined && json === markdown, '--json and --markdown name the same file.'],
	];
	for (const [isRefused, message] of help ? [] : refusals) {
		if (isRefused) throw new UsageError(message);
	}
	return { baseUrl, readOnly, ...rest };
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: OPTIONS, strict: true, allowPositionals: false }).values;
	} catch {
		// The message of Node may hold what was given.
		const isKey = args.some((one) => /^--?[\w-]*(key|secret|pass|user|login|token)/i.test(one));
		throw new UsageError(isKey ? NO_KEYS : 'These options are not understood: see --help.');
	}
}

/** Whether a base URL is of Portal.io and not its sandbox. */
export function isProduction(baseUrl: string): boolean {
	const host = new URL(baseUrl).hostname.replace(/\.$/, '');
	return /(^|\.)portal\.io$/.test(host) && host !== new URL(SANDBOX).hostname;
}

/** The base URL as the credential of this package takes it. */
function checkedUrl(baseUrl: string): string {
	const keys = { appKey: '-', secretKey: '-', username: '-', password: '-' };
	try {
		return readAccount({ environment: 'custom', baseUrl, ...keys }).baseUrl;
	} catch (error) {
		const { message } = error as Error;
		throw new UsageError(`${message.replace("The 'Base URL' of the credential", '--base-url')}.`);
	}
}
