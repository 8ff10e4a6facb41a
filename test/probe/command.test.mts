/** The command `npm run probe`: its exit codes, its files, what it refuses, how it ends. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { endpoints } from '../../probe/contract.mts';
import type { Report } from '../../probe/model.mts';
import { startSimulator, type Settings } from '../../simulator/index.mts';
import { findSecrets, secretsOf } from '../../testbed/secrets.mts';
import { valuesIn, valuesShown } from './account.mts';
import { environment, makeFolder, startCommand, written } from './command.mts';

type Finish = Pick<TestContext, 'onTestFinished'>;

async function startService({ onTestFinished }: Finish, settings: Partial<Settings> = {}) {
	const service = await startSimulator(settings);
	onTestFinished(() => service.stop());
	return service;
}

describe.concurrent('the command', () => {
	it('confirms the simulator: exit 0, both files, nothing of the account in any of them', async (test) => {
		const folder = await makeFolder(test);
		const [json, markdown, database] = ['r.json', 'r.md', 'db'].map((name) => join(folder, name));
		const service = await startService(test, { database: database! });
		const args = ['--base-url', service.url, '--json', json!, '--markdown', markdown!];
		const { exitCode, all } = await startCommand(args);
		expect([exitCode, all]).toEqual([0, expect.stringContaining('confirmed')]);
		const report: Report = JSON.parse(await readFile(json!, 'utf8'));
		expect(report.service).toBe(service.url);
		expect(report.endpoints.map(({ operation }) => operation)).toEqual(
			endpoints.map(({ operation }) => operation),
		);
		const others = report.endpoints.filter(({ verdict }) => verdict !== 'confirmed');
		expect(others.every(({ note }) => note === 'It needs the option --ai.')).toBe(true);
		expect(report.changes).toEqual([]);
		expect(report.left.join()).toMatch(/proposal.+n8n probe.+contact.+n8n probe/);
		expect(report.requests).toBe(service.control.requests.length);
		const shown = [all, await readFile(json!, 'utf8'), await readFile(markdown!, 'utf8')].join(
			'\n',
		);
		expect(findSecrets(shown, secretsOf(service))).toEqual([]);
		const values = valuesIn(database!);
		expect(values.length).toBeGreaterThan(300);
		expect(valuesShown(values, shown)).toEqual([]);
		expect(report.requests).toBeGreaterThan(200);
	});

	it('reports what differs: exit 1, also when it only reads', async (test) => {
		const service = await startService(test, { routes: 'specification' });
		const { exitCode, all } = await startCommand(['--base-url', service.url, '--read-only']);
		expect([exitCode, all]).toEqual([
			1,
			expect.stringMatching(/aiContent\.getMany\.alternate: missing/),
		]);
		expect(all).toMatch(/aiContent\/getMany\.ts: leave out the second path/);
		expect(service.control.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	it('says what stopped it: exit 2, with the report of what it had learned', async (test) => {
		const folder = await makeFolder(test);
		const json = join(folder, 'r.json');
		const service = await startService(test);
		const env = { ...environment, PORTAL_IO_PASSWORD: 'not the password 1' };
		const args = ['--base-url', service.url, '--json', json];
		const { exitCode, all } = await startCommand(args, env);
		expect([exitCode, all]).toEqual([2, expect.stringContaining('did not reach its end')]);
		expect(all).not.toContain('not the password');
		const report: Report = JSON.parse(await readFile(json, 'utf8'));
		expect(report.endedEarly).toBeTruthy();
		expect(report.endpoints.some(({ verdict }) => verdict === 'confirmed')).toBe(false);
	});

	it('ends in good order on Ctrl-C: exit 2, and what was made is removed', async (test) => {
		const folder = await makeFolder(test);
		const markdown = join(folder, 'r.md');
		const service = await startService(test);
		const running = startCommand(['--base-url', service.url, '--markdown', markdown]);
		await written(running, 'fields of items');
		running.kill('SIGINT');
		const { exitCode, all } = await running;
		expect([exitCode, all]).toEqual([2, expect.stringContaining('Press Ctrl-C again')]);
		expect(all).toMatch(/left behind[^]*proposal named 'n8n probe/);
		expect(await readFile(markdown, 'utf8')).toContain('did not reach its end');
		const made = service.control.requests.filter(({ path }) => path.endsWith('/items'));
		expect(made.map(({ method }) => method).at(-1)).toBe('DELETE');
	});

	it('ends at once on a second Ctrl-C', async (test) => {
		const service = await startService(test, { latencyMs: 2000 });
		const running = startCommand(['--base-url', service.url]);
		await written(running, 'login');
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
			[['--json', join(folder, 'none', 'r.json')], environment, /its folder does not exist/],
			[['--json', folder], environment, /it is a folder/],
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

	it('confirms nothing by the report of a stand-in', async (test) => {
		const file = join(await makeFolder(test), 'r.json');
		await writeFile(file, JSON.stringify({ service: 'http://127.0.0.1:4010', endpoints: [] }));
		const { exitCode, all } = await startCommand(['--confirm', file]);
		expect([exitCode, all]).toEqual([2, expect.stringContaining('not about Portal.io')]);
	});
});
