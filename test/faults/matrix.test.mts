/**
 * Every operation under every fault: what the user sees, how many requests went out, and what the
 * service holds afterwards. What came of it is the table of docs/reliability.md.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { findSecrets } from '../../testbed/secrets.mts';
import { seed, startService } from '../wire/account.mts';
import { callsFor, operationNames, requestsOf, type Call, type Request } from '../wire/calls.mts';
import { readTable, writeTable } from './document.mts';
import { faultCases } from './faults.mts';
import { logLines, watchLog } from './log.mts';
import { observe, statesOf, type Bench, type Observation } from './observe.mts';

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
	// Nothing changes but by a request: what is held is compared before and after.
	const service = await startService({ aiStepSeconds: 3600 });
	onTestFinished(async () => await service.simulator.stop());
	const { control } = service;
	const call = callsFor(control)[name]!;
	const credential = service.credential();
	const bench = { control, credential, name, call };
	return { ...bench, states: await statesOf(bench) };
}

/** What an error has to say about the fields of several requests, of which one failed. */
function progressAt(requests: Request[], failed: number): string {
	if (requests.length < 2) return '';
	const labels = (some: Request[]) =>
		some.flatMap(({ sets }) => sets.map((label) => `'${label}'`)).join(', ');
	return [
		['Set', labels(requests.slice(0, failed))],
		['Failed', labels([requests[failed]!])],
		['Not sent', labels(requests.slice(failed + 1))],
	]
		.filter(([, fields]) => fields !== '')
		.map(([what, fields]) => `${what}: ${fields}.`)
		.join(' ');
}

/** Each request of each operation: the fault meets one of them, and those before it go through. */
async function everyRequest(): Promise<[name: string, index: number][]> {
	const { simulator, control } = await startService();
	const calls = callsFor(control);
	await simulator.stop();
	return operationNames.flatMap((name) =>
		requestsOf(name, calls[name]!).map((_, index): [string, number] => [name, index]),
	);
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

const everyOne = (await everyRequest()).map(
	([name, index]) => [index === 0 ? name : `${name}, request ${index + 1}`, name, index] as const,
);

describe('under every fault, as the table says', { concurrent: true }, () => {
	it.for(everyOne)('%s', async ([, name, index], { onTestFinished }) => {
		const linesBefore = logLines().length;
		const bench = await prepare(name, onTestFinished);
		const { call, states } = bench;
		const isRead = call.kind === 'read';
		expect(new Set(states).size, 'each request of a clean run changes something').toBe(
			isRead ? 1 : states.length,
		);
		const cases = faultCases.filter(({ meetsFirst }) => index === 0 || !meetsFirst);
		const observed: Observation[] = [];
		const secrets: Record<string, string> = {};
		for (const fault of cases) {
			const observation = await observe(bench, fault, surroundings, index);
			observed.push(observation);
			const ofRequests = secretsOf(bench);
			Object.assign(secrets, ofRequests);
			const leaked = findSecrets(observation.traces, ofRequests);
			expect(leaked, `in what came of the fault ${fault.name}`).toEqual([]);
		}
		const byFault = <T,>(list: T[]) =>
			Object.fromEntries(list.map((one, at) => [cases[at]!.name, one]));
		expect(byFault(observed.map(({ outcome }) => outcome))).toEqual(
			byFault(cases.map(({ expected }) => expected[call.kind])),
		);
		const whenFailed = progressAt(requestsOf(name, call), index);
		expect(byFault(observed.map(({ progress }) => progress))).toEqual(
			byFault(observed.map(({ outcome }) => (outcome.sees === 'a result' ? '' : whenFailed))),
		);
		expect(bench.control.contractViolations).toEqual([]);
		expect(asked, 'the other host is never asked').toEqual([]);
		// Password, secret key, and the signatures of many requests.
		expect(Object.keys(secrets).length).toBeGreaterThan(10);
		const lines = logLines().slice(linesBefore).join('\n');
		expect(findSecrets(lines, secrets), "in n8n's log").toEqual([]);
	});
});

it.concurrent.for(faultCases.filter(({ meetsFirst }) => !meetsFirst))(
	'$name: a proposal is created once, and named when its contact cannot be assigned',
	async (fault, { onTestFinished }) => {
		const service = await startService();
		onTestFinished(async () => await service.simulator.stop());
		const { control } = service;
		const name = 'proposal.create';
		const call: Call = {
			// The creation is over when the fault comes, and assigning a contact sets a value.
			kind: 'set',
			parameters: {
				salesPersonId: seed.users.salesPriya,
				additionalFields: { contactId: seed.contacts.company },
			},
			requests: [
				{ id: name, sets: [] },
				{ id: 'proposal.assignContact', sets: ['Contact'] },
			],
		};
		const bench = { control, credential: service.credential(), name, call };
		const states = await statesOf(bench);
		const { id } = control.proposals().at(-1)!;
		const { outcome, progress, traces } = await observe(
			{ ...bench, states },
			fault,
			surroundings,
			1,
		);
		const expected = fault.expected.set;
		const isResult = expected.sees === 'a result';
		expect(outcome).toEqual({
			...expected,
			doubt: '',
			sees: isResult
				? expected.sees
				: `The proposal was created with the ID ${id}, but not completed: ${expected.sees}`,
		});
		expect(progress).toBe(isResult ? '' : "Failed: 'Contact'.");
		expect(traces.includes('Running the step again would create another one')).toBe(!isResult);
		expect(control.requests.filter(({ operationId }) => operationId === name)).toHaveLength(1);
	},
);

it('docs/reliability.md shows what is expected of each fault', () => {
	if (process.env.RELIABILITY === 'write') writeTable();
	const { written, expected } = readTable();
	const stale = expected.filter((row) => !written.includes(row));
	expect(stale, 'run `RELIABILITY=write npm run test:faults`').toEqual([]);
	expect(written).toHaveLength(expected.length);
	expect(written.findIndex((row, at) => row !== expected[at])).toBe(-1);
});
