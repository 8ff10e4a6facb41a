/** The keys of the probe: from the environment, or asked for. */
import { password as ask } from '@inquirer/prompts';
import { KEYS, UsageError } from './options.mts';
import type { Keys } from './session.mts';

/** @throws UsageError when there is no terminal, or when whoever is asked presses Ctrl-C */
export async function readKeys(
	environment: NodeJS.ProcessEnv,
	isTerminal: boolean,
	service: string,
): Promise<Keys> {
	const isMissing = (name: string) => (environment[name] ?? '').trim() === '';
	const missing = Object.keys(KEYS).filter(isMissing);
	if (missing.length > 0 && !isTerminal) {
		throw new UsageError(`Set ${missing.join(', ')}: there is no terminal on which to ask.`);
	}
	if (missing.length > 0) console.log(`The keys for ${service}. Nothing that you type is shown.`);
	const values: string[] = [];
	for (const [name, label] of Object.entries(KEYS)) {
		values.push(isMissing(name) ? await askFor(`${label} (${name})`) : environment[name]!);
	}
	const [appKey = '', secretKey = '', username = '', password = ''] = values;
	return { appKey, secretKey, username, password };
}

async function askFor(message: string): Promise<string> {
	const validate = (value: string) => value.trim() !== '' || 'It is required to sign requests.';
	try {
		return await ask({ message, toggleMask: false, validate });
	} catch {
		throw new UsageError('Stopped before anything was sent.');
	}
}
