/** Texts that try to be more than a value: in paths, forms, file names and addresses. */
import fc from 'fast-check';

const PIECES = [
	'../',
	'..',
	'.',
	'/',
	'//',
	'\\',
	'?',
	'#',
	'%',
	'%2f',
	'%2F',
	'%5c',
	'%2e%2e',
	'%00',
	';',
	':',
	'@',
	'&',
	'=',
	'+',
	'&Name=x',
	'[]',
	'\r\n',
	'\r\n\r\n',
	'\0',
	'"',
	"'",
	'<b>',
	',',
	' ',
	'\xA0',
	'ü',
	'部',
	'😀',
	'‮',
	'﻿',
	'{{ 1 }}',
	'__proto__',
	'1',
	'0',
];
/** Halves of an emoji, which nobody can encode. */
const HALVES = ['\ud83d', '\ude00'];

const textOf = (pieces: string[]) =>
	fc.string({
		unit: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 1 })),
		maxLength: 12,
	});

export const encodableText = textOf(PIECES);

export const hostileText = textOf([...PIECES, ...HALVES]);
