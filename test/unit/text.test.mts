/** Lists as people type, paste and import them. */
import { expect, it } from 'vitest';
import { nameKey, splitList } from '../../nodes/shared/text.ts';

it.each<[unknown, unknown[]]>([
	['a,  ,b', ['a', 'b']],
	['"Den, 1",b', ['Den, 1', 'b']],
	['[1, "a"]', [1, 'a']],
	['[Den, Loft]', ['Den', ' Loft']],
	['Den [2]', ['Den [2]']],
	['[2] Den', ['[2] Den']],
	[
		['a', ' ', 5],
		['a', 5],
	],
	[7, [7]],
])('splits %j into %j', (given, entries) => expect(splitList(given)).toEqual(entries));

it('compares names without their case and spaces', () =>
	expect(nameKey(' Den\u00a0 A ')).toBe('den a'));

it('distinguishes names by a raised digit, and not by their encoding', () => {
	expect(nameKey('Room 2\u00b2')).not.toBe(nameKey('Room 22'));
	expect(nameKey('\uff32oom \uff12')).toBe(nameKey('Room 2'));
	expect(nameKey('Ku\u0308che')).toBe(nameKey('K\u00fcche'));
	expect(nameKey('O\ufb03ce')).toBe('office');
});
