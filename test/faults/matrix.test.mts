/**
 * Every operation under every fault: what the user sees, how many requests went out, and what the
 * service holds afterwards. What came of it is the table of docs/reliability.md.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSecrets } from '../../testbed/secrets.mts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { seed, startService } from '../wire/account.mts';
import { callsFor, type Call } from './calls.mts';
import { readTable, writeTable } from './document.mts';
import { faultCases, type Outcome } from './faults.mts';
import { logLines, watchLog } from './log.mts';
import { observe, perform, stateOf, type Bench, type Observation } from './observe.mts';

const names = Object.entries(registry).flatMap(([resource, { operations }]) =>
	Object.keys(operations).map((operation) => `${resource}.${operation}`),
);

const services: Awaited<ReturnType<typeof startService>>[] = [];
/** By operation, in the order of the faults. */
const outcomes = new Map<string, { call: Call; outcomes: Outcome[] }>();
/** What must stand nowhere, of all services. */
const secrets: Record<string, string> = {};

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
afterAll(async () => {
	otherHost.close();
	await Promise.all(services.map(({ simulator }) => simulator.stop()));
});

async function prepare(name: string): Promise<Bench> {
	const service = await startService();
	services.push(service);
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
	it.each(names)('%s', async (name) => {
		const bench = await prepare(name);
		const { kind } = bench.call;
		expect(bench.done !== bench.before, 'a clean run changes something').toBe(kind !== 'read');
		const observed: Observation[] = [];
		for (const fault of faultCases) {
			const observation = await observe(bench, fault, surroundings);
			observed.push(observation);
			const ofRequests = secretsOf(bench);
			Object.assign(secrets, ofRequests);
			const leaked = findSecrets(observation.traces, ofRequests);
			expect(leaked, `in what came of the fault ${fault.name}`).toEqual([]);
		}
		outcomes.set(name, { call: bench.call, outcomes: observed.map(({ outcome }) => outcome) });
		const byFault = (list: Outcome[]) =>
			Object.fromEntries(list.map((one, index) => [faultCases[index]!.name, one]));
		expect(byFault(observed.map(({ outcome }) => outcome))).toEqual(
			byFault(faultCases.map(({ expected }) => expected[kind])),
		);
		expect(bench.control.contractViolations).toEqual([]);
	});
});

describe('after all of this', () => {
	it('nobody has asked the other host for anything', () => expect(asked).toEqual([]));

	it("no line of n8n's log holds a password, key or signature", () => {
		expect(Object.keys(secrets).length).toBeGreaterThan(names.length);
		expect(findSecrets(logLines().join('\n'), secrets)).toEqual([]);
	});

	it('docs/reliability.md shows what came of it', () => {
		if (process.env.RELIABILITY === 'write') writeTable(outcomes);
		const { written, current } = readTable(outcomes);
		expect(written, 'RELIABILITY=write npm run test:faults').toBe(current);
	});
});
