/** The example that reports the pipeline, unattended in the real n8n, from one day to the next. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { itemsOf } from '../../../testbed/n8n/database.mts';
import { installationFolder } from '../../../testbed/paths.mts';
import { seed } from '../../../simulator/index.mts';
import { ownStage } from '../stages.mts';
import {
	cents,
	DAY,
	dayBefore,
	days,
	isoDay,
	longDay,
	money,
	sum,
	textsOf,
} from './reportPage.mts';

/** What n8n itself reads emails with. */
interface MailParser {
	simpleParser(email: Buffer): Promise<{ subject: string; html: string }>;
}
const { simpleParser } = createRequire(join(installationFolder, 'package.json'))(
	'mailparser',
) as MailParser;

const NAME = 'Pipeline report';
const TABLE = 'portal_pipeline';
const OPEN = ['Draft', 'Submitted', 'ViewedByClient', 'Delayed', 'EmailFailed'];
const { proposals } = seed;

const stage = ownStage({ examples: [NAME] });
let project: string;

/** A proposal as the row of a day has it, as far as it is looked at here. */
interface Remembered {
	proposalId: number;
	total: number;
	[field: string]: unknown;
}

const tablePath = () => `/projects/${project}/data-tables/${stage().tables[TABLE]}/rows`;
const rowsOf = async () => await stage().n8n.dataTableRows(TABLE);

/** Makes the row of today one of some days ago, with other proposals if they are given. */
async function age(days: number, change = (list: Remembered[]) => list) {
	const [row] = (await rowsOf()).filter(({ day }) => day === isoDay(new Date()));
	const remembered = JSON.parse(String(row!.proposals)) as Remembered[];
	await stage().n8n.rest('PATCH', tablePath(), {
		filter: {
			type: 'and',
			filters: [{ columnName: 'day', condition: 'eq', value: isoDay(new Date()) }],
		},
		data: { day: isoDay(dayBefore(days)), proposals: JSON.stringify(change(remembered)) },
	});
}

/** Runs the example and returns the page that it wrote. */
async function report() {
	const { n8n, workflows } = stage();
	const execution = await n8n.runManually(workflows[NAME]!, 'Every Morning at 07:00');
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	const [file] = itemsOf<{ fileName: string }>(execution, 'Write Page');
	expect(file!.fileName).toMatch(RegExp(`pipeline-${isoDay(new Date())}\\.html$`));
	const html = await readFile(n8n.writtenFile(file!.fileName), 'utf8');
	const texts = textsOf(html);
	const changesAt = texts.findIndex((text) => text.startsWith('Changes'));
	return { html, texts, changes: texts.slice(changesAt, -1) };
}

/** What the seed has open: cents and whole days since the creation, by one of the two texts. */
function open() {
	const { control } = stage().simulator;
	return control
		.proposals()
		.filter((row) => row.account_id === seed.accounts.dealer && row.is_archived === 0)
		.map(({ id }) => control.proposal(Number(id)))
		.filter(({ status }) => OPEN.includes(status))
		.map((one) => ({
			status: String(one.status).replace(/([a-z])([A-Z])/g, '$1 $2'),
			salesperson: `${one.dealer.salesperson.firstName} ${one.dealer.salesperson.lastName}`,
			cents: cents(one.financialSummary.proposalTotal),
			age: Math.floor((Date.now() - Date.parse(one.createdDate)) / DAY),
		}));
}

type Open = ReturnType<typeof open>;
const agesOf = (some: Open) => ({
	oldest: days(Math.max(...some.map(({ age }) => age))),
	average: days(Math.round(sum(some.map(({ age }) => age)) / some.length)),
});
const countOf = ({ length }: Open) => `${length} proposal${length === 1 ? '' : 's'}`;

