/** Tests reading a list for a poll while the list changes. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import type { PollEvent } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { listModified } from '../../nodes/PortalIoPollingTrigger/listModified.ts';
import { after, listed, serviceOf, upTo, type Service } from './pagedService.mts';
import { Refusal } from './playedSession.mts';

const START = Date.parse('2026-04-06T00:00:00Z');
/** Returns a modification date that is `seconds` before the poll. */
const modifiedAt = (seconds: number) => ({
	lastModifiedDate: new Date(START - seconds * 1000).toISOString(),
});
/** Returns records, newest first, that were modified one second apart or, with `isEqual`, all at the same time. */
const timed = (count: number, isEqual = false) =>
	listed(count).map(({ id }) => ({ id, ...modifiedAt(isEqual ? 1 : id) }));

function newestFirst(count: number, more: Partial<Service>) {
	const service = serviceOf(count, more);
	const dates = ['lastModifiedDate'] as const;
	const lists = [{ ...service.list, modificationDates: dates, eventDates: dates }];
	const limits = { startedAt: START, listUntil: Infinity, readUntil: Infinity };
	/**
	 * Returns the IDs of the records modified in the last `seconds`, newest first. By default, reads the whole list.
	 */
	const readNewest = async (seconds = START / 1000) => {
		const since = START - seconds * 1000;
		const event = { lists } as Partial<PollEvent> as PollEvent;
		const { records } = await listModified(service.session, event, limits, since);
		return records.toReversed().map(({ record }) => record.id);
	};
	return { ...service, readNewest };
}

it('reads a list, newest first, until a page ends before the requested time', async () => {
	const { readNewest, pages } = newestFirst(0, { records: timed(1200) });
	expect(await readNewest(50)).toEqual(upTo(100));
	expect(pages).toEqual([1]);
	expect(await readNewest(250)).toEqual(upTo(300));
});

it.each<[string, number | undefined]>([
	['the whole list', undefined],
	['the part with the newest 150 records', 150],
])(
	'finds every record even if one moves to a page that was already read: %s',
	async (_what, since) => {
		const change = (records: IDataObject[], page: number) =>
			page === 2 && pages.length === 2 && records.splice(5, 1);
		const { readNewest, pages } = newestFirst(0, { records: timed(250), change });
		expect(await readNewest(since)).toContain(101);
		expect(pages).toEqual([1, 2, 3, 1, 2, 3]);
	},
);

/** Swaps the last record of the first page with the first record of the second one. */
function swapAcrossPages(records: IDataObject[]) {
	records.splice(99, 0, ...records.splice(100, 1));
}

it('finds every record even if records with equal times swap places', async () => {
	const change = (records: IDataObject[], page: number) => {
		if (pages.length === 2 && page === 2) swapAcrossPages(records);
	};
	const { readNewest, pages } = newestFirst(0, { records: timed(150, true), change });
	expect((await readNewest()).toSorted((a, b) => Number(a) - Number(b))).toEqual(upTo(150));
	expect(pages).toEqual([1, 2, 1, 2]);
});

it('reads a list again until one pass has all records', async () => {
	const change = (records: IDataObject[]) => {
		// Remove a record, so record 101 moves to the first page, which was already read.
		if (pages.length === 2) records.splice(5, 1);
		// Make the second pass miss record 101 as well, by moving it to the second page while the first page is read,
		// and back while the second is read. Together, the two passes then find as many records as the list counts, but
		// only because they include the removed record.
		if (pages.length === 3 || pages.length === 4) swapAcrossPages(records);
	};
	const { readNewest, pages } = newestFirst(0, { records: timed(150, true), change });
	expect(await readNewest()).toContain(101);
	expect(pages).toEqual([1, 2, 1, 2, 1, 2]);
});

it.each<[string, number | undefined]>([
	['the whole list', undefined],
	['the part with the newest 350 records', 350],
])(
	'reads each page only once, even if a record is added to the top of the list with each page: %s',
	async (_what, since) => {
		const change = (records: IDataObject[]) =>
			records.unshift({ id: 1000 + records.length, ...modifiedAt(-records.length) });
		const { readNewest, pages } = newestFirst(0, { records: timed(450), change });
		const ids = await readNewest(since);
		expect(ids).toEqual(expect.arrayContaining(upTo(350)));
		expect(new Set(pages).size).toBe(pages.length);
	},
);

it.each<[string, Partial<Service>, string]>([
	['pages count from 0', { firstPage: 0 }, 'Only 0 of 50 records could be read'],
	[
		'the page number is ignored',
		{ ignoresPageNumber: true, largestPage: 20 },
		'Only 20 of 50 records',
	],
	['the count is too high', { count: 60 }, 'Only 50 of 60 records could be read'],
	[
		'the next page is empty',
		{ respond: after(1, { records: [], total: 0 }), largestPage: 20 },
		'Only 20 of 50',
	],
	[
		'the next page fails',
		{ respond: after(1, new Refusal(400, 'Too far')), largestPage: 20 },
		'Only 20 of 50',
	],
	['the count is missing', { count: undefined }, 'did not report how many records'],
	['the list is not sorted', { records: timed(50).reverse() }, 'did not sort a list as requested'],
])('reports an incomplete or unsorted list when %s', async (_when, more, message) => {
	const { readNewest } = newestFirst(0, { records: timed(50), ...more });
	await expect(readNewest()).rejects.toThrow(message);
});
