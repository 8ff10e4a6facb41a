/**
 * Runs operations of each kind under every fault and compares the outcomes with the table in
 * docs/dev/faults.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { findSecrets, collectSecrets } from '../../dev/testbed/secrets.mts';
import { fileService, runner, startService } from '../wire/account.mts';
import { calls, kindTitles, prepareForCalls, type Kind } from '../wire/calls.mts';
import { skipWaits } from '../wire/waits.mts';
import { faultCases } from './faults.mts';
import { logLines, watchLog } from './log.mts';
import { observe, observedOperations, type ObservedOperation } from './observedOperations.mts';

skipWaits();
beforeAll(watchLog);
/** Host that no request is allowed to reach, even after a redirect to it. */
const otherHost = fileService();

async function prepareBench(subject: ObservedOperation) {
	// Pause the AI builder, which would otherwise change records without a request.
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

it.each(observedOperations)(
	'has the expected outcome under each fault, and exposes no secrets: $name',
	async (subject) => {
		const { kind, index = 0, progress = '' } = subject;
		const linesBefore = logLines().length;
		const bench = await prepareBench(subject);
		const secrets: Record<string, string> = {};
		const cases = faultCases.filter((one) => index === 0 || !one.affectsFirstRequest);
		for (const fault of cases) {
			const observation = await observe(bench, fault, otherHost.simulator.url);
			const isResult = observation.outcome.sees === 'a result';
			expect(observation.outcome, fault.name).toEqual(fault.expected[kind]);
			expect(observation.progress, fault.name).toBe(isResult ? '' : progress);
			const requestSecrets = collectSecrets(bench);
			for (const [what, secret] of Object.entries(requestSecrets))
				secrets[`${what}, ${fault.name}`] = secret;
			expect(findSecrets(observation.traces, requestSecrets), fault.name).toEqual([]);
		}
		expect(otherHost.control.requests).toEqual([]);
		// Expect enough secrets to search for: at least the password, the secret key, and the signatures of many
		// requests.
		expect(new Set(Object.values(secrets)).size).toBeGreaterThan(10);
		const lines = logLines().slice(linesBefore).join('\n');
		expect(findSecrets(lines, secrets), "in n8n's log").toEqual([]);
	},
);

/** Returns the table of expected outcomes, which apply to every operation of a kind. */
function table(): string {
	const kinds = Object.keys(kindTitles) as Kind[];
	const results = faultCases.map(({ name, row = name, expected }) => {
		return { row, result: kinds.map((kind) => expected[kind].cell).join(' | ') };
	});
	// Combine faults with the same outcomes in one row.
	const rows = Object.entries(Object.groupBy(results, ({ result }) => result)).map(
		([result, faults]) =>
			`| ${[...new Set(faults!.map(({ row }) => row))].join('; ')} | ${result} |`,
	);
	const head = ['Fault', ...kinds.map((kind) => kindTitles[kind])];
	return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows].join('\n');
}

it('matches the table in docs/dev/faults.md', () => {
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
