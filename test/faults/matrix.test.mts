/** One operation of each kind under every fault, as in the table of docs/dev/faults.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { findSecrets } from '../../dev/testbed/secrets.mts';
import { runner, seed, startService } from '../wire/account.mts';
import { calls, kindTitles, prepareForCalls, type Kind } from '../wire/calls.mts';
import { skipWaits } from '../wire/waits.mts';
import { faultCases } from './faults.mts';
import { logLines, watchLog } from './log.mts';
import { startOtherHost } from './otherHost.mts';
import { observe, secretsOf, subjects, type Subject } from './subjects.mts';

skipWaits();
beforeAll(watchLog);
const otherHost = startOtherHost();

async function benchOf(subject: Subject) {
	// Nothing changes but by a request.
	const { simulator, control, credential } = await startService({ aiStepSeconds: 3600 });
	onTestFinished(async () => {
		expect(control.contractViolations).toEqual([]);
		await simulator.stop();
	});
	prepareForCalls(control);
	const account = credential();
	await runner(() => account)('user.getMany');
	control.keepState();
	return { control, credential: account, subject, call: { ...calls[subject.name]! } };
}

it.each(subjects)('keeps the promises of $name under every fault', async (subject) => {
	const { kind, index = 0, progress = '' } = subject;
	const linesBefore = logLines().length;
	const bench = await benchOf(subject);
	const secrets: Record<string, string> = {};
	for (const fault of faultCases.filter(({ meetsFirst }) => index === 0 || !meetsFirst)) {
		const observation = await observe(bench, fault, otherHost.url);
		const isResult = observation.outcome.sees === 'a result';
		expect(observation.outcome, fault.name).toEqual(fault.expected[kind]);
		expect(observation.progress, fault.name).toBe(isResult ? '' : progress);
		const ofRequests = secretsOf(bench);
		Object.assign(secrets, ofRequests);
		expect(findSecrets(observation.traces, ofRequests), fault.name).toEqual([]);
	}
	// Password, secret key, and the signatures of many requests.
	expect(Object.keys(secrets).length).toBeGreaterThan(10);
	const lines = logLines().slice(linesBefore).join('\n');
	expect(findSecrets(lines, secrets), "in n8n's log").toEqual([]);
});

it('creates a proposal once, and names it when its contact cannot be assigned', async () => {
	const customerId = seed.contacts.company;
	const subject: Subject = {
		name: 'proposal.create',
		// The creation is over when the fault comes, and assigning a contact sets a value.
		kind: 'set',
		index: 1,
		parameters: {
			salesPersonId: seed.users.salesPriya,
			additionalFields: { contactId: customerId },
		},
		done: (control) => {
			const { id } = control.proposals().at(-1)!;
			return Number(control.proposal(Number(id)).customer?.id === customerId);
		},
	};
	const bench = await benchOf(subject);
	bench.call.requests = ['proposal.create', 'proposal.assignContact'];
	for (const fault of faultCases.filter(({ meetsFirst }) => !meetsFirst)) {
		const { outcome, progress, traces } = await observe(bench, fault, otherHost.url);
		const { id } = bench.control.proposals().at(-1)!;
		const expected = fault.expected.set;
		const isResult = expected.sees === 'a result';
		const incomplete = `The proposal was created (ID ${id}), but is incomplete`;
		expect(outcome, fault.name).toEqual({
			cell: expected.cell.replace(/ [↻⚠]$/, ''),
			sees: isResult ? expected.sees : `${incomplete}: ${expected.sees}`,
		});
		expect(progress).toBe(isResult ? '' : "Failed: 'Contact'.");
		expect(traces.includes('Running the step again would create another one')).toBe(!isResult);
		const creations = bench.control.requests.filter(
			({ operationId }) => operationId === 'proposal.create',
		);
		expect(creations).toHaveLength(1);
	}
});

/** The table of what is expected: the tests hold every operation to what is expected of its kind. */
function table(): string {
	const kinds = Object.keys(kindTitles) as Kind[];
	const results = faultCases.map(({ name, row = name, expected }) => {
		return { row, result: kinds.map((kind) => expected[kind].cell).join(' | ') };
	});
	// Faults with the same result share a row.
	const rows = Object.entries(Object.groupBy(results, ({ result }) => result)).map(
		([result, faults]) =>
			`| ${[...new Set(faults!.map(({ row }) => row))].join('; ')} | ${result} |`,
	);
	const head = ['fault', ...kinds.map((kind) => kindTitles[kind])];
	return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows].join('\n');
}

it('shows what is expected of each fault in docs/dev/faults.md', () => {
	const file = new URL('../../docs/dev/faults.md', import.meta.url);
	const parts = () =>
		readFileSync(file, 'utf8').split(/(?<=<!-- matrix:.*-->\n)|(?=\n<!-- matrix end)/);
	if (process.env.RELIABILITY === 'write') {
		writeFileSync(file, parts().with(1, table()).join(''));
	}
	expect(parts()[1]!.split('\n'), 'run `RELIABILITY=write npm run test:faults`').toEqual(
		table().split('\n'),
	);
});
