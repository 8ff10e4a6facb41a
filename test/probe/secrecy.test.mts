/** No value of the account reaches a report, whatever the service is and says. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toMarkdown } from '../../probe/markdown.mts';
import { publicReport, toJson } from '../../probe/report.mts';
import { summaryOf } from '../../probe/terminal.mts';
import { publicWords } from '../../probe/words.mts';
import { seed, startSimulator, type Simulator } from '../../simulator/index.mts';
import { examples } from '../../simulator/otherService/examples.mts';
import { valuesIn, valuesShown } from './account.mts';
import * as adversary from './adversary.mts';
import { makeFolder } from './command.mts';
import { startGateway } from './gateway.mts';
import { run, type Options } from './running.mts';

/** What a hostile or careless service says in an error. */
const careless = {
	message:
		"Proposal 48201 of Quarry Street Hospitality (avery@cedarandcoil.example) is not 'Holt theatre'",
	errorCode: 'Adeyemi lighting',
	status: 400,
	responseStatus: { errorCode: 'x', message: `Key ${seed.dealer.secretKey}`, errors: [] },
};

const services: [what: string, settings: object, options: Options][] = [
	['everything differs', examples.everything!, {}],
	['it describes itself', examples.discovery!, { readOnly: true }],
	['a user without permissions', {}, { user: 'restricted' }],
	['an expired subscription', {}, { user: 'lapsed' }],
	[
		'its errors repeat records and keys',
		{},
		{
			onStep: (step, { control }: Simulator) => {
				if (step === 'fields of items') {
					control.failNext({
						operationId: 'item.updateCost',
						status: 400,
						body: careless,
						times: 99,
					} as never);
				}
			},
		},
	],
];

describe('a report', () => {
	it.each(services)('has nothing of the account: %s', async (_what, settings, options) => {
		const database = join(await makeFolder({ onTestFinished }), 'db');
		const texts = new Set<string>();
		const words = (message: string, names: string[]) => publicWords(message, texts, names);
		const ran = await run({ ...settings, database }, { ...options, texts, words });
		const account = options.user === undefined ? seed.dealer : seed[options.user];
		const report = publicReport(ran.report, { keys: Object.values(account), texts });
		const shown = [toJson(report), toMarkdown(report), summaryOf(report)].join('\n');
		const values = valuesIn(database);
		expect(values.length).toBeGreaterThan(300);
		expect(valuesShown([...values, ...Object.values(account)], shown)).toEqual([]);
	});

	it('has nothing that no record held: errors, names, pages and redirects', async () => {
		const simulator = await startSimulator({ aiStepSeconds: 0.01 });
		onTestFinished(() => simulator.stop());
		const gateway = await startGateway(Number(new URL(simulator.url).port), adversary);
		onTestFinished(() => gateway.stop());
		const texts = new Set<string>();
		const words = (message: string, names: string[]) => publicWords(message, texts, names);
		const ran = await run({}, { baseUrl: gateway.url, texts, words });
		const report = publicReport(ran.report, { keys: Object.values(seed.dealer), texts });
		const shown = [toJson(report), toMarkdown(report), summaryOf(report)];
		for (const text of shown) {
			expect(adversary.PERSONAL.filter((one) => text.includes(one))).toEqual([]);
		}
		// It was said, and in each of the places.
		const { endpoints, facts } = report;
		const noteOf = (name: string) => endpoints.find((one) => one.operation === name)!.note;
		expect(noteOf('item.updateQuantity')).toBe('status 400: … of … may not change … at …');
		const added = endpoints.flatMap(({ response }) => response?.added ?? []);
		expect(added).toContain('(a name that is not shown)');
		expect(facts).toMatchObject({
			redirect: {
				'/': { location: '/…/{id} of another host' },
				'/public/users/': { location: '/…/…/…' },
			},
			discovery: {
				source: '/openapi',
				others: ['GET /public/…/…', 'GET /public/clients/…'],
			},
			missingRoute: { members: expect.arrayContaining(['message', '(a name that is not shown)']) },
		});
		expect(JSON.stringify(ran.report)).toContain('Jane');
	});

	it('would have something of it without its protection', async () => {
		const [, settings, options] = services.at(-1)!;
		const database = join(await makeFolder({ onTestFinished }), 'db');
		const words = (message: string) => message;
		const { report } = await run({ ...settings, database }, { ...options, words });
		expect(valuesShown(valuesIn(database), toJson(report))).not.toEqual([]);
	});
});
