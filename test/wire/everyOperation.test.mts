/** A valid call of every operation, through n8n-core and over a socket. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { execute } from '../../testbed/nodeRunner.mts';
import { startService } from './account.mts';
import { callsFor, kindTitles, operationNames, requestsOf } from './calls.mts';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** A service that is ready for the calls. */
async function prepare() {
	const { simulator, control, credential } = await startService();
	return { simulator, control, credential: credential(), calls: callsFor(control) };
}

describe('every operation of the node', () => {
	it('has a valid call in the table, which has no others', async () => {
		const { simulator, calls } = await prepare();
		const others = Object.keys(calls).filter((name) => !operationNames.includes(name));
		expect(others, 'remove from test/wire/calls.mts').toEqual([]);
		await simulator.stop();
	});

	it('is what docs/reliability.md calls it', async () => {
		const { simulator, calls } = await prepare();
		await simulator.stop();
		const page = read('../../docs/reliability.md');
		const listed = [...page.matchAll(/^- \*\*(.+)\*\* \(\d+\): (.+)$/gm)].flatMap(
			([, title, names]) => names!.split(', ').map((name) => `${name} ${title}`),
		);
		const wrong = Object.entries(calls)
			.map(([name, { kind }]) => `\`${name}\` ${kindTitles[kind]}`)
			.filter((one) => !listed.includes(one));
		expect(wrong, 'by test/wire/calls.mts; otherwise run `npm run docs`').toEqual([]);
		expect(listed).toHaveLength(operationNames.length);
	});

	it('has a test of its own', () => {
		const texts = readdirSync(import.meta.dirname)
			.filter((file) => /(?<!contract)\.test\.mts$/.test(file))
			.map((file) => read(file));
		const untested = operationNames.filter((name) =>
			texts.every((text) => !text.includes(`'${name}'`)),
		);
		expect(untested, 'add one to test/wire/<resource>.test.mts').toEqual([]);
	});

	it.each(operationNames)(
		'%s sends its requests, each once and in order, which the service accepts',
		async (name) => {
			const { simulator, control, credential, calls } = await prepare();
			const { parameters, file } = calls[name]!;
			const [resource, operation] = name.split('.') as [string, string];
			const output = await execute({
				credential,
				parameters: { resource, operation, ...parameters },
				inputs: [{ json: {}, ...(file && { binary: { data: file } }) }],
			});
			expect(output.length).toBeGreaterThan(0);
			const ids = requestsOf(name, calls[name]!).map(({ id }) => id);
			const sent = control.requests.filter(({ operationId = '' }) => ids.includes(operationId));
			expect(sent.map(({ operationId }) => operationId)).toEqual(ids);
			for (const { isAccepted, status } of sent) {
				expect(isAccepted).toBe(true);
				expect(status).toBeLessThan(300);
			}
			expect(control.contractViolations).toEqual([]);
			await simulator.stop();
		},
	);
});
