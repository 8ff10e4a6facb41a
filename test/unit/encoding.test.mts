/** Tests forms, query strings, and paths against RFC 3986 and docs/dev/portal-api.md. */
import { expect, it } from 'vitest';
import { encodeFields, path, type RequestFields } from '../../client/request.ts';

it.each<[what: string, fields: RequestFields, text: string]>([
	['nothing', {}, ''],
	['text', { Name: 'a b&c=d+é' }, 'Name=a%20b%26c%3Dd%2B%C3%A9'],
	['a name that needs encoding', { 'a b': 1 }, 'a%20b=1'],
	['numbers and switches', { Price: 0, Tax: false, Own: true }, 'Price=0&Tax=false&Own=true'],
	['empty text', { Name: '' }, 'Name='],
	['values that are left out', { One: undefined, Two: null, Three: 3 }, 'Three=3'],
	['a list', { Ids: [1, 'b', true] }, 'Ids=1&Ids=b&Ids=true'],
	// Expect quotation marks, because in JSV, a comma ends a list entry, and a bracket or brace begins a list or
	// object.
	[
		'list entries that need quotation marks',
		{ Brands: ['Snap One, LLC', '7" TV', '[x]', '{y}'] },
		'Brands=%22Snap%20One%2C%20LLC%22&Brands=%227%22%22%20TV%22&Brands=%22%5Bx%5D%22&Brands=%22%7By%7D%22',
	],
	['other list entries', { Brands: ["B & W's: (x)"] }, "Brands=B%20%26%20W's%3A%20(x)"],
	['text outside of a list', { Name: 'One, "two"' }, 'Name=One%2C%20%22two%22'],
	['an empty list', { Ids: [], Name: 'x' }, 'Name=x'],
	['a list of objects', { Items: [{ id: 1 }] }, 'Items=%5B%7B%22id%22%3A1%7D%5D'],
	['a list with one object', { Items: [1, { id: 1 }] }, 'Items=%5B1%2C%7B%22id%22%3A1%7D%5D'],
	['an object', { Filter: { a: 1 } }, 'Filter=%7B%22a%22%3A1%7D'],
	// Expect U+FFFD in UTF-8 for each half.
	['halves of an emoji', { Name: '\ud83dx\ude00' }, 'Name=%EF%BF%BDx%EF%BF%BD'],
	['a whole emoji', { Name: '😀' }, 'Name=%F0%9F%98%80'],
])('encodes a form with %s', (_what, fields, text) => expect(encodeFields(fields)).toBe(text));

it('encodes each value within its path segment', () => {
	expect(path`/public/proposals/${'../a?b#c%2f'}/area`).toBe(
		'/public/proposals/..%2Fa%3Fb%23c%252f/area',
	);
});

it.each(['', '.', '..'])("rejects '%s' in a path", (value) => {
	expect(() => path`/public/proposals/${value}/area`).toThrow('cannot be part of a URL');
});