describe('the example "Pipeline report"', () => {
	beforeAll(async () => {
		project = (await stage().n8n.rest<{ id: string }>('GET', '/projects/personal')).id;
		stage().simulator.control.keepState();
	});
	beforeEach(async () => {
		const filter = {
			type: 'and',
			filters: [{ columnName: 'day', condition: 'neq', value: 'none' }],
		};
		const query = encodeURIComponent(JSON.stringify(filter));
		await stage().n8n.rest('DELETE', `${tablePath()}?filter=${query}`);
	});
	afterEach(() => stage().simulator.control.restoreState());

	test('shows count, total and age by status and by salesperson', async () => {
		const all = open();
		expect(all).toHaveLength(13);
		const { html, texts, changes } = await report();
		expect(texts.slice(0, 2)).toEqual([
			'Pipeline',
			`${longDay(new Date())}, ${new Date().getUTCFullYear()}`,
		]);
		expect(texts[2]).toBe(
			`${money(sum(all.map((one) => one.cents)))} open in total ${all.length} open proposals ${agesOf(all).oldest} the oldest ${agesOf(all).average} on average`,
		);
		const byStatus = texts.slice(texts.indexOf('By status') + 1, texts.indexOf('By salesperson'));
		const expected = ['Draft', 'Submitted', 'Viewed By Client', 'Delayed', 'Email Failed'];
		expect(byStatus).toEqual(
			expected.flatMap((status) => {
				const some = all.filter((one) => one.status === status);
				const ages = agesOf(some);
				return [
					`${status} ${countOf(some)} ${money(sum(some.map((one) => one.cents)))}`,
					`oldest ${ages.oldest}, average ${ages.average}`,
				];
			}),
		);
		// A projector, a screen and 16 hours; without an address there is no tax.
		expect(byStatus).toContain(`Delayed 1 proposal ${money(649_900 + 189_000 + 16 * 12_500)}`);

		const people = [...new Set(all.map(({ salesperson }) => salesperson))]
			.map((salesperson) => all.filter((one) => one.salesperson === salesperson))
			.map((some) => ({ some, cents: sum(some.map((one) => one.cents)) }))
			.toSorted((one, other) => other.cents - one.cents);
		const bySalesperson = texts.slice(
			texts.indexOf('By salesperson') + 1,
			texts.indexOf('Changes'),
		);
		expect(bySalesperson).toEqual(
			people.flatMap(({ some, cents: total }) => [
				`${some[0]!.salesperson} ${countOf(some)} ${money(total)}`,
				...expected
					.map((status) => some.filter((one) => one.status === status))
					.filter(({ length }) => length > 0)
					.map((part) => {
						const ages = agesOf(part);
						const amount = money(sum(part.map((one) => one.cents)));
						return `${part.length} ${part[0]!.status} oldest ${ages.oldest}, average ${ages.average} ${amount}`;
					}),
			]),
		);
		expect(changes).toEqual(['Changes', expect.stringMatching(/^This is the first report\./)]);
		// It needs nothing from outside, and no script.
		expect(html).not.toMatch(/<script|<img|<link|https?:|url\(|@import/);
		expect(await rowsOf()).toMatchObject([{ day: isoDay(new Date()) }]);
	});

	test('shows what has changed since the last report, also in a second run on one day', async () => {
		const { control } = stage().simulator;
		await report();
		await age(1, (list) => [
			// It has become more expensive by 12.34 since then.
			...list.map((one) =>
				one.proposalId === proposals.delayed ? { ...one, total: 1_038_900 / 100 - 12.34 } : one,
			),
			{ ...list[0]!, proposalId: 999_999, number: 77, name: 'Deleted', total: 1.5 },
		]);
		control.setStatus(proposals.submitted, 'Accepted');
		control.setStatus(proposals.viewed, 'Declined');
		control.setStatus(proposals.submittedToo, 'ViewedByClient');
		control.setStatus(proposals.declined, 'Submitted');
		control.updateProposal(proposals.freshLighting, { isArchived: true });
		const line = (id: number, who: string, what: string) => {
			const { number, name, customer, financialSummary } = control.proposal(id);
			const by = customer.companyName ?? `${customer.firstName} ${customer.lastName}`;
			const amount = money(cents(financialSummary.proposalTotal));
			return [`${number} ${name}`, `${by}, ${who}`, what, amount];
		};
		const expected = [
			line(proposals.declined, 'Avery Lindqvist', 'New Submitted'),
			line(proposals.submittedToo, 'Jordan Okafor', 'Changed Submitted → Viewed By Client'),
			line(proposals.delayed, 'Avery Lindqvist', 'Changed $10,376.66 → $10,389.00'),
			line(proposals.submitted, 'Avery Lindqvist', 'Accepted Submitted → Accepted'),
			line(proposals.viewed, 'Priya Raman', 'Declined Viewed By Client → Declined'),
			line(proposals.freshLighting, 'Avery Lindqvist', 'Gone Draft → archived'),
		];
		for (let run = 1; run <= 2; run++) {
			const { changes } = await report();
			expect(changes[0]).toBe(`Changes since ${longDay(dayBefore(1))}`);
			const entries = Array.from({ length: (changes.length - 1) / 4 }, (_, index) =>
				changes.slice(1 + index * 4, 5 + index * 4),
			);
			expect(entries).toHaveLength(expected.length + 1);
			expect(entries).toEqual(expect.arrayContaining(expected));
			const [deleted] = entries.filter(([name]) => name === '77 Deleted');
			expect(deleted!.slice(2)).toEqual([expect.stringMatching(/^Gone .* → not found$/), '$1.50']);
			const days = (await rowsOf()).map(({ day }) => day);
			expect(days).toEqual([isoDay(dayBefore(1)), isoDay(new Date())]);
		}
	});

	test('compares with the last report after days without one, and forgets the one before', async () => {
		await report();
		await age(6);
		await report();
		await age(3);
		const { changes } = await report();
		expect(changes).toEqual([`Changes since ${longDay(dayBefore(3))}`, 'Nothing has changed.']);
		const days = (await rowsOf()).map(({ day }) => day);
		expect(days).toEqual([isoDay(dayBefore(3)), isoDay(new Date())]);
	});

	test('says that nothing is open, and on the next day what is new', async () => {
		const { control } = stage().simulator;
		for (const { id } of control.proposals()) {
			control.updateProposal(Number(id), { isArchived: true });
		}
		const { texts } = await report();
		expect(texts[2]).toBe(
			'$0.00 open in total 0 open proposals 0 days the oldest 0 days on average',
		);
		expect(texts.filter((text) => text === 'There are no open proposals.')).toHaveLength(2);
		expect(await rowsOf()).toEqual([{ day: isoDay(new Date()), proposals: '[]' }]);
		await age(1);
		control.updateProposal(proposals.empty, { isArchived: false });
		const { changes } = await report();
		expect(changes.slice(1)).toEqual([
			expect.stringMatching(/Untitled walkthrough$/),
			'no customer yet, Avery Lindqvist',
			'New Draft',
			'$0.00',
		]);
	});

	test('shows every name as it is written', async () => {
		const { control } = stage().simulator;
		await report();
		await age(1);
		const name = `<script>alert("1")</script> & 'two' \\" $& $1 {{ $json.rows }} \u{1F3A7} é`;
		control.addProposals(1, { like: proposals.freshLighting, name, number: 5000 });
		const { html, changes } = await report();
		expect(changes[1]).toBe(`5000 ${name}`);
		expect(html).not.toContain('<script');
	});

	test('sends the page by email, and saves the day only when it is sent', async () => {
		const { n8n, workflows } = stage();
		const emails: Buffer[] = [];
		let isFull = true;
		const server = new SMTPServer({
			disabledCommands: ['AUTH', 'STARTTLS'],
			async onData(stream, _session, done) {
				const email = await buffer(stream);
				if (isFull) return done(new Error('The mailbox is full'));
				emails.push(email);
				done();
			},
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.server.address() as AddressInfo;
		const { id, name } = await n8n.rest<{ id: string; name: string }>('POST', '/credentials', {
			name: 'Email',
			type: 'smtp',
			data: { host: '127.0.0.1', port, secure: false, disableStartTls: true },
		});
		const { nodes } = structuredClone(workflows[NAME]!);
		const step = nodes.find((node) => node.name === 'Send Email')!;
		step.disabled = false;
		step.credentials = { smtp: { id, name } };
		Object.assign(step.parameters, {
			fromEmail: 'n8n@dealer.example',
			toEmail: 'avery@dealer.example',
		});
		await n8n.updateWorkflow(workflows[NAME]!, { nodes });

		const failed = await n8n.runManually(workflows[NAME]!, 'Every Morning at 07:00');
		expect(failed.error?.message).toMatch(/mailbox is full/);
		expect(await rowsOf()).toEqual([]);
		isFull = false;
		const { html } = await report();
		expect(await rowsOf()).toHaveLength(1);
		expect(emails).toHaveLength(1);
		const email = await simpleParser(emails[0]!);
		expect(email.subject).toBe(`Pipeline of ${longDay(new Date()).replace(/^\w+, /, '')}`);
		expect(email.html.trim()).toBe(html);
		await n8n.updateWorkflow(workflows[NAME]!, { nodes: workflows[NAME]!.nodes });
		await new Promise<void>((resolve) => server.close(() => resolve()));
	});
});
