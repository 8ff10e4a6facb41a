/** Operations of each kind under every fault. The expected results are the table of docs/dev/faults.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { findSecrets, secretsOf } from '../../dev/testbed/secrets.mts';
import { fileService, runner, startService } from '../wire/account.mts';
import { calls, kindTitles, prepareForCalls, type Kind } from '../wire/calls.mts';
import { skipWaits } from '../wire/waits.mts';
import { faultCases } from './faults.mts';
import { logLines, watchLog } from './log.mts';
import { observe, subjects, type Subject } from './subjects.mts';

skipWaits();
beforeAll(watchLog);
/** Must never be asked for anything, whatever a redirect says. */
const otherHost = fileService();

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

it.each(subjects)(
	'says of $name what each fault has done, and shows no secret',
	async (subject) => {
		const { kind, index = 0, progress = '' } = subject;
		const linesBefore = logLines().length;
		const bench = await benchOf(subject);
		const secrets: Record<string, string> = {};
		for (const fault of faultCases.filter(({ meetsFirst }) => index === 0 || !meetsFirst)) {
			const observation = await observe(bench, fault, otherHost.simulator.url);
			const isResult = observation.outcome.sees === 'a result';
			expect(observation.outcome, fault.name).toEqual(fault.expected[kind]);
			expect(observation.progress, fault.name).toBe(isResult ? '' : progress);
			const ofRequests = secretsOf(bench);
			for (const [what, secret] of Object.entries(ofRequests))
				secrets[`${what}, ${fault.name}`] = secret;
			expect(findSecrets(observation.traces, ofRequests), fault.name).toEqual([]);
		}
		expect(otherHost.control.requests).toEqual([]);
		// Password, secret key, and the signatures of many requests.
		expect(new Set(Object.values(secrets)).size).toBeGreaterThan(10);
		const lines = logLines().slice(linesBefore).join('\n');
		expect(findSecrets(lines, secrets), "in n8n's log").toEqual([]);
	},
);

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
	const head = ['Fault', ...kinds.map((kind) => kindTitles[kind])];
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
