/** Parameters of queries that a service ignores. */
import { describe, expect, test } from 'vitest';
import { publicReport } from '../../probe/report.mts';
import { examples } from '../../simulator/otherService/examples.mts';
import { run } from './running.mts';

const LISTS = ['proposal.getMany', 'contact.getMany', 'catalog.search'];

/** What a run that only reads finds out about the lists. */
async function listsAt(settings: Parameters<typeof run>[0]) {
	const { report } = await run(settings, { readOnly: true });
	const { facts, endpoints, changes } = publicReport(report, { keys: [], texts: [] });
	const lists = endpoints.filter(({ operation }) => LISTS.includes(operation));
	return { filters: facts.filters as Record<string, Record<string, unknown>>, lists, changes };
}

describe('a query', () => {
	test.each([
		['the simulator', {}],
		['framework', examples.framework!],
		['strict', examples.strict!],
		['signedQuery', examples.signedQuery!],
	])('has an effect with all of its parameters at %s', async (_name, settings) => {
		const { filters, lists } = await listsAt(settings);
		expect(Object.keys(filters)).toEqual(LISTS);
		const results = Object.values(filters).flatMap((one) => Object.values(one));
		expect(results.length).toBeGreaterThan(20);
		expect(new Set(results)).toEqual(new Set(['filters', 'sorts', 'counts']));
		expect(lists.map(({ verdict, ignored }) => [verdict, ignored])).toEqual(
			LISTS.map(() => ['confirmed', undefined]),
		);
	});

	test('whose parameters have other names is not confirmed, and is to be changed', async () => {
		const others = (...all: string[]) => Object.fromEntries(all.map((name) => [name, `${name}X`]));
		const names = {
			'proposal.getMany': others('Statuses', 'SearchText', 'IsArchive', 'ModifiedAfter'),
			'contact.getMany': others('ContactTypes', 'SortBy', 'PageNumber'),
			'catalog.search': others('Brands', 'IsFavorite', 'ItemType', 'PageSize'),
		};
		const { lists, changes } = await listsAt({ service: { names } });
		const ignored = Object.fromEntries(lists.map((one) => [one.operation, one.ignored?.sort()]));
		expect(ignored).toEqual(
			Object.fromEntries(
				Object.entries(names).map(([operation, own]) => [operation, Object.keys(own).sort()]),
			),
		);
		expect(lists.every(({ verdict }) => verdict === 'differs')).toBe(true);
		expect(lists[1]!.note).toMatch(/^In the query, .+ have no effect\.$/);
		expect(changes.map((line) => line.split(':')[0])).toEqual([
			'nodes/PortalIo/resources/proposal/getMany.ts',
			'nodes/PortalIo/resources/contact/getMany.ts',
			'nodes/PortalIo/resources/catalog/search.ts',
		]);
		expect(changes[0]).toContain('no effect in the query of `GET /public/proposals`');
	});

	test('that had no effect says by which parameter', async () => {
		const { report } = await run({
			service: { names: { 'proposal.getMany': { ContactId: 'X' } } },
		});
		const one = report.endpoints.find(({ operation }) => operation === 'proposal.getMany')!;
		expect(one).toMatchObject({ verdict: 'differs', ignored: ['ContactId'] });
		expect(one.note).toBe('In the query, ContactId has no effect.');
	});

	test('with values of another edition is refused, which says nothing of its parameters', async () => {
		const { filters, lists } = await listsAt({
			service: { values: { SortDirection: { Asc: 'Up', Desc: 'Down' } } },
		});
		expect(filters['proposal.getMany']).toMatchObject({ SortBy: 400, SortDirection: 400 });
		expect(lists.every(({ ignored }) => ignored === undefined)).toBe(true);
	});
});
