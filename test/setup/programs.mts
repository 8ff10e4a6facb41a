/**
 * Before the tests of a project start: gets the programs that they need. Where one is not available,
 * the tests read it with `inject('missing')` and are skipped (skipped.mts).
 */
import type { TestProject } from 'vitest/node';
import { installN8n } from '../../testbed/n8n/install.mts';
import { findChromium } from '../../testbed/programs/chromium.mts';
import { MissingProgram } from '../../testbed/programs/find.mts';
import { findPostgres } from '../../testbed/programs/postgres.mts';
import { findRedis } from '../../testbed/programs/redis.mts';

declare module 'vitest' {
	interface ProvidedContext {
		/** One line for each missing program: what is missing, and how to get it. */
		missing: string[];
	}
}

const needed: Record<string, (() => Promise<unknown>)[]> = {
	// One of the Redis servers comes with n8n's own packages.
	queue: [installN8n, findPostgres, findRedis],
	editor: [findChromium],
};

/** Called by Vitest, once for each project that has this among its `globalSetup`. */
export async function setup(project: TestProject): Promise<void> {
	const missing: string[] = [];
	for (const find of needed[project.name]!) {
		try {
			await find();
		} catch (error) {
			if (!(error instanceof MissingProgram)) throw error;
			if (error.cause) console.error(error.cause);
			missing.push(error.message);
		}
	}
	project.provide('missing', missing);
}
