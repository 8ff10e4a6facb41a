/** What the command line says. Keys are never taken from it: other users of the machine can read it. */
import { parseArgs } from 'node:util';
import { KEY_NAMES } from './keys.mts';

/** Where the sandbox of Portal.io is. */
const SANDBOX = 'https://sandbox.api.portal.io';

export const usage = `Usage: npm run probe [-- options]

Asks a Portal.io service how it takes every request of this package, and reports what differs.

  --base-url URL   the service (${SANDBOX})
  --read-only      change nothing; the only way to ask production
  --ai             also upload a second of sound, and build a proposal from it
  --webhook URL    as --ai, and also receive an event. The URL is public and leads to this machine
  --webhook-port N the port on this machine to which it leads (8484)
  --json FILE      write the report as JSON
  --markdown FILE  write the report as a page
  --confirm FILE   ask nothing: mark what a report in JSON confirms, in simulator/openapi.yaml
  --help           show this text

The keys come from the environment, and are asked for where they are not in it:
  ${KEY_NAMES.join(', ')}

Exit code: 0 all that was tried is confirmed, 1 something differs, 2 it could not run to its end.
docs/probe.md says what it does and what it leaves behind.
`;

/** What to do. */
export interface Options {
	baseUrl: string;
	readOnly: boolean;
	ai: boolean;
	webhook: string | undefined;
	webhookPort: number;
	json: string | undefined;
	markdown: string | undefined;
	/** The report to take confirmations from, in place of a run. */
	confirm: string | undefined;
	help: boolean;
}

/** The command line cannot be followed; the message says why, and repeats nothing that may be a key. */
export class UsageError extends Error {}

const OPTIONS = {
	'base-url': { type: 'string' },
	'read-only': { type: 'boolean' },
	ai: { type: 'boolean' },
	webhook: { type: 'string' },
	'webhook-port': { type: 'string' },
	json: { type: 'string' },
	markdown: { type: 'string' },
	confirm: { type: 'string' },
	help: { type: 'boolean' },
} as const;

const NO_KEYS = `Keys are not taken from arguments, which other users of this machine can read. Set ${KEY_NAMES.join(', ')}, or leave them out and be asked.`;

/**
 * @param environment in which the keys may be, so that none of them is taken for something else
 * @throws UsageError
 */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv = {}): Options {
	const known = new Set(KEY_NAMES.map((name) => environment[name]).filter(Boolean));
	const isKey = (text: string) => known.has(text) || KEY.some((pattern) => pattern.test(text));
	const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true });
	const given: Record<string, string | true> = {};
	for (const token of tokens) {
		if (token.kind === 'option-terminator') continue;
		if (token.kind === 'positional') throw new UsageError(isKey(token.value) ? NO_KEYS : EXTRA);
		const { name, value } = token;
		if (/key|secret|pass|user|login|token/.test(name) || isKey(value ?? '')) {
			throw new UsageError(NO_KEYS);
		}
		if (!Object.hasOwn(OPTIONS, name)) throw new UsageError(unknown(name));
		const { type } = OPTIONS[name as keyof typeof OPTIONS];
		if (type === 'boolean' && value !== undefined) {
			throw new UsageError(`--${name} takes no value.`);
		}
		if (type === 'string' && (value ?? '') === '') throw new UsageError(`--${name} needs a value.`);
		given[name] = value ?? true;
	}
	return checked(given);
}

/** A UUID, base64 or hex of a key's length, an email: nothing that an option takes. */
const KEY = [
	/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	/^(?=.*\d)(?=.*[a-z])[A-Za-z0-9+/_-]{20,}={0,2}$/i,
	/^[^/\s@]+@[^/\s@]+\.[^/\s@]+$/,
];
const EXTRA = 'There is an argument too many. A value follows its option: --json report.json';

const unknown = (name: string) =>
	/^[a-z][a-z-]{0,20}$/.test(name) ? `There is no option --${name}.` : 'There is no such option.';

function checked(given: Record<string, string | true>): Options {
	const textOf = (name: string) => given[name] as string | undefined;
	const options: Options = {
		baseUrl: baseUrlOf(textOf('base-url') ?? SANDBOX),
		readOnly: given['read-only'] === true,
		// The one event that can be brought about is that of AI work.
		ai: given.ai === true || given.webhook !== undefined,
		webhook: webhookOf(textOf('webhook')),
		webhookPort: portOf(textOf('webhook-port') ?? '8484'),
		json: textOf('json'),
		markdown: textOf('markdown'),
		confirm: textOf('confirm'),
		help: given.help === true,
	};
	if (options.help) return options;
	if (options.confirm !== undefined && Object.keys(given).length > 1) {
		throw new UsageError('--confirm takes no other option: it asks no service.');
	}
	if (options.readOnly && options.ai) {
		throw new UsageError('--ai and --webhook change something: leave them out, or --read-only.');
	}
	if (isProduction(options.baseUrl) && !options.readOnly && options.confirm === undefined) {
		throw new UsageError(
			'This is production, where the probe changes nothing: add --read-only, or leave out --base-url to ask the sandbox.',
		);
	}
	if (options.json !== undefined && options.json === options.markdown) {
		throw new UsageError('--json and --markdown name the same file.');
	}
	return options;
}

/** Whether a base URL is of Portal.io and not its sandbox. */
export function isProduction(baseUrl: string): boolean {
	const host = new URL(baseUrl).hostname.replace(/\.$/, '');
	return /(^|\.)portal\.io$/.test(host) && host !== new URL(SANDBOX).hostname;
}

function baseUrlOf(given: string): string {
	const refuse = (why: string) => new UsageError(`The URL of --base-url ${why}.`);
	if (!URL.canParse(given)) throw refuse(`is not a URL such as ${SANDBOX}`);
	const { protocol, username, password, search, hash, hostname, origin, pathname } = new URL(given);
	if (username !== '' || password !== '') throw refuse('must not contain a user or password');
	if (search !== '' || hash !== '') throw refuse("must end before any '?' or '#'");
	const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
	if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) {
		throw refuse('must start with https://, so that nobody can read what is sent');
	}
	return origin + pathname.replace(/\/+$/, '');
}

function webhookOf(given: string | undefined): string | undefined {
	if (given === undefined) return undefined;
	const url = URL.canParse(given) ? new URL(given) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') {
		throw new UsageError('The URL of --webhook is not one that the service can send events to.');
	}
	return url.href;
}

function portOf(given: string): number {
	const port = Number(given);
	if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
	throw new UsageError('--webhook-port is not a port number.');
}
