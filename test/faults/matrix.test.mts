/**
 * Every operation under every fault: what the user sees, how many requests went out, and what the
 * service holds afterwards. What came of it is the table of docs/reliability.md.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { findSecrets } from '../../testbed/secrets.mts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { seed, startService } from '../wire/account.mts';
import { callsFor } from '../wire/calls.mts';
import { readTable, writeTable } from './document.mts';
import { faultCases, type Outcome } from './faults.mts';
import { logLines, watchLog } from './log.mts';
import { observe, perform, stateOf, type Bench, type Observation } from './observe.mts';

const names = Object.entries(registry).flatMap(([resource, { operations }]) =>
	Object.keys(operations).map((operation) => `${resource}.${operation}`),
);

/** A host that must never be asked for anything. */
const asked: string[] = [];
const otherHost = createServer(({ url }, response) => {
	asked.push(String(url));
	response.end('{}');
});
const surroundings = { otherHost: '' };

beforeAll(async () => {
	watchLog();
	await new Promise<void>((resolve) => otherHost.listen(0, '127.0.0.1', resolve));
	surroundings.otherHost = `http://localhost:${(otherHost.address() as AddressInfo).port}`;
});
afterAll(() => {
	otherHost.close();
	expect(asked).toEqual([]);
});

type OnTestFinished = TestContext['onTestFinished'];

async function prepare(name: string, onTestFinished: OnTestFinished): Promise<Bench> {
	const service = await startService();
	onTestFinished(async () => await service.simulator.stop());
	const { control } = service;
	const call = callsFor(control)[name]!;
	const credential = service.credential();
	control.keepState();
	const before = stateOf(control);
	await perform({ credential, name, call });
	return { control, credential, name, call, before, done: stateOf(control) };
}

/** What must stand nowhere of the requests that a service has got since it was last looked at. */
function secretsOf({ control }: Bench): Record<string, string> {
	const found: Record<string, string> = {
		password: seed.dealer.password,
		'secret key': seed.dealer.secretKey,
	};
	for (const { headers } of control.requests) {
		for (const header of ['x-mss-signature', 'x-mss-api-userkey']) {
			const secret = headers[header];
			if (secret) found[`${header} ${secret.slice(0, 4)}`] = secret;
		}
	}
	return found;
}

describe('under every fault, as the table says', { concurrent: true, timeout: 120_000 }, () => {
	it.for(names)('%s', async (name, { onTestFinished }) => {
		const linesBefore = logLines().length;
		const bench = await prepare(name, onTestFinished);
		const { kind } = bench.call;
		expect(bench.done !== bench.before, 'a clean run changes something').toBe(kind !== 'read');
		const observed: Observation[] = [];
		const secrets: Record<string, string> = {};
		for (const fault of faultCases) {
			const observation = await observe(bench, fault, surroundings);
			observed.push(observation);
			const ofRequests = secretsOf(bench);
			Object.assign(secrets, ofRequests);
			const leaked = findSecrets(observation.traces, ofRequests);
			expect(leaked, `in what came of the fault ${fault.name}`).toEqual([]);
		}
		const byFault = (list: Outcome[]) =>
			Object.fromEntries(list.map((one, index) => [faultCases[index]!.name, one]));
		expect(byFault(observed.map(({ outcome }) => outcome))).toEqual(
			byFault(faultCases.map(({ expected }) => expected[kind])),
		);
		expect(bench.control.contractViolations).toEqual([]);
		expect(asked, 'the other host is never asked').toEqual([]);
		// Password, secret key, and the signatures of many requests.
		expect(Object.keys(secrets).length).toBeGreaterThan(10);
		const lines = logLines().slice(linesBefore).join('\n');
		expect(findSecrets(lines, secrets), "in n8n's log").toEqual([]);
	});
});

describe('docs/reliability.md', () => {
	it('shows what comes of each fault', async () => {
		const { simulator, control } = await startService();
		const calls = callsFor(control);
		await simulator.stop();
		// The tests above hold every operation to what is expected of its kind.
		const outcomes = new Map(
			names.map((name) => {
				const call = calls[name]!;
				return [name, { call, outcomes: faultCases.map(({ expected }) => expected[call.kind]) }];
			}),
		);
		if (process.env.RELIABILITY === 'write') writeTable(outcomes);
		const { written, current } = readTable(outcomes);
		expect(written, 'RELIABILITY=write npm run test:faults').toBe(current);
	});
});
