/** Tests the comparison of a record's value with the sent value. */
import { expect, it } from 'vitest';
import {
	describeMismatch,
	isSameValue,
	type ComparisonKind,
} from '../../nodes/PortalIo/operation/valueEquality.ts';

it.each<[string, ComparisonKind, unknown, unknown]>([
	['an amount that differs by less than half a cent', 'money', 1799.004, 1799],
	['an amount that differs by exactly half a cent', 'money', 10.125, 10.13],
	['no amount in place of 0', 'money', 0, undefined],
	['a quantity that is rounded to four decimals', 'quantity', 1.23456, 1.2346],
	['the same switch', 'flag', true, true],
	['no switch in place of one that is off', 'flag', false, undefined],
	['no ID if none was sent', 'id', null, undefined],
	['text with other line ends and spaces', 'text', 'One\r\n two ', 'One\ntwo'],
	['no text in place of empty text', 'text', '', null],
	['a record that leaves out text that was cleared', 'text', '', undefined],
	['a letter that is composed of parts', 'text', 'Ku\u0308che', 'K\u00fcche'],
	['text that ends in half an emoji', 'text', 'Great speaker \ud83d', 'Great speaker \ufffd'],
])('treats as equal: %s', (_, kind, sent, found) =>
	expect(isSameValue(kind, sent, found)).toBe(true),
);

it.each<[string, ComparisonKind, unknown, unknown]>([
	['an amount that differs by a cent', 'money', 10.12, 10.13],
	['no amount in place of 5', 'money', 5, null],
	['a quantity that differs in the fourth decimal', 'quantity', 1.2345, 1.2346],
	['no switch in place of one that is on', 'flag', true, undefined],
	['another ID', 'id', 5, 6],
	['no ID in place of 5', 'id', 5, null],
	['text without its spaces', 'text', 'One two', 'Onetwo'],
	['shorter text', 'text', 'Wall mount', 'Wall'],
	['two letters that look like a ligature', 'text', '\ufb01', 'fi'],
	['text without its last emoji', 'text', 'Great speaker 😀', 'Great speaker \ufffd'],
])('treats as different: %s', (_, kind, sent, found) =>
	expect(isSameValue(kind, sent, found)).toBe(false),
);

it.each<[unknown, unknown, string]>([
	['', 'Den', "'Name' is empty, not Den"],
	[null, 'Den', "'Name' is empty, not Den"],
	[0, 2, "'Name' is 0, not 2"],
	['Den', '', "'Name' is Den, not empty"],
	['Den', 'D\ud83d', "'Name' is Den, not D\ufffd"],
])('describes the difference between %j and %j', (found, sent, said) =>
	expect(describeMismatch('Name', found, sent)).toBe(said),
);
