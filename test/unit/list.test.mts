/** Where the records of a list are in a response, and which responses are refused. */
import { describe, expect, it } from 'vitest';
import { takeList } from '../../client/data.ts';

const records = [{ id: 1 }, { id: 2 }];
const take = (response: unknown) => takeList(response, 'proposals', 'proposalCount');

describe('a list', () => {
	it.each([
		['is a bare array', records],
		['has the documented name', { proposals: records, errors: [] }],
		['has the documented name in another case', { Proposals: records, Errors: [] }],
		['is the only array of the object', { proposalCount: 25, results: records }],
	])('finds a list where it %s', (_where, response) => expect(take(response)).toEqual(records));

	it.each([
		['an empty array', []],
		['an empty list', { proposals: [], proposalCount: 3 }],
		['a count of 0 without a list', { ProposalCount: 0 }],
		['a count of 0 and null', { proposals: null, proposalCount: 0 }],
	])('reads an empty list for %s', (_what, response) => expect(take(response)).toEqual([]));

	it.each([
		{},
		{ proposalCount: 25 },
		{ proposals: null },
		{ proposals: null, proposalCount: 25, errors: [] },
		{ proposals: { 0: { id: 1 } } },
		{ results: records, others: [] },
		{ proposals: [null] },
		{ proposals: [5], proposalCount: 0 },
		{ proposals: [{ id: 1 }, 5] },
		['a'],
		null,
		undefined,
		'',
		0,
	])('refuses a list in %j, never taken for an empty one', (response) =>
		expect(() => take(response)).toThrow(
			"Unexpected response: Portal.io did not return the list 'proposals'",
		),
	);

	it.each([
		[{ maintenance: 'until noon', ticket: 'secret' }, "an object with 'maintenance', 'ticket'"],
		[{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, "an object with 'a', 'b', 'c', 'd', 'e'"],
		[{ ['x'.repeat(41)]: 1 }, `an object with '${'x'.repeat(40)}'`],
		[{}, 'an empty object'],
		[['secret'], 'an array with entries that are not records'],
		['secret', 'a string'],
		['', 'nothing'],
	])('refuses a list with the names of what came instead, not its values: %j', (response, what) =>
		expect(() => take(response)).toThrow(
			expect.objectContaining({ description: expect.stringContaining(`It returned ${what}. `) }),
		),
	);
});
