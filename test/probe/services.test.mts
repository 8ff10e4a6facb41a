/** Whether the probe finds the truth about services that differ, without being told. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../probe/model.mts';
import { startSimulator, type Simulator } from '../../simulator/index.mts';
import { examples } from '../../simulator/otherService/examples.mts';
import { isSettable, tryCorrection } from './corrections.mts';
import { expectedOf, lowerCase, unexplained } from './expected.mts';
import { run } from './running.mts';

/** Each setting at least once, and all of them together. */
const NAMES = [
	'strict',
	'signedQuery',
	'otherNames',
	'plainErrors',
	'noValidation',
	'jsonOnly',
	'formOnly',
	'commasOnly',
	'bracketsOnly',
	'otherPaths',
	'otherValues',
	'everything',
	'everythingDescribed',
];

/** Those whose requests of items differ in another way each; in the others they do as in these. */
const CORRECTED = ['noValidation', 'jsonOnly', 'commasOnly', 'bracketsOnly', 'everything'];

/** These services take fields that they do not know, and nothing returns internal notes. */
const unchanged = (operation: string) =>
	operation === 'proposal.updateInternalNotes' ? 'not tried' : 'confirmed';

/** Whether the response lacks something, or has something of another type. */
const deviates = ({ response }: Report['endpoints'][number]) =>
	response !== undefined && response.absent.length + response.types.length > 0;

/** By service, for the tests of their corrections. */
const reports = new Map<string, Report>();

describe.each(NAMES)('the service %s', (name) => {
	it('is reported as its settings say: every deviation with its correction, and no other', async () => {
		const { report } = await run(examples[name]!);
		reports.set(name, report);
		expect(report.endedEarly).toBeUndefined();
		for (const { operation, isMissing, correction } of expectedOf(name)) {
			const one = report.endpoints.find((each) => each.operation === operation)!;
			const isOther = correction !== undefined || deviates(one);
			expect({
				operation,
				correction: lowerCase(one.correction),
				unexplained: unexplained(name, one),
				verdict: one.verdict,
			}).toEqual({
				operation,
				correction: lowerCase(correction),
				unexplained: [],
				verdict: isMissing ? 'missing' : isOther ? 'differs' : unchanged(operation),
			});
		}
	});
});

describe.each(CORRECTED)('the package, given the corrections for the service %s', (name) => {
	let simulator: Simulator;
	beforeAll(async () => void (simulator = await startSimulator(examples[name]!)));
	afterAll(async () => await simulator.stop());

	it('does with items what it did not do without', async () => {
		const corrected = (reports.get(name) ?? (await run(examples[name]!)).report).endpoints.flatMap(
			({ operation, correction }) =>
				correction !== undefined && isSettable(operation, correction)
					? [[operation, correction] as const]
					: [],
		);
		expect(corrected.length).toBeGreaterThan(3);
		const effects: Record<string, object> = {};
		for (const [operation, correction] of corrected) {
			effects[operation] = await tryCorrection(simulator, operation, correction);
		}
		expect(effects).toEqual(
			Object.fromEntries(corrected.map(([one]) => [one, { without: false, with: true }])),
		);
	});
});
