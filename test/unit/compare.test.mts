/** Whether a record has a value as it was sent. */
import { expect, it } from 'vitest';
import { differs, isSame, type Kind } from '../../nodes/PortalIo/operation/comparison.ts';

it.each<[string, Kind, unknown, unknown, boolean]>([
	['an amount to the cent', 'money', 1799.004, 1799, true],
	['an amount at the limit', 'money', 10.125, 10.13, true],
	['another cent', 'money', 10.12, 10.13, false],
	['an absent amount as 0', 'money', 0, undefined, true],
	['an amount that is absent', 'money', 5, null, false],
	['a quantity to four decimals', 'quantity', 1.23456, 1.2346, true],
	['another quantity', 'quantity', 1.2345, 1.2346, false],
	['a flag', 'flag', true, true, true],
	['an absent flag as false', 'flag', false, undefined, true],
	['a flag that is absent', 'flag', true, undefined, false],
	['an ID', 'id', 5, 6, false],
	['an ID that is absent', 'id', 5, null, false],
	['no ID', 'id', null, undefined, true],
	['text with other line ends and spaces', 'text', 'One\r\n two ', 'One\ntwo', true],
	['text without its spaces', 'text', 'One two', 'Onetwo', false],
	['text that is shorter', 'text', 'Wall mount', 'Wall', false],
	['an absent text as empty', 'text', '', null, true],
	['a text that was cleared and is left out', 'text', '', undefined, true],
	['a composed letter as its parts', 'text', 'Ku\u0308che', 'K\u00fcche', true],
	['a letter that only looks the same', 'text', '\ufb01', 'fi', false],
	['half of an emoji as it is sent', 'text', 'Great speaker \ud83d', 'Great speaker \ufffd', true],
	['a whole emoji', 'text', 'Great speaker 😀', 'Great speaker \ufffd', false],
])('compares %s', (_, kind, sent, found, isEqual) =>
	expect(isSame(kind, sent, found)).toBe(isEqual),
);

it.each<[unknown, unknown, string]>([
	['', 'Den', "'Name' is empty, not Den"],
	[null, 'Den', "'Name' is empty, not Den"],
	[0, 2, "'Name' is 0, not 2"],
	['Den', '', "'Name' is Den, not empty"],
	['Den', 'D\ud83d', "'Name' is Den, not D\ufffd"],
])('describes the difference between %j and %j', (found, sent, said) =>
	expect(differs('Name', found, sent)).toBe(said),
);
