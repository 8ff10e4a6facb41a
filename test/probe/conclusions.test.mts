/** What follows from a report: its exit code, what to change, and what stands once. */
import { describe, expect, it } from 'vitest';
import { changesOf } from '../../probe/changes.mts';
import { NEEDS_AI, ONLY_READS } from '../../probe/leftOut.mts';
import { toMarkdown } from '../../probe/markdown.mts';
import type { EndpointReport, Report } from '../../probe/model.mts';
import { exitCodeOf } from '../../probe/report.mts';
import { summaryOf } from '../../probe/terminal.mts';
import { reportWith } from './reports.mts';

const untried = (note: string): Report =>
	reportWith([{ operation: 'aiBuild.start', verdict: 'not tried', note }]);
const withFacts = (facts: Report['facts']) => reportWith([], { facts });

describe('the exit code', () => {
	it.each<[code: number, what: string, report: Report]>([
		[0, 'all is confirmed', reportWith()],
		[0, 'an option is not given', untried(NEEDS_AI)],
		[0, 'only reads are allowed', untried(ONLY_READS)],
		[1, 'something could not be tried', untried('No proposal could be made for it.')],
		[1, 'something differs', reportWith([{ operation: 'item.move', verdict: 'differs' }])],
		[1, 'something is refused', reportWith([{ operation: 'item.move', verdict: 'refused' }])],
		[1, 'a path is missing', reportWith([{ operation: 'item.move', verdict: 'missing' }])],
		[1, 'a fact says otherwise', withFacts({ largestPage: { accepted: 50, refused: 51 } })],
		[0, 'there are more events', withFacts({ webhookEvents: { 'order.x': 'accepted' } })],
		[2, 'it ended early', reportWith([], { endedEarly: 'The service is too busy.' })],
	])('is %i when %s', (code, _what, report) => {
		expect(exitCodeOf(report)).toBe(code);
		const nothing = 'nothing differs';
		expect(toMarkdown(report).includes(nothing)).toBe(code === 0);
	});

	it('comes with what could not be tried', () => {
		const report = untried('No proposal could be made for it.');
		const line = 'aiBuild.start: No proposal could be made for it.';
		expect(summaryOf(report)).toContain(`What could not be tried\n  ${line}`);
		expect(toMarkdown(report)).toContain(`## What could not be tried\n\n- ${line}`);
		expect(summaryOf(untried(NEEDS_AI))).not.toContain('could not be tried');
	});
});

describe('facts', () => {
	const changes = (facts: Report['facts']) => changesOf(withFacts(facts));

	it.each([
		{ largestPage: { accepted: 100, refused: 101, status: 400 } },
		{ largestPage: { accepted: 1000, isCut: 'not known' } },
		// A page that comes short is understood.
		{ largestPage: { cutAt: 25 } },
		{ largestPage: 'not known: status 400' },
		{ clockTolerance: { ahead: { accepted: 300, refused: 304 }, behind: { accepted: 296 } } },
		{ clockTolerance: { ahead: { accepted: 296, refused: 300 }, behind: { accepted: 86_400 } } },
		{ clockTolerance: 'not known: not even the time of the service is accepted' },
		// The package exchanges another key.
		{ exchangeEndsFirstKey: true },
	])('that the package copes with change nothing: %j', (facts) => {
		expect(changes(facts)).toEqual([]);
	});

	it('that it does not cope with name the file', () => {
		expect(changes({ largestPage: { accepted: 50, refused: 51, status: 400 } })).toEqual([
			'nodes/PortalIoPollingTrigger/readModified.ts: ask for pages of 50, as 100 are refused',
		]);
		expect(changes({ largestPage: { accepted: 9, refused: 10, status: 400 } })[1]).toMatch(
			/^client\/lists\/pageSize\.ts: /,
		);
		const narrow = { ahead: { accepted: 120, refused: 124 }, behind: { accepted: 86_400 } };
		expect(changes({ clockTolerance: narrow })).toEqual([
			'client/auth/signRequest.ts: take the time from the service, as a date may be at most 120 seconds ahead',
		]);
	});
});

describe('a difference that several responses have', () => {
	const field = 'customer.partyType: a value that the contract does not list';
	const response = { status: 200, added: [], absent: [], types: [field] };
	const operations = ['proposal.get', 'area.create', 'item.add'];
	const others: Partial<EndpointReport>[] = operations.map((operation) => ({
		operation,
		verdict: 'differs',
		response,
	}));
	const own = { ...others[0], response: { ...response, absent: ['number'] } };

	it('stands once, with the number of endpoints', () => {
		const report = reportWith(others);
		const page = toMarkdown(report).split('## Responses')[0]!;
		expect(page).toContain(`- The responses of 3 endpoints have another value: \`${field}\`.`);
		expect(page).not.toContain('### proposal.get');
		expect(summaryOf(report).split('What differs')[1]!.split(field)).toHaveLength(2);
		expect(toMarkdown(report)).toContain('| 3 | proposal.get, area.create, item.add |');
		expect(changesOf(report)).toHaveLength(1);
	});

	it('does not hide what an endpoint has alone', () => {
		const page = toMarkdown(reportWith([own, ...others.slice(1)]));
		const [, section = ''] = page.split('### proposal.get: differs');
		expect(section.split('##')[0]).toContain('The response does not have `number`.');
		expect(section.split('##')[0]).toContain('The response differs as several do.');
		expect(section.split('##')[0]).not.toContain(field);
	});
});

describe('what is left', () => {
	const proposal = "A proposal named 'n8n probe …' with areas: no endpoint deletes proposals.";
	const items = "Items of the proposal 'n8n probe' could not be removed.";

	it('is told from what should be gone', () => {
		const report = reportWith([], { left: [items, proposal] });
		expect(summaryOf(report)).toContain(
			`What was left behind, as no endpoint deletes it\n  ${proposal}\n\nWhat should be gone and is not\n  ${items}`,
		);
		const [, lasting = '', failed = ''] = toMarkdown(report).split(/## What (?:was left|should)/);
		expect([lasting, failed].map((part) => part.includes('could not be removed'))).toEqual([
			...[false, true],
		]);
		expect(lasting).toContain('No endpoint deletes these:');
	});

	it('may be only what should be gone', () => {
		const page = toMarkdown(reportWith([], { left: [items] }));
		expect(page).not.toContain('No endpoint deletes these');
		expect(page).toContain('## What should be gone and is not');
	});
});
