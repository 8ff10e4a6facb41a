/** The command `npm run probe`: its exit codes, its files, what it refuses, how it ends. */
import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Report } from '../../dev/probe/report.mts';
import { operations } from '../../dev/simulator/openapi.mts';
import { seed, startSimulator, type Settings } from '../../dev/simulator/index.mts';
import { startPracticeService } from '../../dev/simulator/otherService/index.mts';
import { findSecrets, secretsOf } from '../../dev/testbed/secrets.mts';
import { compileCacheFolder, root } from '../../dev/testbed/paths.mts';
import { addItemByHand, refuseItems } from './running.mts';

type Finish = Pick<TestContext, 'onTestFinished'>;

const { appKey, secretKey, username, password } = seed.dealer;

/** The keys of the simulated dealer, as the probe takes them. */
const environment: Record<string, string> = {
	PORTAL_IO_APP_KEY: appKey,
	PORTAL_IO_SECRET_KEY: secretKey,
	PORTAL_IO_USERNAME: username,
	PORTAL_IO_PASSWORD: password,
};

/** Starts the command without a terminal, with nothing but these variables. */
function startCommand(args: string[], env: Record<string, string> = environment) {
	return execa(process.execPath, ['dev/probe/main.mts', ...args], {
		cwd: root,
		// A program that was compiled once starts sooner.
		env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE: compileCacheFolder, ...env },
		extendEnv: false,
		reject: false,
		all: true,
		stdin: 'ignore',
	});
}

/** Waits until a command has written a text. */
async function written({ all }: { all: Readable }, text: string): Promise<void> {
	let output = '';
	await new Promise<void>((resolve, reject) => {
		all.on('data', (chunk: Buffer) => {
			output += String(chunk);
			if (output.includes(text)) resolve();
		});
		all.once('end', () => reject(new Error(`It did not write '${text}', but:\n${output}`)));
	});
}

/** A folder of the test. */
async function makeFolder({ onTestFinished }: Finish): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'probe-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	return folder;
}

async function startService({ onTestFinished }: Finish, settings: Partial<Settings> = {}) {
	const service = await startSimulator(settings);
	onTestFinished(() => service.stop());
	return service;
}

describe.concurrent('the command', () => {
	it('confirms the simulator: exit 0, and no key in the report or on the terminal', async (test) => {
		const folder = await makeFolder(test);
		const [json, markdown] = [join(folder, 'r.json'), join(folder, 'r.md')];
		const service = await startService(test);
		const args = ['--base-url', service.url, '--json', json, '--markdown', markdown];
		const { exitCode, all } = await startCommand(args);
		const counts = `${operations.length - 13} confirmed, 13 not tried`;
		expect([exitCode, all]).toEqual([0, expect.stringContaining(counts)]);
		const report: Report = JSON.parse(await readFile(json, 'utf8'));
		expect(report.service).toBe(service.url);
		const page = await readFile(markdown, 'utf8');
		expect(page).toContain(`${operations.length} endpoints: ${counts}.`);
		expect(page).toMatch(/## Requests that are confirmed\n\n- authentication.+ item\.add, /);
		const shown = [all, JSON.stringify(report), page].join('\n');
		expect(findSecrets(shown, secretsOf(service))).toEqual([]);
		for (const key of Object.values(environment)) expect(shown).not.toContain(key);
	});

	it('reports what differs: exit 1, also when it only reads', async (test) => {
		const service = await startService(test, { routes: 'specification' });
		const { exitCode, all } = await startCommand(['--base-url', service.url, '--read-only']);
		expect([exitCode, all]).toEqual([
			1,
			expect.stringMatching(
				/aiContent\.getMany\.alternate .+: differs\. Send to `\/public\/ai\/content`\./,
			),
		]);
		expect(service.control.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	it('says what stopped it: exit 2, with the report of what it had learned', async (test) => {
		const json = join(await makeFolder(test), 'r.json');
		const service = await startService(test);
		const env = { ...environment, PORTAL_IO_PASSWORD: 'not the password 1' };
		const { exitCode, all } = await startCommand(['--base-url', service.url, '--json', json], env);
		expect([exitCode, all]).toEqual([2, expect.stringContaining('did not reach its end')]);
		expect(all).not.toContain('not the password');
		expect(JSON.parse(await readFile(json, 'utf8')).endedEarly).toBeTruthy();
	});

	it('goes on with an item that somebody adds while it waits: --wait-for-item', async (test) => {
		const service = await startService(test);
		refuseItems(service.control);
		const running = startCommand(['--base-url', service.url, '--wait-for-item']);
		await written(running, 'in Portal.io: the probe looks for it for ten minutes.');
		await addItemByHand(service);
		const { exitCode, all } = await running;
		expect([exitCode, all]).toEqual([
			1,
			expect.stringContaining(`${operations.length - 14} confirmed, 1 no effect,`),
		]);
	});

	it('ends in good order on Ctrl-C: exit 2, and what was made is removed', async (test) => {
		const service = await startService(test);
		const before = service.control.state().proposal_items;
		const running = startCommand(['--base-url', service.url]);
		await written(running, 'Now: item');
		running.kill('SIGINT');
		const { exitCode, all } = await running;
		expect([exitCode, all]).toEqual([2, expect.stringContaining('Press Ctrl-C again')]);
		expect(all).toMatch(/Left at the service[^]*Proposals and contacts named 'n8n probe/);
		expect(service.control.state().proposal_items).toEqual(before);
	});

	it('ends at once on a second Ctrl-C', async (test) => {
		const service = await startService(test);
		const login = service.control.hold('authentication.exchangeKey');
		const running = startCommand(['--base-url', service.url]);
		await login.arrived(1);
		running.kill('SIGINT');
		await written(running, 'Press Ctrl-C again');
		running.kill('SIGINT');
		expect((await running).exitCode).toBe(130);
	});

	it('sends nothing, and writes nothing, for what it refuses: exit 2', async (test) => {
		const folder = await makeFolder(test);
		const json = join(folder, 'r.json');
		const service = await startService(test);
		const refused: [args: string[], env: Record<string, string>, words: RegExp][] = [
			[['--base-url', 'https://api.portal.io'], {}, /production.+--read-only/],
			[['--base-url', service.url, '--json', json], {}, /Set PORTAL_IO_APP_KEY.+no terminal/],
			[['--json', folder], environment, /cannot be written \(EISDIR\)/],
			[['--password', 'hunter2'], environment, /Keys are not taken from arguments/],
		];
		for (const [args, env, words] of refused) {
			const { exitCode, all } = await startCommand(args, env);
			expect([exitCode, all], args.join(' ')).toEqual([2, expect.stringMatching(words)]);
			expect(all).not.toContain('hunter2');
		}
		expect(service.control.requests).toEqual([]);
		expect(existsSync(json)).toBe(false);
	});

	it('says of a service what it says of itself, without keys, and that it could not be reached', async (test) => {
		const described = await startPracticeService('described');
		test.onTestFinished(() => described.stop());
		const silent = await startService(test);
		for (const [url, exit, words] of [
			[
				described.url,
				0,
				/It has \/types\/typescript\.\n\n.*- item\.updateQuantity: it does not mention Quantity and has UnitsWanted instead\n/s,
			],
			[silent.url, 0, /It has none of \/metadata \(404\), .*\/swagger\.json \(404\)\./],
			['http://127.0.0.1:1', 2, /It could not be reached: nothing is known of it\./],
		] as const) {
			const { exitCode, all } = await startCommand(['--describe', '--base-url', url], {});
			expect([exitCode, all]).toEqual([exit, expect.stringMatching(words)]);
		}
	});
});
