/** Starts `node dev/probe/main.mts` as a person or a workflow would. */
import { execa, type Options } from 'execa';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestContext } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { root } from '../../dev/testbed/paths.mts';

const { appKey, secretKey, username, password } = seed.dealer;

/** The keys of the simulated dealer, as the probe takes them. */
export const environment: Record<string, string> = {
	PORTAL_IO_APP_KEY: appKey,
	PORTAL_IO_SECRET_KEY: secretKey,
	PORTAL_IO_USERNAME: username,
	PORTAL_IO_PASSWORD: password,
};

/** Starts the command without a terminal, with nothing but these variables. */
export function startCommand(args: string[], env: Record<string, string> = environment) {
	const options = {
		cwd: root,
		// A program that was compiled once starts sooner.
		env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
		extendEnv: false,
		reject: false,
		all: true,
		stdin: 'ignore',
	} satisfies Options;
	return execa(process.execPath, ['dev/probe/main.mts', ...args], options);
}

/** Waits until a command has written a text. */
export async function written({ all }: { all: Readable }, text: string): Promise<void> {
	let output = '';
	await new Promise<void>((resolve, reject) => {
		all.on('data', (chunk) => {
			output += chunk;
			if (output.includes(text)) resolve();
		});
		all.once('end', () => reject(new Error(`It did not write '${text}', but:\n${output}`)));
	});
}

/** A folder of the test. */
export async function makeFolder({
	onTestFinished,
}: Pick<TestContext, 'onTestFinished'>): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'probe-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	return folder;
}
