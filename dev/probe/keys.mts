/** The keys of the probe: from the environment, or asked for. */
import { password as ask } from '@inquirer/prompts';
import type { Keys } from './session.mts';

const VARIABLES = {
	PORTAL_IO_APP_KEY: ['appKey', 'Application key'],
	PORTAL_IO_SECRET_KEY: ['secretKey', 'Secret key'],
	PORTAL_IO_USERNAME: ['username', 'Email'],
	PORTAL_IO_PASSWORD: ['password', 'Password'],
} as const;

export const KEY_NAMES = Object.keys(VARIABLES);

/** A key is missing, and nobody can be asked. */
export class NoKeys extends Error {}

/** @throws NoKeys when there is no terminal, or when whoever is asked presses Ctrl-C */
export async function readKeys(
	environment: NodeJS.ProcessEnv,
	isTerminal: boolean,
	service: string,
): Promise<Keys> {
	const missing = KEY_NAMES.filter((name) => (environment[name] ?? '').trim() === '');
	if (missing.length > 0 && !isTerminal) {
		throw new NoKeys(`Set ${missing.join(', ')}: there is no terminal on which to ask.`);
	}
	if (missing.length > 0) console.log(`The keys for ${service}. Nothing that you type is shown.`);
	const keys: Partial<Keys> = {};
	for (const [name, [key, label]] of Object.entries(VARIABLES)) {
		keys[key] = missing.includes(name) ? await askFor(`${label} (${name})`) : environment[name]!;
	}
	return keys as Keys;
}

async function askFor(message: string): Promise<string> {
	const validate = (value: string) => value.trim() !== '' || 'It is needed to sign requests.';
	try {
		return await ask({ message, toggleMask: false, validate });
	} catch {
		throw new NoKeys('Stopped before anything was sent.');
	}
}
