/** The options of the command. */
import { parseArgs } from 'node:util';
import { KEY_NAMES } from './keys.mts';

const SANDBOX = 'https://sandbox.api.portal.io';

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
  ${KEY_NAMES.join(', ')}

Exit code: 0 no request deviates, 1 a request differs or has no effect, 2 it could not run to its end.
docs/probe.md says what it does and what it leaves behind.
`;

export type Options = ReturnType<typeof readOptions>;

/** The command line cannot be followed; the message repeats nothing that may be a key. */
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

const NO_KEYS = `Keys are not taken from arguments, which other users of this machine can read. Set ${KEY_NAMES.join(', ')}, or leave them out and be asked.`;

/** @throws UsageError */
export function readOptions(args: string[]) {
	const { 'base-url': baseUrl, 'read-only': readOnly, ...rest } = parse(args);
	const options = { baseUrl: checkedUrl(baseUrl), readOnly, ...rest };
	const refuseIf = (isRefused: boolean, message: string) => {
		if (isRefused && !options.help) throw new UsageError(message);
	};
	const { ai, json, markdown, confirm } = options;
	refuseIf(
		confirm !== undefined && args.length > 2,
		'--confirm takes no other option: it asks no service.',
	);
	refuseIf(readOnly && ai, '--ai changes something: leave it out, or --read-only.');
	refuseIf(
		isProduction(options.baseUrl) && !readOnly,
		'This is production, where the probe changes nothing: add --read-only, or leave out --base-url to ask the sandbox.',
	);
	refuseIf(json !== undefined && json === markdown, '--json and --markdown name the same file.');
	return options;
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: OPTIONS, strict: true, allowPositionals: false }).values;
	} catch (error) {
		if (args.some((one) => /^--?[\w-]*(key|secret|pass|user|login|token)/i.test(one))) {
			throw new UsageError(NO_KEYS);
		}
		// The message of Node may hold what was given.
		const { code } = error as NodeJS.ErrnoException;
		throw new UsageError(
			code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
				? 'There is no such option.'
				: 'A value follows its option, and only options have one: --json report.json',
		);
	}
}

/** Whether a base URL is of Portal.io and not its sandbox. */
export function isProduction(baseUrl: string): boolean {
	const host = new URL(baseUrl).hostname.replace(/\.$/, '');
	return /(^|\.)portal\.io$/.test(host) && host !== new URL(SANDBOX).hostname;
}

function checkedUrl(given: string): string {
	const refuse = (why: string) => new UsageError(`The URL of --base-url ${why}.`);
	if (!URL.canParse(given)) throw refuse(`is not a URL such as ${SANDBOX}`);
	const { protocol, username, password, search, hash, hostname, origin, pathname } = new URL(given);
	if (username + password + search + hash !== '') {
		throw refuse("must not contain a user or password, and must end before any '?' or '#'");
	}
	const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
	if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) {
		throw refuse('must start with https://, so that nobody can read what is sent');
	}
	return origin + pathname.replace(/\/+$/, '');
}
