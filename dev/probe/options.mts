/** The options of the command, and the keys: from the environment, or asked for. */
import { input, password as ask } from '@inquirer/prompts';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readAccount, type Keys } from './session.mts';

export const SANDBOX = 'https://sandbox.api.portal.io';
export const PRODUCTION = 'https://api.portal.io';

/** The keys: the variable of each, and what to ask for. */
const KEYS = {
	appKey: { variable: 'PORTAL_IO_APP_KEY', label: 'Application key' },
	secretKey: { variable: 'PORTAL_IO_SECRET_KEY', label: 'Secret key' },
	username: { variable: 'PORTAL_IO_USERNAME', label: 'Email' },
	password: { variable: 'PORTAL_IO_PASSWORD', label: 'Password' },
};
const VARIABLES = Object.values(KEYS).map(({ variable }) => variable);

export const usage = `Usage: npm run probe [-- options]

Asks a Portal.io service how it takes every request of this package, and reports what differs.

  --base-url URL   the service (${SANDBOX})
  --read-only      change nothing; the only way to ask production
  --ai             also upload a text, and build a proposal from it
  --describe       ask nothing but what sandbox and production say of themselves; needs no keys
  --wait-for-item  without a terminal: wait until somebody adds an item, where the API cannot
  --json FILE      write the report as JSON
  --markdown FILE  write the report as a page
  --help           show this text

The keys come from the environment, and are asked for where they are not in it:
  ${VARIABLES.join(', ')}

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
	describe: { type: 'boolean', default: false },
	'wait-for-item': { type: 'boolean', default: false },
	json: { type: 'string' },
	markdown: { type: 'string' },
	help: { type: 'boolean', default: false },
} as const;

const IS_PRODUCTION =
	'This is production, where the probe changes nothing: add --read-only, or leave out --base-url to ask the sandbox.';

/** @throws UsageError */
export function readOptions(args: string[]) {
	const { 'base-url': given, 'read-only': readOnly, ...rest } = parse(args);
	const baseUrl = checkedUrl(given);
	if (isProduction(baseUrl) && !readOnly && !rest.help && !rest.describe)
		throw new UsageError(IS_PRODUCTION);
	if (readOnly && rest.ai) {
		throw new UsageError('--ai changes something: leave out either --ai or --read-only.');
	}
	return { baseUrl, readOnly, ...rest };
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: OPTIONS }).values;
	} catch {
		// The message of Node may hold what was given, which may be a key.
		throw new UsageError(
			`Unknown option: see --help. Keys are not taken from arguments; set ${VARIABLES.join(', ')}.`,
		);
	}
}

const hostOf = (url: string) => new URL(url).hostname.replace(/\.$/, '');

/** Whether a base URL is of Portal.io and not its sandbox. */
export const isProduction = (baseUrl: string) =>
	/(^|\.)portal\.io$/.test(hostOf(baseUrl)) && hostOf(baseUrl) !== hostOf(SANDBOX);

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

/** @throws UsageError when there is no terminal, or when whoever is asked presses Ctrl-C */
export async function readKeys(
	environment: NodeJS.ProcessEnv,
	isTerminal: boolean,
	service: string,
): Promise<Keys> {
	const names = Object.keys(KEYS) as (keyof Keys)[];
	const given = names.map((name) => [name, environment[KEYS[name].variable] ?? '']);
	const keys = Object.fromEntries(given) as Keys;
	const missing = names.filter((name) => keys[name].trim() === '');
	if (missing.length > 0 && !isTerminal) {
		const variables = missing.map((name) => KEYS[name].variable).join(', ');
		throw new UsageError(`Set ${variables}: there is no terminal on which to ask.`);
	}
	if (missing.length > 0) console.log(`The keys for ${service}. Nothing that you type is shown.`);
	const validate = (value: string) => value.trim() !== '' || 'It is required to sign requests.';
	for (const name of missing) {
		const message = `${KEYS[name].label} (${KEYS[name].variable})`;
		keys[name] = await ask({ message, toggleMask: false, validate }).catch(() => {
			throw new UsageError('Stopped before anything was sent.');
		});
	}
	return keys;
}

const LOOK_EVERY_MS = 5000;
const LOOKS = 120;

/** Has somebody add an item in Portal.io: in a terminal by asking once, else by looking for ten minutes. */
export async function waitForItem(
	isTerminal: boolean,
	proposal: string,
	isThere: () => Promise<boolean>,
) {
	const message = `No item can be added. Add any part to the proposal '${proposal}' in Portal.io`;
	if (isTerminal) {
		await input({ message: `${message}, then press Enter` }).catch(() => '');
		return;
	}
	console.log(`${message}: the probe looks for it for ten minutes.`);
	for (let looks = 0; looks < LOOKS && !(await isThere()); looks++) await sleep(LOOK_EVERY_MS);
}
